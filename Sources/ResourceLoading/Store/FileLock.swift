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
    private let path: FilePath

    /// Opens the file, and makes it if there is none; it is not locked yet.
    init(_ path: FilePath) throws(StoreError) {
        self.path = path
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

    /// Opens a file that somebody else writes; nil where there is none, or none that may be read.
    init?(looking path: FilePath) {
        self.path = path
        guard let file = try? FileDescriptor.open(path, .readOnly, options: [.closeOnExec, .noFollow, .nonBlocking])
        else { return nil }
        self.file = file
    }

    deinit {
        // Unlocked by hand: a child that was just forked may still share the descriptor, and with it the lock.
        unlock()
        try? file.close()
    }

    /// Whether the file is still the one of its name: somebody may have removed it before it was locked.
    var isCurrent: Bool { FileSystem.status(of: path)?.identity == FileSystem.identity(of: file) }

    /// Takes the lock, or changes its kind, if that is possible at once; says whether it was.
    ///
    /// Throws where the system cannot lock: no process has the lock then.
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

    /// Takes the lock, or changes its kind, once others let it.
    func lock(_ kind: Kind) {
        while flock(file.rawValue, kind.rawValue) != 0 {
            // Besides a signal only a kernel without memory for locks is left: then no process has one.
            if Errno(rawValue: Glibc.errno) != .interrupted { return }
        }
    }

    /// Gives the lock back.
    func unlock() { _ = flock(file.rawValue, LOCK_UN) }

    /// Whether somebody else may have an exclusive lock on the file now: false only where that is known, or where there
    /// is no file.
    static func isHeld(_ path: FilePath, against kind: Kind = .shared) -> Bool {
        do {
            let file = try FileDescriptor.open(path, .readOnly, options: [.closeOnExec, .nonBlocking])
            defer { try? file.close() }
            // Closing gives a lock that was to be had back at once.
            return flock(file.rawValue, kind.rawValue | LOCK_NB) != 0
        } catch {
            // A process without a descriptor left, say, cannot know that another is dead.
            return error as? Errno != .noSuchFileOrDirectory
        }
    }
}
