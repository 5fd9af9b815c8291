import Glibc
import SystemPackage

extension FileDescriptor {
    /// Whether it is a file with bytes of its own, and no pipe, device or folder.
    var isRegularFile: Bool { kind == S_IFREG }

    /// Whether it is a device that takes byte after byte.
    var isCharacterDevice: Bool { kind == S_IFCHR }

    private var kind: mode_t? {
        var status = Glibc.stat()
        return unsafe Glibc.fstat(rawValue, &status) == 0 ? status.st_mode & S_IFMT : nil
    }
}
