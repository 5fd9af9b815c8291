package import SystemPackage

/// Why the store's folder could not be read or changed.
package struct StoreError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What was attempted, as a verb: `write`, `rename`.
    package var operation: String
    /// The file or folder on which it was attempted.
    package var path: FilePath
    /// The system's error; nil if the fault is in what was found.
    package var errno: Errno?
    /// What was found, or what to try.
    package var detail: String

    package init(_ operation: String, _ path: FilePath, _ errno: Errno?, detail: String = "") {
        self.operation = operation
        self.path = path
        self.errno = errno
        self.detail = detail
    }

    /// Whether the file system, or the user's share of it, is full.
    package var isOutOfSpace: Bool { errno == .noSpace || errno == .diskQuotaExceeded }

    package var description: String {
        let cause = errno.map { " \($0.description)." } ?? ""
        return "Could not \(operation) '\(path)':\(cause)\(detail.isEmpty ? "" : " \(detail)")"
    }

    /// This error as the cause of another.
    var underlying: ResourceError.Underlying {
        .init(domain: "NSPOSIXErrorDomain", code: Int(errno?.rawValue ?? 0), message: description)
    }
}
