import LinkModel
import SystemPackage

/// The effects of a kind of offline over a backend, as a row of the table in docs/reference/offline.md.
struct OfflineRow: Sendable {
    var kind: OfflineKind
    var backend: Backend
    var connect: String
    /// The result of the client's recv(2) on an open connection; below, the host's.
    var clientReceives: String
    var hostReceives: String
    var returns: String
    var lookUp: String
    var datagram: String

    /// The row in Markdown.
    var line: String {
        let sandboxes = [
            "`\(kind.rawValue)`", backend.name, connect, clientReceives, hostReceives, returns, lookUp, datagram,
        ]
        return "| " + sandboxes.joined(separator: " | ") + " |"
    }

    /// The name of a system error.
    static func name(of error: any Error) -> String {
        switch error as? Errno {
        case .networkUnreachable: "ENETUNREACH"
        case .connectionRefused: "ECONNREFUSED"
        case .connectionReset: "ECONNRESET"
        case .wouldBlock, .nowInProgress: "waits"
        default: "\(error)"
        }
    }
}
