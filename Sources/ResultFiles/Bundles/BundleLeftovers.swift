import FoundationEssentials
import Glibc
import Scenarios
import SystemPackage

/// Unfinished bundles that killed writers have left.
struct BundleLeftovers {
    /// The prefix of an unfinished bundle's folder name; the rest is a UUID.
    let prefix: String
    private let folder: FilePath

    init(prefix: String, in folder: FilePath) {
        self.prefix = prefix
        self.folder = folder
    }

    /// Locks an unfinished bundle with flock(2), until the returned descriptor is closed.
    func lock(_ part: FilePath) throws -> FileDescriptor {
        let descriptor = try FileDescriptor.open(part, .readOnly, options: [.directory, .noFollow, .closeOnExec])
        guard flock(descriptor.rawValue, LOCK_EX | LOCK_NB) == 0 else {
            let error = Errno(rawValue: errno)
            try? descriptor.close()
            throw error
        }
        return descriptor
    }

    /// Removes those that no process is writing; ignores errors.
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
