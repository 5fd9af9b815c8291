import CLinux
import Glibc
import LinuxSupport
import SystemPackage

/// The settings under /proc/sys: the sandbox writes those of its networks, and the programs in it can only read.
///
/// Otherwise root's programs could change settings of the whole machine: these belong to root, and need no capability.
enum SystemSettings {
    private static let folder = FilePath("/proc/sys")

    /// The writable folder below the mount of ``protect()``: `nil` before that, and if it cannot be opened.
    // A static variable is unsafe with several threads; this program has one. Mounts belong to the process too.
    nonisolated(unsafe) private static var writable: FileDescriptor?

    /// Makes /proc/sys read-only for all other programs, in the mounts of this process.
    ///
    /// Call it once, from the only thread, after /proc is mounted. Returns the error if it fails.
    static func protect() -> Errno? {
        unsafe writable = try? FileDescriptor.open(folder, .readOnly, options: [.directory, .closeOnExec])
        guard unsafe headwind_mount(folder.string, folder.string, nil, MountFlags.bind, nil) == 0,
            unsafe headwind_mount_read_only(folder.string) == 0
        else { return Errno(rawValue: errno) }
        return nil
    }

    /// Writes a setting, whose name is its path below /proc/sys: `net/ipv4/ip_forward`.
    ///
    /// Throws the error of the system.
    static func write(_ value: String, to name: String) throws(Errno) {
        let directory = unsafe writable?.rawValue ?? AT_FDCWD
        let path = directory == AT_FDCWD ? folder.pushing(FilePath(name)).string : name
        let number = unsafe openat(directory, path, O_WRONLY | O_CLOEXEC)
        guard number >= 0 else { throw Errno(rawValue: errno) }
        let file = FileDescriptor(rawValue: number)
        try withErrno { try file.closeAfter { _ = try file.writeAll(value.utf8) } }
    }
}
