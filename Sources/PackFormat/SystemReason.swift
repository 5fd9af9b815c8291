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
        return "error \(cocoa.code.rawValue) of Foundation"
    }
}
