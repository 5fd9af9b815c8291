import FoundationEssentials
import PackFormat
import SystemPackage

/// A pack as a folder, the form of packs in Xcode's builds.
enum PackFolder {
    /// Writes items into a folder, which is renamed when it is complete, and then replaces an existing one.
    static func write(_ items: [PackArchive.Item], to folder: FilePath) throws {
        let manager = FileManager.default
        let staging = FilePath(folder.string + ".partial")
        try remove(staging)
        defer { try? remove(staging) }
        for item in items {
            let target = staging.appending(item.path)
            do {
                try manager.createDirectory(
                    atPath: target.removingLastComponent().string, withIntermediateDirectories: true)
                switch item.content {
                case .folder: try manager.createDirectory(atPath: target.string, withIntermediateDirectories: true)
                case .file(let source, let size): try FileCopy.copy(source, size: size, to: target)
                case .bytes(let bytes): try FileCopy.write(bytes, to: target)
                }
                let date = Date(timeIntervalSince1970: Double(item.modified) / 1_000_000_000)
                try manager.setAttributes([.modificationDate: date], ofItemAtPath: target.string)
            } catch let error as PackFormatError {
                throw error
            } catch {
                throw PackFormatError.writing(target, error)
            }
        }
        try remove(folder)
        try PackFormatError.writing(folder) { try manager.moveItem(atPath: staging.string, toPath: folder.string) }
    }

    /// Makes a folder, and those around it, unless it is there.
    static func make(_ folder: FilePath) throws {
        try PackFormatError.writing(folder) {
            try FileManager.default.createDirectory(atPath: folder.string, withIntermediateDirectories: true)
        }
    }

    /// Writes a list of packs beside them; an older one stays until it is complete.
    static func write(_ list: [UInt8], to file: FilePath) throws {
        try PackFormatError.writing(file) { try Data(list).write(to: URL(filePath: file.string), options: .atomic) }
    }

    /// Removes a file or a folder; a missing one is no error.
    static func remove(_ path: FilePath) throws {
        guard FileManager.default.fileExists(atPath: path.string) else { return }
        do { try FileManager.default.removeItem(atPath: path.string) } catch {
            throw PackFormatError.fileNotWritten(
                path, reason: "its old content could not be removed (\(error.systemReason))")
        }
    }
}
