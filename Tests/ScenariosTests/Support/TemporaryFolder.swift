import Foundation
import SystemPackage

/// A folder that is removed when this value goes out of scope.
struct TemporaryFolder: ~Copyable {
    let path: FilePath

    init() throws {
        let url = FileManager.default.temporaryDirectory.appending(path: "headwind-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        path = FilePath(url.path)
    }

    /// Writes a file, and makes the folders above it.
    @discardableResult
    func write(_ name: String, _ bytes: some Sequence<UInt8>) throws -> FilePath {
        let file = path.appending(name)
        try FileManager.default.createDirectory(
            atPath: file.removingLastComponent().string, withIntermediateDirectories: true)
        try Data(bytes).write(to: URL(filePath: file.string))
        return file
    }

    @discardableResult
    func write(_ name: String, _ text: String) throws -> FilePath {
        try write(name, text.utf8)
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path.string)
    }
}
