import LinkModel
import SystemPackage

/// What a kind of offline does over a backend, as the table of docs/reference/offline.md says it.
struct OfflineRow: Sendable {
    var kind: OfflineKind
    var backend: Backend
    var connect: String
    /// What the client's recv(2) on an open connection comes to, and the host's.
    var clientReceives: String
    var hostReceives: String
    var returns: String
    var lookUp: String
    var datagram: String

    /// As Markdown has it.
    var line: String {
        let sandboxes = [
            "`\(kind.rawValue)`", backend.name, connect, clientReceives, hostReceives, returns, lookUp, datagram,
        ]
        return "| " + sandboxes.joined(separator: " | ") + " |"
    }

    /// The name of a system's error.
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
