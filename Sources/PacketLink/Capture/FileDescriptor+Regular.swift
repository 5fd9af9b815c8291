import Glibc
import SystemPackage

extension FileDescriptor {
    /// Whether it is a file with bytes of its own, and no pipe, device or folder.
    var isRegularFile: Bool {
        var status = Glibc.stat()
        return unsafe Glibc.fstat(rawValue, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    }
}
