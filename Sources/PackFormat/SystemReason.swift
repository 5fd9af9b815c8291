import FoundationEssentials
import SystemPackage

extension Error {
    /// What the system said, in its own few words: `No such file or directory`.
    ///
    /// An error of Foundation describes itself with its domain, its code and its dictionary; underneath is the number that
    /// the system gave.
    package var systemReason: String {
        if let posix = self as? POSIXError { return Errno(rawValue: posix.code.rawValue).description }
        guard let cocoa = self as? CocoaError else { return "\(self)" }
        return cocoa.underlying?.systemReason ?? "error \(cocoa.code.rawValue) of Foundation"
    }
}
