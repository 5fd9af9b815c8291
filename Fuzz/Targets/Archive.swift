import Glibc
import SystemPackage

/// A pack's archive from anywhere: unpacked within its bounds and its folder, or refused with nothing left.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    let place = Place.shared
    place.fill(UnsafeRawBufferPointer(start: start, count: count))
    var limits = PackArchive.ExtractionLimits()
    // As small as the seeds allow, so that inputs of a few kB come to their bounds; the piece, so that what an entry has
    // is counted before its end shows that it is damaged.
    limits.bytes = 3 << 10
    limits.pieceBytes = 256
    limits.entries = 100
    limits.directoryBytes = 64 << 10
    _ = try? PackArchive.info(of: place.file)
    let extraction = try? PackArchive.extract(file: place.file, into: place.folder, limits: limits) { bytes in
        precondition(bytes <= limits.bytes, "\(bytes) bytes were unpacked, and \(limits.bytes) is the most")
    }
    guard let extraction else {
        precondition(access(place.folder.string, F_OK) != 0, "a refused archive left something")
        return 0
    }
    guard let entries = try? FileTree.entries(of: place.folder) else { fatalError("the folder cannot be read") }
    precondition(entries.allSatisfy { $0.kind == .file || $0.kind == .folder }, "neither file nor folder was made")
    precondition(entries.count { $0.kind == .file } == extraction.files, "files are missing")
    precondition(entries.map(\.size).reduce(0, +) == extraction.bytes, "bytes are missing")
    let unpacked = entries.filter { $0.kind == .file }.map { ($0.path, $0.size) }
    precondition(Dictionary(uniqueKeysWithValues: unpacked) == place.directory(limits), "the directory has other files")
    FolderRemoval.remove(place.folder)
    let around = (try? FileTree.entries(of: place.around))?.map(\.path)
    precondition(around == ["a", "archive"], "something was written elsewhere")
    return 0
}

/// Where archives lie and are unpacked: a file system in memory.
private final class Place: Sendable {
    static let shared = Place()

    private let descriptor: FileDescriptor
    let file: FilePath
    let around: FilePath
    let folder: FilePath

    private init() {
        // Whoever starts the target by hand may name another folder, which is to be empty.
        guard let place = unsafe getenv("HEADWIND_FUZZ_PLACE") else {
            fatalError("HEADWIND_FUZZ_PLACE is to be an empty folder, as Fuzz/run makes it")
        }
        around = FilePath(unsafe String(cString: place))
        file = around.appending("archive")
        folder = around.appending("a/b")
        guard
            let opened = try? FileDescriptor.open(
                file, .writeOnly, options: [.create, .exclusiveCreate], permissions: .ownerReadWrite)
        else { fatalError("the archive's file cannot be made") }
        descriptor = opened
        // What leads up from the folder lands here, and is seen.
        precondition(mkdir(around.appending("a").string, 0o700) == 0)
    }

    /// The files that the archive's directory has, with their sizes, without those that are passed over.
    func directory(_ limits: PackArchive.ExtractionLimits) -> [String: Int64] {
        guard let source = try? ArchiveSource(file),
            let directory = try? ArchiveDirectory(of: source, limits: limits)
        else { fatalError("an archive was unpacked, and has no directory") }
        let files = directory.entries.filter { !$0.isFolder && !PackArchive.isPassedOver($0.name) }
        return Dictionary(uniqueKeysWithValues: files.map { ($0.name, $0.header.size) })
    }

    func fill(_ bytes: UnsafeRawBufferPointer) {
        precondition(ftruncate(descriptor.rawValue, 0) == 0)
        guard (try? descriptor.writeAll(toAbsoluteOffset: 0, bytes)) == bytes.count else { fatalError("no memory") }
    }
}
