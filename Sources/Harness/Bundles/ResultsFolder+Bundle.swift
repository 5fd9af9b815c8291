import FoundationEssentials
import PackFormat
import SystemPackage

extension ResultsFolder {
    /// The folder with the bundles of failures.
    static let bundlesFolder = "bundles"

    /// Writes a bundle, whole or not at all, and answers where it is, relative to the results.
    ///
    /// One of the same name, of an earlier run, is replaced.
    func write(_ draft: BundleDraft) throws -> String {
        let name = "\(Self.bundlesFolder)/\(draft.name)"
        let place = path.appending(name)
        let work = path.appending("\(Self.bundlesFolder)/.\(draft.name)-\(UUID().uuidString)")
        let manager = FileManager.default
        do {
            defer { try? manager.removeItem(atPath: work.string) }
            var record = draft.record
            let whole = FilePath(manager.currentDirectoryPath).pushing(place).lexicallyNormalized()
            record.command = "headwind replay \(ShellWords.quoted(whole.string))"
            try write(Array(record.json()), to: work.appending(BundleRecord.fileName))
            for (file, text) in draft.texts { try write(Array(text.utf8), to: work.appending(file)) }
            for (file, bytes) in draft.lists { try write(bytes, to: work.appending(file)) }
            for (file, source) in draft.packs {
                let target = work.appending(file)
                try makeFolder(of: target)
                try manager.copyItem(atPath: source.string, toPath: target.string)
            }
            if manager.fileExists(atPath: place.string) { try manager.removeItem(atPath: place.string) }
            try manager.moveItem(atPath: work.string, toPath: place.string)
        } catch {
            throw HarnessError.notWritten(place, reason: error.systemReason)
        }
        return name
    }

    private func write(_ bytes: [UInt8], to file: FilePath) throws {
        try makeFolder(of: file)
        try Data(bytes).write(to: URL(filePath: file.string))
    }

    private func makeFolder(of file: FilePath) throws {
        try FileManager.default.createDirectory(
            atPath: file.removingLastComponent().string, withIntermediateDirectories: true)
    }
}
