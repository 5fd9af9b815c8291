import FoundationEssentials
import Glibc
import LinuxSupport
import PackFormat
import Reports
import Scenarios
package import SystemPackage

/// The target folder of a bundle: it does not exist, or holds a bundle and nothing else.
package struct BundlePlace {
    let folder: FilePath

    /// The most bytes of `bundle.json` that are read: 64 MiB.
    private static let mostTextBytes = 64 << 20
    /// The files of a bundle that are not in one of its folders.
    private static let files: Set<String> = [
        BundleRecord.fileName, ScenarioBundle.scenarioFile, ScenarioBundle.scheduleFile, ReportFormat.eventsFileName,
        BundleDraft.captureFile,
    ]
    private static let lists: Set<String> = [Site.manifestName, Site.tagTableName]

    package init(_ folder: FilePath) { self.folder = folder }

    /// Why a bundle must not replace the folder; nil if it may.
    package var obstacle: String? { obstacle(as: folder) }

    /// The same for a folder that was moved; `known` is the name that its owner knows.
    private func obstacle(as known: FilePath) -> String? {
        guard let type = folder.fileType else { return nil }
        let remedy = "Name another folder, or remove it."
        guard type == .directory,
            let json = try? BoundedFile.read(folder.appending(BundleRecord.fileName), most: Self.mostTextBytes),
            let record = try? BundleRecord(json: Data(json))
        else {
            return "'\(known)' already exists, and is not a bundle. \(remedy)"
        }
        guard let other = other(than: record) else { return nil }
        return "'\(known)' is a bundle, but '\(other)' in it does not belong to a bundle. \(remedy)"
    }

    /// Writes a bundle, whole or not at all; replaces an existing bundle, and nothing else.
    ///
    /// `fill` gets a new folder, beside this one, for the bundle's files. Throws ``ResultFileError``.
    func write(_ fill: (FilePath) throws -> Void) throws {
        let parent = folder.removingLastComponent()
        let prefix = ".\(folder.lastComponent?.string ?? "bundle")-"
        let work = parent.appending(prefix + UUID().uuidString)
        let manager = FileManager.default
        do {
            Self.removeLeftovers(prefix, in: parent)
            defer { try? manager.removeItem(atPath: work.string) }
            try manager.createDirectory(atPath: work.string, withIntermediateDirectories: true)
            let lock = try Self.lock(work)
            defer { try? lock.close() }
            try fill(work)
            try replace(by: work, aside: parent.appending(prefix + UUID().uuidString))
        } catch let error as ResultFileError {
            throw error
        } catch {
            throw ResultFileError(unwritten: folder, error)
        }
    }

    /// Removes unfinished bundles that killed writers have left, and that no process is writing; ignores errors.
    ///
    /// Their names are `prefix` and a UUID.
    private static func removeLeftovers(_ prefix: String, in folder: FilePath) {
        let manager = FileManager.default
        for name in (folder.isEmpty ? "." : folder).namesInFolder {
            guard name.hasPrefix(prefix), UUID(uuidString: String(name.dropFirst(prefix.count))) != nil else {
                continue
            }
            let part = folder.appending(name)
            guard let lock = try? lock(part) else { continue }
            defer { try? lock.close() }
            let known = files.union([ScenarioBundle.profilesFolder, ScenarioBundle.packsFolder])
            let names = (try? manager.contentsOfDirectory(atPath: part.string)) ?? [""]
            if known.isSuperset(of: names) { try? manager.removeItem(atPath: part.string) }
        }
    }

    /// Locks an unfinished bundle with flock(2), until the returned descriptor is closed.
    private static func lock(_ part: FilePath) throws -> FileDescriptor {
        let descriptor = try FileDescriptor.open(part, .readOnly, options: [.directory, .noFollow, .closeOnExec])
        return try descriptor.closeOnFailure {
            guard flock(descriptor.rawValue, LOCK_EX | LOCK_NB) == 0 else { throw Errno(rawValue: errno) }
            return descriptor
        }
    }

    /// Replaces the folder by `made`, if it may be replaced.
    ///
    /// The old folder is first moved to `aside`, on the same file system, and checked again, so that no file added
    /// meanwhile is lost. Throws ``Occupied``, having changed nothing, and `Errno`.
    private func replace(by made: FilePath, aside: FilePath) throws {
        if let obstacle { throw Occupied(description: obstacle) }
        if rename(folder.string, aside.string) == 0 {
            if let other = BundlePlace(aside).obstacle(as: folder) {
                _ = rename(aside.string, folder.string)
                throw Occupied(description: other)
            }
        } else if errno != ENOENT {
            throw Errno(rawValue: errno)
        }
        // If a folder has been created since, rename(2) fails unless it is empty.
        guard rename(made.string, folder.string) == 0 else {
            let error = Errno(rawValue: errno)
            _ = rename(aside.string, folder.string)
            throw error
        }
        try? FileManager.default.removeItem(atPath: aside.string)
    }

    /// Other files are where the bundle should go.
    struct Occupied: Error, CustomStringConvertible {
        let description: String
    }

    /// The first name in the folder that does not belong to a bundle of the record; nil if there is none.
    private func other(than record: BundleRecord) -> String? {
        for name in folder.namesInFolder.sorted() {
            switch name {
            case ScenarioBundle.profilesFolder:
                let paths = folder.appending(name).namesInFolder.sorted().map { "\(name)/\($0)" }
                if let path = paths.first(where: { !isFile($0) }) { return path }
            case ScenarioBundle.packsFolder:
                if let file = otherPack(than: Set(record.content.packs.map(\.sha256))) { return file }
            default:
                guard Self.files.contains(name), isFile(name) else { return name }
            }
        }
        return nil
    }

    /// Packs are recognized by their digests, because their names prove nothing.
    private func otherPack(than digests: Set<String>) -> String? {
        let packs = ScenarioBundle.packsFolder
        for name in folder.appending(packs).namesInFolder.sorted() where !Self.lists.contains(name) {
            let isFolder = name == Site.packsFolderName
            let inner = isFolder ? folder.appending(packs).appending(name).namesInFolder.sorted() : []
            let paths = isFolder ? inner.map { "\(packs)/\(name)/\($0)" } : ["\(packs)/\(name)"]
            for path in paths {
                guard isFile(path), let digest = try? Digest.sha256Hex(of: folder.pushing(FilePath(path))),
                    digests.contains(digest)
                else { return path }
            }
        }
        return nil
    }

    private func isFile(_ path: String) -> Bool { folder.pushing(FilePath(path)).fileType == .regular }
}
