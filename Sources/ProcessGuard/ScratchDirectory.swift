import CLinux
import Glibc
import LinuxSupport
import SystemPackage

/// A directory for the files of a run, which does not outlive the run.
///
/// Every user of it holds a shared lock on it (flock(2)): the harness, the keeper that made it, and the guards whose
/// programs write into it. The kernel releases a lock when its holder dies. So a process that gets the exclusive lock
/// knows that all users are dead, also across PID namespaces, and even if process identifiers were reused. The marker
/// is made under the lock and removed last: a directory with a marker but without a lock is left from a dead run.
struct ScratchDirectory: ~Copyable {
    let path: FilePath
    /// The open directory, which holds the lock.
    private let descriptor: FileDescriptor
    /// The guard that removes it if this process does not; nil for a directory that was taken over.
    let keeper: ScratchKeeper?

    /// Makes a keeper create a directory that only this user may enter, with an unused name.
    ///
    /// Throws `GuardError` if the keeper cannot start, and `ScratchError`.
    static func make(
        in parent: FilePath, prefix: String, program: FilePath
    ) async throws -> ScratchDirectory {
        // The name may be in use, or a sweep may remove the directory just before it is locked.
        var problem = Errno.fileExists
        for _ in 0..<16 {
            do {
                let keeper = try await ScratchKeeper.start(
                    parent.appending(prefix + randomName()), program: program)
                do {
                    return try using(keeper)
                } catch {
                    await keeper.end()
                    throw error
                }
            } catch Errno.fileExists {
                problem = .fileExists
            } catch Errno.noSuchFileOrDirectory {
                problem = .noSuchFileOrDirectory
            } catch let error as Errno {
                throw ScratchError.notMade(parent: parent, error)
            }
        }
        throw ScratchError.notMade(parent: parent, problem)
    }

    /// Opens and locks a directory that a keeper has made.
    private static func using(_ keeper: ScratchKeeper) throws(Errno) -> ScratchDirectory {
        let descriptor = try open(keeper.path)
        do {
            try descriptor.lock(shared: true)
        } catch {
            try? descriptor.close()
            throw error
        }
        return ScratchDirectory(path: keeper.path, descriptor: descriptor, keeper: keeper)
    }

    /// Takes over a directory whose users are dead; `nil` if one lives, or if it is no scratch directory.
    static func abandoned(at path: FilePath) -> ScratchDirectory? {
        let opened = unsafe path.withPlatformString { unsafe headwind_scratch_open($0) }
        guard opened >= 0 else { return nil }
        let descriptor = FileDescriptor(rawValue: opened)
        guard (try? descriptor.lock(shared: false)) != nil else {
            try? descriptor.close()
            return nil
        }
        return ScratchDirectory(path: path, descriptor: descriptor, keeper: nil)
    }

    /// Removes a directory whose users are dead; returns whether it did.
    ///
    /// It touches only a directory of this user that has a marker or is empty.
    static func sweep(_ path: FilePath) -> Bool {
        if let directory = abandoned(at: path) { return (try? directory.remove()) != nil }
        return removeUnmarked(at: path)
    }

    /// Removes an empty directory whose maker died before it made the marker; returns whether it did.
    ///
    /// If the maker is alive, it makes another directory.
    private static func removeUnmarked(at path: FilePath) -> Bool {
        guard let descriptor = try? open(path) else { return false }
        defer { try? descriptor.close() }
        guard let status = try? descriptor.stat(), status.userID.rawValue == geteuid(),
            (try? descriptor.lock(shared: false)) != nil
        else { return false }
        return unsafe path.withPlatformString { unsafe rmdir($0) } == 0
    }

    /// Removes the directory with everything in it.
    ///
    /// It touches nothing behind a link or a mount point in it.
    consuming func remove() throws(ScratchError) {
        let result = unsafe path.withPlatformString { unsafe headwind_scratch_remove(descriptor.rawValue, $0) }
        let error = Errno(rawValue: errno)
        try? descriptor.close()
        guard result == 0 else { throw .notRemoved(path: path, error) }
    }

    /// Opens a directory; throws if it is a symbolic link.
    private static func open(_ path: FilePath) throws(Errno) -> FileDescriptor {
        try withErrno { try FileDescriptor.open(path, .readOnly, options: [.directory, .noFollow, .closeOnExec]) }
    }

    /// Whether a directory name has the form of a scratch directory.
    static func isName(_ name: String, prefix: String) -> Bool {
        let rest = name.dropFirst(prefix.count)
        return name.hasPrefix(prefix) && rest.count == 13
            && rest.allSatisfy { $0.isASCII && ($0.isLowercase || $0.isNumber) }
    }

    /// Thirteen random digits to the base 36.
    ///
    /// They do not come from the run's seed: two runs with one seed must not choose the same name.
    private static func randomName() -> String {
        let number = String(UInt64.random(in: .min ... .max), radix: 36)
        return String(repeating: "0", count: 13 - number.count) + number
    }
}
