import Foundation
import SystemPackage

/// Runs `body` with a folder of its own, which is removed afterwards.
func withScratch<Value>(_ body: (FilePath) throws -> Value) throws -> Value {
    let folder = FileManager.default.temporaryDirectory.appending(path: "packs-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    return try body(FilePath(folder))
}

extension FilePath {
    /// Writes a file, and makes the folders above it.
    func write(_ bytes: [UInt8], modified: TimeInterval = 1_600_000_000) throws {
        let manager = FileManager.default
        try manager.createDirectory(atPath: removingLastComponent().string, withIntermediateDirectories: true)
        try Data(bytes).write(to: URL(filePath: string))
        try manager.setAttributes([.modificationDate: Date(timeIntervalSince1970: modified)], ofItemAtPath: string)
    }

    func read() throws -> [UInt8] {
        Array(try Data(contentsOf: URL(filePath: string)))
    }

    /// Every file below the folder, sorted.
    var files: [String] {
        FileManager.default.subpaths(atPath: string)?.sorted() ?? []
    }
}
