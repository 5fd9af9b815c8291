import Glibc
import PackFormat
import SystemPackage
import Testing

@Suite("Full file systems", .needsRoot)
struct FullDiskTests {
    @Test func unpackingOntoAFullDiskLeavesNothing() throws {
        try withSmallDisk { scratch, disk in
            let file = scratch.appending("p.assetpack")
            let large = RawZip.Entry(name: Array("large".utf8), body: [UInt8](repeating: 1, count: 400 << 10))
            try file.write(RawZip([large]).bytes)
            let out = disk.appending("out")
            #expect(throws: PackFormatError.noSpace(out.appending("large"))) {
                try PackArchive.extract(file: file, into: out)
            }
            #expect(disk.files == [])
        }
    }

    @Test func packingOntoAFullDiskLeavesNothing() throws {
        try withSmallDisk { scratch, disk in
            try scratch.appending("in/large").write([UInt8](repeating: 1, count: 400 << 10))
            let error = #expect(throws: PackFormatError.self) {
                try PackArchive.write(directory: scratch.appending("in"), to: disk.appending("p.assetpack"))
            }
            #expect(error?.description.contains("No space left") == true)
            #expect(disk.files == [])
        }
    }

    /// Runs the body with a file system of 256 KiB, which is removed afterwards.
    private func withSmallDisk(_ body: (_ scratch: FilePath, _ disk: FilePath) throws -> Void) throws {
        try withScratch { scratch in
            let disk = scratch.appending("disk")
            guard mkdir(disk.string, 0o700) == 0, mount("none", disk.string, "tmpfs", 0, "size=256k") == 0 else {
                throw Errno(rawValue: errno)
            }
            defer { umount2(disk.string, Int32(MNT_DETACH)) }
            try body(scratch, disk)
        }
    }
}
