import CLinux
import Glibc
import SystemPackage

/// What is under /proc/sys: the sandbox makes settings of its networks there, and the programs in it can only read.
///
/// Root's programs could else change those of the whole machine, which belong to root and need no capability.
enum SystemSettings {
    private static let folder = FilePath("/proc/sys")

    /// The folder as it is below ``protect()``: `nil` before that, and where it cannot be opened.
    // Unsafe, because a variable of a type is anybody's: this program has one thread, and mounts are the process's as well.
    nonisolated(unsafe) private static var writable: FileDescriptor?

    /// Has everybody else read only, in the mounts of this process.
    ///
    /// Called once, by its only thread, when /proc is there. Answers why it cannot be so.
    static func protect() -> Errno? {
        unsafe writable = try? FileDescriptor.open(folder, .readOnly, options: [.directory, .closeOnExec])
        guard unsafe headwind_mount(folder.string, folder.string, nil, MountFlags.bind, nil) == 0,
            unsafe headwind_mount_read_only(folder.string) == 0
        else { return Errno(rawValue: errno) }
        return nil
    }

    /// Makes a setting, whose name is its path below /proc/sys: `net/ipv4/ip_forward`.
    static func write(_ value: String, to name: String) throws {
        let directory = unsafe writable?.rawValue ?? AT_FDCWD
        let path = directory == AT_FDCWD ? folder.pushing(FilePath(name)).string : name
        let number = unsafe openat(directory, path, O_WRONLY | O_CLOEXEC)
        guard number >= 0 else { throw Errno(rawValue: errno) }
        let file = FileDescriptor(rawValue: number)
        try file.closeAfter { _ = try file.writeAll(value.utf8) }
    }
}
