import CLinux
import Glibc
import SystemPackage

/// A directory for what a run makes, which does not outlive the run.
///
/// Its owner holds a lock on it (flock(2)), which the kernel releases when the owner dies. So whoever gets the lock
/// knows that the owner is dead, also across pid namespaces, and without doubt about process numbers that were used
/// again. The marker is made under the lock and removed last: what has a marker and no lock is left from a dead run.
struct ScratchDirectory: ~Copyable {
    let path: FilePath
    /// Open as long as the directory lives, because it carries the lock.
    private let descriptor: FileDescriptor

    /// Makes a directory that only this user may enter, under a name that is free.
    static func make(in parent: FilePath, prefix: String) throws(ScratchError) -> ScratchDirectory {
        // A name may be in use, and a sweep may take the directory away in the moment before it is locked.
        var problem = Errno.fileExists
        for _ in 0..<16 {
            do {
                return try make(at: parent.appending(prefix + randomName()))
            } catch .fileExists {
                problem = .fileExists
            } catch .noSuchFileOrDirectory {
                problem = .noSuchFileOrDirectory
            } catch {
                throw .notMade(parent: parent, error)
            }
        }
        throw .notMade(parent: parent, problem)
    }

    /// Makes, locks and marks a directory.
    private static func make(at path: FilePath) throws(Errno) -> ScratchDirectory {
        guard unsafe path.withPlatformString({ unsafe mkdir($0, S_IRWXU) }) == 0 else { throw Errno(rawValue: errno) }
        let descriptor = try open(path)
        do {
            try descriptor.lock(waiting: true)
            try writeMarker(in: path)
        } catch {
            try? descriptor.close()
            _ = unsafe path.withPlatformString { unsafe rmdir($0) }
            throw error
        }
        return ScratchDirectory(path: path, descriptor: descriptor)
    }

    /// Takes over a directory whose owner is dead; `nil` where it lives, or where it is nobody's scratch directory.
    static func abandoned(at path: FilePath) -> ScratchDirectory? {
        let opened = unsafe path.withPlatformString { unsafe headwind_scratch_open($0) }
        guard opened >= 0 else { return nil }
        let descriptor = FileDescriptor(rawValue: opened)
        guard (try? descriptor.lock(waiting: false)) != nil else {
            try? descriptor.close()
            return nil
        }
        return ScratchDirectory(path: path, descriptor: descriptor)
    }

    /// Removes an empty directory whose maker died before it had marked it.
    ///
    /// Should it live, it makes another one.
    static func removeUnmarked(at path: FilePath) -> Bool {
        guard let descriptor = try? open(path) else { return false }
        defer { try? descriptor.close() }
        var status = stat()
        guard unsafe fstat(descriptor.rawValue, &status) == 0, status.st_uid == geteuid(),
            (try? descriptor.lock(waiting: false)) != nil
        else { return false }
        return unsafe path.withPlatformString { unsafe rmdir($0) } == 0
    }

    /// Removes the directory with everything in it.
    ///
    /// Nothing that a link or a mount point in it leads to is touched.
    consuming func remove() throws(ScratchError) {
        let result = unsafe path.withPlatformString { unsafe headwind_scratch_remove(descriptor.rawValue, $0) }
        let error = Errno(rawValue: errno)
        try? descriptor.close()
        guard result == 0 else { throw .notRemoved(path: path, error) }
    }

    /// Opens a directory that is no link.
    private static func open(_ path: FilePath) throws(Errno) -> FileDescriptor {
        do {
            return try .open(path, .readOnly, options: [.directory, .noFollow, .closeOnExec])
        } catch {
            throw error as? Errno ?? .ioError
        }
    }

    /// The marker says who made the directory, for people.
    ///
    /// What counts is that it is there.
    private static func writeMarker(in path: FilePath) throws(Errno) {
        do {
            let marker = try FileDescriptor.open(
                path.appending(HEADWIND_SCRATCH_MARKER), .writeOnly,
                options: [.create, .exclusiveCreate, .noFollow, .closeOnExec], permissions: .ownerReadWrite)
            try marker.closeAfter {
                _ = try marker.writeAll("Made by process \(getpid()); to be removed with the directory.\n".utf8)
            }
        } catch {
            throw error as? Errno ?? .ioError
        }
    }

    /// Whether a directory of this name can have been made here.
    static func isName(_ name: String, prefix: String) -> Bool {
        let rest = name.dropFirst(prefix.count)
        return name.hasPrefix(prefix) && rest.count == 13
            && rest.allSatisfy { $0.isASCII && ($0.isLowercase || $0.isNumber) }
    }

    /// Thirteen digits to the base of 36.
    ///
    /// Not of a run's seed: two runs with the same seed must not meet here.
    private static func randomName() -> String {
        let number = String(UInt64.random(in: .min ... .max), radix: 36)
        return String(repeating: "0", count: 13 - number.count) + number
    }
}
