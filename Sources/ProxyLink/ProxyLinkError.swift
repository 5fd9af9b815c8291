internal import Glibc
internal import LinkModel
internal import NIOCore

/// The errors of a ``ProxyLink``.
package enum ProxyLinkError: LinkError, Sendable, Hashable {
    /// It could not listen at an address; with the system's message and error number, see errno(3).
    case listen(Endpoint, String, code: Int32? = nil)
    /// The link has been taken down.
    case closed

    /// The error for an address at which it could not listen, made from an error of SwiftNIO.
    static func listening(at endpoint: Endpoint, _ error: any Error) -> ProxyLinkError {
        guard let code = (error as? IOError)?.errnoCode else { return .listen(endpoint, "\(error)") }
        return .listen(endpoint, String(cString: strerror(code)), code: code)
    }

    package var description: String {
        switch self {
        case .listen(let endpoint, let reason, _):
            "Could not listen at \(endpoint): \(reason). Choose an address of this machine and a free port, or port 0."
        case .closed:
            "Could not reach the link: it has been taken down."
        }
    }
}
