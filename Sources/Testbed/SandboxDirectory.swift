import CLinux
import Glibc
package import SystemPackage

/// A directory of a sandbox, in its own memory file system.
package struct SandboxDirectory: Sendable {
    /// Its path for programs in the sandbox.
    package let inside: FilePath
    /// What it is found by from outside.
    ///
    /// Valid, and the directory with it, until the scope of the sandbox ends, also if the sandbox has died.
    package let descriptor: FileDescriptor

    /// Its path for this process: through `descriptor`, so that nothing is mounted outside.
    package var outside: FilePath { FilePath("/proc/self/fd/\(descriptor.rawValue)") }

    /// Opens what a program in the sandbox has left at a path in it, for reading: never something elsewhere, to which a link
    /// of the program's may lead.
    package func open(_ path: FilePath) throws(Errno) -> FileDescriptor {
        let opened = unsafe path.withPlatformString { unsafe headwind_open_beneath(descriptor.rawValue, $0) }
        guard opened >= 0 else { throw Errno(rawValue: errno) }
        return FileDescriptor(rawValue: opened)
    }
}
