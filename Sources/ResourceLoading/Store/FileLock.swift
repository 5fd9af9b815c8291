import Glibc
import SystemPackage

/// A file that is locked by flock(2); the kernel frees the lock however its owner ends.
struct FileLock: ~Copyable, Sendable {
    /// Whether other processes may hold the lock at the same time.
    enum Kind: CInt {
        case shared = 1  // LOCK_SH
        case exclusive = 2  // LOCK_EX
    }

    let file: FileDescriptor
    private let path: FilePath

    /// Opens the file, and creates it if there is none; does not lock it yet.
    init(_ path: FilePath) throws(StoreError) {
        self.path = path
        file = try FileSystem.openOrCreate(path)
    }

    /// Opens a file that another process writes; nil if it does not exist or cannot be read.
    init?(looking path: FilePath) {
        self.path = path
        guard let file = try? FileDescriptor.open(path, .readOnly, options: [.closeOnExec, .noFollow, .nonBlocking])
        else { return nil }
        self.file = file
    }

    deinit {
        // Unlocks explicitly: a child that was just forked may still share the descriptor, and with it the lock.
        unlock()
        try? file.close()
    }

    /// Whether the path still leads to this file; another process may have removed it before it was locked.
    var isCurrent: Bool { FileSystem.status(of: path)?.identity == (try? file.stat())?.identity }

    /// Takes the lock or changes its kind, if that is possible at once; returns whether it was.
    ///
    /// Throws if the system cannot lock: then no process has the lock.
    func tryLock(_ kind: Kind) throws(StoreError) -> Bool {
        while flock(file.rawValue, kind.rawValue | LOCK_NB) != 0 {
            switch Errno(rawValue: Glibc.errno) {
            case .wouldBlock: return false
            case .interrupted: continue
            case let code: throw StoreError("lock", path, code)
            }
        }
        return true
    }

    /// Takes the lock or changes its kind, and waits until other processes allow it.
    func lock(_ kind: Kind) {
        while flock(file.rawValue, kind.rawValue) != 0 {
            // Apart from a signal, flock fails only if the kernel has no memory for locks: then no process has one.
            if Errno(rawValue: Glibc.errno) != .interrupted { return }
        }
    }

    /// Releases the lock.
    func unlock() { _ = flock(file.rawValue, LOCK_UN) }

    /// Whether another process may hold an exclusive lock; false only if none certainly does, or if there is no file.
    static func isHeld(_ path: FilePath) -> Bool {
        do {
            let file = try FileDescriptor.open(path, .readOnly, options: [.closeOnExec, .nonBlocking])
            defer { try? file.close() }
            // If the lock was free, closing the file releases it at once.
            return flock(file.rawValue, LOCK_SH | LOCK_NB) != 0
        } catch {
            // For example, a process that has no descriptor left cannot know whether another one is dead.
            return error as? Errno != .noSuchFileOrDirectory
        }
    }
}
