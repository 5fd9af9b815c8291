import Foundation
import PackFormat
import SystemPackage
import Testing

@testable import headwind

/// What `headwind host` says of a folder or a fault that it cannot serve.
struct ServedFolderTests {
    private func withFolder(_ body: (FilePath) throws -> Void) throws {
        let folder = FilePath(NSTemporaryDirectory()).appending("headwind host tests \(UUID().uuidString)")
        try FileManager.default.createDirectory(atPath: folder.string, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder.string) }
        for name in ["level-1.bin", "level-2.bin"] {
            try Data(name.utf8).write(to: URL(filePath: folder.appending(name).string))
        }
        try body(folder)
    }

    private func failure(_ path: FilePath, isOfFiles: Bool = false) -> CommandFailure? {
        #expect(throws: CommandFailure.self) { try ServedFolder(path: path, isOfFiles: isOfFiles).site() }
    }

    @Test func whatCannotBeServedSaysWhatToDo() throws {
        try withFolder { folder in
            let plain = failure(folder)
            #expect(plain?.status == .invalidInput)
            #expect(
                plain?.description
                    == "Could not serve '\(folder)': it has no AssetPackManifest.plist. Add --packs to serve its files as they "
                    + "are, or build packs of them: headwind pack build '\(folder)' --by-folder --output packs")
            for isOfFiles in [false, true] {
                #expect(
                    failure(folder.appending("nowhere"), isOfFiles: isOfFiles)?.description
                        == "Could not serve '\(folder)/nowhere': there is no such folder.")
                #expect(
                    failure(folder.appending("level-1.bin"), isOfFiles: isOfFiles)?.description
                        == "Could not serve '\(folder)/level-1.bin': it is a file. Name the folder that it is in, and add --packs."
                )
            }
        }
    }

    @Test func aFaultOfAPackThatIsNotServedIsRefused() throws {
        try withFolder { folder in
            let site = try ServedFolder(path: folder, isOfFiles: true).site()
            for name in ["*", "level-1.bin", "manifest", "tag-table", "AssetPackManifest.plist"] {
                try site.check([HostFault(pack: name, action: .never)])
            }
            for (name, hint) in [
                ("level-9.bin", "did you mean 'level-1.bin'?"), ("manifst", "did you mean 'manifest'?"),
                ("x", "there are level-1.bin, level-2.bin, manifest, tag-table"),
            ] {
                let faults = [HostFault(pack: "*", action: .never), HostFault(pack: name, action: .never)]
                let failure = #expect(throws: CommandFailure.self) { try site.check(faults) }
                #expect(failure?.status == .usage)
                #expect(
                    failure?.description == "--fault: no pack is called '\(name)' in what is served; \(hint)")
            }
        }
    }
}
