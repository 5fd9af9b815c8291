import FoundationEssentials
package import SystemPackage

extension Error {
    /// The number that the system gave, also underneath an error of Foundation; nil where there is none.
    package var systemErrno: Errno? {
        switch self {
        case let error as Errno: error
        case let error as POSIXError: Errno(rawValue: error.code.rawValue)
        case let error as CocoaError: error.underlying?.systemErrno
        default: nil
        }
    }

    /// What the system said, in its own few words: `No such file or directory`.
    ///
    /// An error of Foundation describes itself with its domain, its code and its dictionary; underneath is the number that
    /// the system gave.
    package var systemReason: String {
        if let systemErrno { return "\(systemErrno)" }
        guard let cocoa = self as? CocoaError else { return "\(self)" }
        if cocoa.code == .fileWriteOutOfSpace { return Errno.noSpace.description }
        return "error \(cocoa.code.rawValue) of Foundation"
    }

    /// Whether this says that a file system has no room left, or none for this user (ENOSPC, EDQUOT).
    package var isNoSpace: Bool {
        switch systemErrno {
        case .noSpace?, .diskQuotaExceeded?: true
        default:
            (self as? CocoaError)?.code == .fileWriteOutOfSpace || (self as? PackFormatError)?.isFullFileSystem == true
        }
    }
}
