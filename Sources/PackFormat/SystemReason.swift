import FoundationEssentials
import Glibc
package import SystemPackage

extension Error {
    /// The system's error number, also from inside an error of Foundation; nil if there is none.
    package var systemErrno: Errno? {
        switch self {
        case let error as Errno: error
        case let error as POSIXError: Errno(rawValue: error.code.rawValue)
        case let error as CocoaError: error.underlying?.systemErrno
        default: nil
        }
    }

    /// The system's short description of the error, such as `No such file or directory`.
    ///
    /// An error of Foundation would describe itself with its domain, its code and its dictionary, so the error number
    /// inside it is described instead. If a file exceeds a limit of this process, the text has the limit and how to
    /// raise it.
    package var systemReason: String {
        if systemErrno == .fileTooLarge, let limit = Errno.fileSizeLimit {
            return "\(Errno.fileTooLarge): this process may write files of at most \(limit) bytes. "
                + "Raise the limit with 'ulimit -f unlimited'"
        }
        if let systemErrno { return "\(systemErrno)" }
        guard let cocoa = self as? CocoaError else { return "\(self)" }
        if cocoa.code == .fileWriteOutOfSpace { return Errno.noSpace.description }
        return "Foundation error \(cocoa.code.rawValue)"
    }

    /// Whether there is no space for more bytes; see ``SystemPackage/Errno/isNoRoom``.
    package var isNoSpace: Bool {
        systemErrno?.isNoRoom == true || (self as? CocoaError)?.code == .fileWriteOutOfSpace
            || (self as? PackFormatError)?.isFullFileSystem == true
    }
}

extension Errno {
    /// Whether there is no space for more bytes: on the file system (ENOSPC), for this user (EDQUOT), or in a file of
    /// this process (EFBIG).
    package var isNoRoom: Bool { [.noSpace, .diskQuotaExceeded, .fileTooLarge].contains(self) }

    /// The most bytes that a file of this process may have; nil if there is no such limit.
    ///
    /// See setrlimit(2), RLIMIT_FSIZE.
    package static var fileSizeLimit: Int64? {
        var limit = rlimit()
        guard unsafe getrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) == 0, limit.rlim_cur != rlim_t.max
        else { return nil }
        return Int64(clamping: limit.rlim_cur)
    }
}
