import Glibc
import LinuxSupport
import SystemPackage

/// One process's entry among the users of a store: a file with its claims, which it keeps locked.
///
/// The lock ends with the process, however that ends, and the claims end with the lock.
struct StoreUser: ~Copyable, Sendable {
    private let lock: FileLock
    private let path: FilePath
    /// The claims that other processes read.
    private(set) var told: StoreClaims

    /// Registers this process; the caller holds the store's gate, so that no process takes the new file for a dead
    /// one's.
    ///
    /// Throws if the entry cannot be written.
    init(in folder: FilePath) throws(StoreError) {
        let path = folder.appending("\(getpid()).\(MonotonicClock.now)")
        let lock = try FileLock(path)
        lock.lock(.exclusive)
        let nothing = StoreClaims(process: Int(getpid()))
        do { try Self.write(nothing, lock.file) } catch {
            try? FileSystem.remove(path)
            throw StoreError("write", path, error)
        }
        self.path = path
        self.lock = lock
        told = nothing
    }

    deinit { try? FileSystem.remove(path) }

    /// Replaces the claims; the caller holds the store's gate.
    ///
    /// Throws if they cannot be written: then the previous ones stay, or none can be read and everything counts as
    /// pinned.
    mutating func write(_ claims: StoreClaims) throws(StoreError) {
        guard claims != told else { return }
        do { try Self.write(claims, lock.file) } catch {
            try? Self.write(told, lock.file)
            throw StoreError("write", path, error)
        }
        told = claims
    }

    private static func write(_ claims: StoreClaims, _ file: FileDescriptor) throws(Errno) {
        let bytes = FileSystem.json(claims)
        try withErrno {
            try file.writeAll(toAbsoluteOffset: 0, bytes)
            try file.resize(to: Int64(bytes.count))
        }
    }

    /// The claims of all other running processes; removes the entries of dead ones.
    func others() -> [StoreClaims] { Self.all(in: path.removingLastComponent(), except: path, cleaning: true) }

    /// The claims of the running processes except `own`; with `cleaning` (default: false) it removes the entries of
    /// dead ones.
    ///
    /// A process that cannot be checked counts as running, and may pin everything.
    static func all(in folder: FilePath, except own: FilePath? = nil, cleaning: Bool = false) -> [StoreClaims] {
        let entries: [FilePath]
        do { entries = try FileSystem.entries(of: folder).map { folder.appending($0) } } catch {
            return error.errno == .noSuchFileOrDirectory ? [] : [StoreClaims(process: 0, mayPinAll: true)]
        }
        return entries.filter { $0 != own }.compactMap { path in
            guard FileLock.isHeld(path) else {
                if cleaning { try? FileSystem.remove(path) }
                return nil
            }
            return claims(in: path)
        }
    }

    private static func claims(in path: FilePath) -> StoreClaims {
        if let claims: StoreClaims = FileSystem.note(at: path, limit: 16 << 20), claims.version == 1 { return claims }
        return StoreClaims(process: path.stem.flatMap { Int($0) } ?? 0, mayPinAll: true)
    }
}
