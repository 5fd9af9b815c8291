import Glibc
import SystemPackage

/// A file that is locked by flock(2): the kernel frees it whatever happens to its owner.
struct FileLock: ~Copyable, Sendable {
    /// Who else may have the lock.
    enum Kind: CInt {
        case shared = 1  // LOCK_SH
        case exclusive = 2  // LOCK_EX
    }

    let file: FileDescriptor

    /// Opens the file, and makes it if there is none; it is not locked yet.
    init(_ path: FilePath) throws(StoreError) {
        do {
            file = try FileDescriptor.open(
                path,
                .readWrite,
                options: [.create, .closeOnExec, .noFollow],
                permissions: [.ownerReadWrite, .groupRead, .otherRead]
            )
        } catch {
            throw StoreError("open", path, error as? Errno)
        }
    }

    deinit {
        // Unlocked by hand: a child that was just forked may still share the descriptor, and with it the lock.
        unlock()
        try? file.close()
    }

    /// Takes the lock, or changes its kind, if that is possible at once; says whether it was.
    func tryLock(_ kind: Kind) -> Bool {
        flock(file.rawValue, kind.rawValue | LOCK_NB) == 0
    }

    /// Takes the lock, or changes its kind, once others let it.
    func lock(_ kind: Kind) {
        while flock(file.rawValue, kind.rawValue) != 0 {
            // Besides a signal only a kernel without memory for locks is left: then nobody has one.
            if Errno(rawValue: Glibc.errno) != .interrupted { return }
        }
    }

    /// Gives the lock back.
    func unlock() { _ = flock(file.rawValue, LOCK_UN) }

    /// Whether somebody else has an exclusive lock on the file now; false where there is no file.
    static func isHeld(_ path: FilePath, against kind: Kind = .shared) -> Bool {
        guard let file = try? FileDescriptor.open(path, .readOnly, options: [.closeOnExec]) else { return false }
        defer { try? file.close() }
        // Closing gives a lock that was to be had back at once.
        return flock(file.rawValue, kind.rawValue | LOCK_NB) != 0
    }
}
