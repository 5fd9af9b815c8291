import Glibc
import SystemPackage

/// The lock that keeps a store to one process: flock(2) on its mark, so that the kernel frees it whatever happens.
struct StoreLock: ~Copyable, Sendable {
    /// What the mark begins with: a folder without it is no store, and is left alone.
    static let title = "headwind store 1\n"

    private let file: FileDescriptor

    /// Locks the store whose mark this is, and writes this process's number into it.
    ///
    /// Throws at once where another process holds it, and where the file is not a store's mark.
    init(mark: FilePath) throws(StoreError) {
        let file = try Self.open(mark)
        do {
            try Self.take(file, mark)
        } catch {
            try? file.close()
            throw error
        }
        self.file = file
    }

    deinit {
        // Unlocked by hand: a child that was just forked may still share the descriptor, and with it the lock.
        _ = flock(file.rawValue, LOCK_UN)
        try? file.close()
    }

    private static func open(_ mark: FilePath) throws(StoreError) -> FileDescriptor {
        do {
            return try FileDescriptor.open(
                mark,
                .readWrite,
                options: [.create, .closeOnExec, .noFollow],
                permissions: [.ownerReadWrite, .groupRead, .otherRead]
            )
        } catch {
            throw StoreError("open", mark, error as? Errno)
        }
    }

    private static func take(_ file: FileDescriptor, _ mark: FilePath) throws(StoreError) {
        guard flock(file.rawValue, LOCK_EX | LOCK_NB) == 0 else {
            let holder = Self.holder(of: mark).map { "Process \($0)" } ?? "Another process"
            let detail = "\(holder) uses this store: end it, or use another folder."
            throw StoreError(
                "lock the store", mark.removingLastComponent(), Errno(rawValue: Glibc.errno), detail: detail)
        }
        do {
            try file.resize(to: 0)
            try file.writeAll(toAbsoluteOffset: 0, "\(title)process \(getpid())\n".utf8)
        } catch {
            throw StoreError("write", mark, error as? Errno)
        }
    }

    /// The process that last locked a store; nil where the mark does not say.
    static func holder(of mark: FilePath) -> Int? {
        guard let bytes = FileSystem.contents(of: mark, limit: 256) else { return nil }
        let text = String(decoding: bytes, as: UTF8.self)
        guard text.hasPrefix(title + "process ") else { return nil }
        return Int(text.dropFirst(title.count + 8).prefix { $0.isNumber })
    }

    /// Whether some process holds the store's lock now.
    static func isHeld(_ mark: FilePath) -> Bool {
        guard let file = try? FileDescriptor.open(mark, .readOnly, options: [.closeOnExec]) else { return false }
        defer { try? file.close() }
        // Closing gives a lock that was to be had back at once.
        return flock(file.rawValue, LOCK_SH | LOCK_NB) != 0
    }
}
