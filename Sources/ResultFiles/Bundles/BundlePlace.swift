import FoundationEssentials
import Glibc
import LinuxSupport
import PackFormat
import Reports
import Scenarios
package import SystemPackage

/// The folder that a bundle goes to: one that is not there, or holds a bundle and nothing else.
package struct BundlePlace {
    let folder: FilePath

    /// What `bundle.json` and the texts beside it take at most.
    private static let mostTextBytes = 64 << 20
    /// The files beside `bundle.json`'s folders.
    static let files: Set<String> = [
        BundleRecord.fileName, ScenarioBundle.scenarioFile, ScenarioBundle.scheduleFile, ReportFormat.eventsFileName,
        BundleDraft.captureFile,
    ]
    private static let lists: Set<String> = [Site.manifestName, Site.tagTableName]

    package init(_ folder: FilePath) { self.folder = folder }

    /// What keeps the folder from being replaced by a bundle; nil where nothing does.
    package var obstacle: String? { obstacle(as: folder) }

    /// The same of a folder that is elsewhere for the moment, by the name that its owner knows.
    private func obstacle(as known: FilePath) -> String? {
        var status = stat()
        guard lstat(folder.string, &status) == 0 else { return nil }
        let remedy = "Name another folder, or remove it."
        guard status.st_mode & S_IFMT == S_IFDIR else {
            return "'\(known)' already exists, and is not a bundle. \(remedy)"
        }
        let json = try? BoundedFile.read(folder.appending(BundleRecord.fileName), most: Self.mostTextBytes)
        guard let json, let record = try? BundleRecord(json: Data(json)) else {
            return "'\(known)' already exists, and is not a bundle. \(remedy)"
        }
        guard let other = other(than: record) else { return nil }
        return "'\(known)' is a bundle, but '\(other)' in it does not belong to a bundle. \(remedy)"
    }

    /// Puts a folder in the place of the one that is there, if that may be replaced.
    ///
    /// What was there is first moved to `aside`, which is on the same file system, and looked at again: nothing can be put
    /// anything into it on the way. Throws ``Occupied``, then all is as it was, and `Errno`.
    func replace(by made: FilePath, aside: FilePath) throws {
        if let obstacle { throw Occupied(description: obstacle) }
        if rename(folder.string, aside.string) == 0 {
            if let other = BundlePlace(aside).obstacle(as: folder) {
                _ = rename(aside.string, folder.string)
                throw Occupied(description: other)
            }
        } else if errno != ENOENT {
            throw Errno(rawValue: errno)
        }
        // Onto a folder that has come since, rename(2) fails where there is anything in it.
        guard rename(made.string, folder.string) == 0 else {
            let error = Errno(rawValue: errno)
            _ = rename(aside.string, folder.string)
            throw error
        }
        try? FileManager.default.removeItem(atPath: aside.string)
    }

    /// Somebody else's files stand where the bundle was to go.
    struct Occupied: Error, CustomStringConvertible {
        let description: String
    }

    /// The first name in the folder that no bundle of the record has there; nil where there is none.
    private func other(than record: BundleRecord) -> String? {
        for name in Self.names(folder) {
            switch name {
            case ScenarioBundle.profilesFolder:
                if let file = Self.names(folder.appending(name)).first(where: { !isFile("\(name)/\($0)") }) {
                    return "\(name)/\(file)"
                }
            case ScenarioBundle.packsFolder:
                if let file = otherPack(than: Set(record.content.packs.map(\.sha256))) { return file }
            default:
                guard Self.files.contains(name), isFile(name) else { return name }
            }
        }
        return nil
    }

    /// Packs are told by their bytes: their names are anybody's.
    private func otherPack(than digests: Set<String>) -> String? {
        let packs = ScenarioBundle.packsFolder
        for name in Self.names(folder.appending(packs)) where !Self.lists.contains(name) {
            let inner = name == Site.packsFolderName ? Self.names(folder.appending(packs).appending(name)) : []
            let paths = name == Site.packsFolderName ? inner.map { "\(packs)/\(name)/\($0)" } : ["\(packs)/\(name)"]
            for path in paths {
                guard isFile(path), let digest = try? Digest.sha256Hex(of: folder.pushing(FilePath(path))),
                    digests.contains(digest)
                else { return path }
            }
        }
        return nil
    }

    private func isFile(_ path: String) -> Bool { folder.pushing(FilePath(path)).fileKind == S_IFREG }

    private static func names(_ folder: FilePath) -> [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: folder.string)) ?? []).sorted()
    }
}
