import FoundationEssentials
import Glibc
import Scenarios
import SystemPackage

/// Folders with parts of bundles, which writers that were killed have left.
struct BundleLeftovers {
    /// What the name of a part begins with; the rest of it is a UUID.
    let prefix: String
    private let folder: FilePath

    init(prefix: String, in folder: FilePath) {
        self.prefix = prefix
        self.folder = folder
    }

    /// Marks a part as one that is being written, until what is answered is closed (flock(2)).
    func lock(_ part: FilePath) throws -> FileDescriptor {
        let descriptor = try FileDescriptor.open(part, .readOnly, options: [.directory, .noFollow, .closeOnExec])
        guard flock(descriptor.rawValue, LOCK_EX | LOCK_NB) == 0 else {
            let error = Errno(rawValue: errno)
            try? descriptor.close()
            throw error
        }
        return descriptor
    }

    /// Removes those that are not being written; what cannot be removed stays.
    func remove() {
        let manager = FileManager.default
        let path = folder.isEmpty ? "." : folder.string
        for name in (try? manager.contentsOfDirectory(atPath: path)) ?? [] {
            guard name.hasPrefix(prefix), UUID(uuidString: String(name.dropFirst(prefix.count))) != nil else {
                continue
            }
            let part = folder.appending(name)
            guard let lock = try? lock(part) else { continue }
            defer { try? lock.close() }
            let known = BundlePlace.files.union([ScenarioBundle.profilesFolder, ScenarioBundle.packsFolder])
            let names = (try? manager.contentsOfDirectory(atPath: part.string)) ?? [""]
            if known.isSuperset(of: names) { try? manager.removeItem(atPath: part.string) }
        }
    }
}
