import Foundation
import SystemPackage

/// Runs `body` with a folder of its own, which is removed afterwards.
func withScratch<Value>(_ body: (FilePath) throws -> Value) throws -> Value {
    let folder = FileManager.default.temporaryDirectory.appending(path: "catalog-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    return try body(FilePath(folder))
}

extension FilePath {
    /// Writes a file with a fixed modification time, and makes the folders above it.
    func write(_ text: String, modified: TimeInterval = 1_642_064_250) throws {
        let manager = FileManager.default
        try manager.createDirectory(atPath: removingLastComponent().string, withIntermediateDirectories: true)
        try Data(text.utf8).write(to: URL(filePath: string))
        try manager.setAttributes([.modificationDate: Date(timeIntervalSince1970: modified)], ofItemAtPath: string)
    }

    /// Makes a link here to a path, which need not exist.
    func link(to target: String) throws {
        try FileManager.default.createSymbolicLink(atPath: string, withDestinationPath: target)
    }

    func read() throws -> [UInt8] {
        Array(try Data(contentsOf: URL(filePath: string)))
    }

    /// Every file and folder below the folder, sorted.
    var files: [String] {
        FileManager.default.subpaths(atPath: string)?.sorted() ?? []
    }
}
