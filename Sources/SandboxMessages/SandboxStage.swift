package import SystemPackage

/// The operation that failed, as in `SandboxReply.Failure.stage`.
package enum SandboxStage: String, Sendable, CaseIterable {
    // Operations of the harness.
    case clone
    case maps
    // Operations of the C programs that start headwind-sandbox.
    case descriptors
    case executeInit = "execute-init"
    case executeSandbox = "execute-sandbox"
    // Operations while the sandbox comes up.
    case protocolVersion = "protocol"
    case privileges
    case scratch
    case storage
    case network
    case netlink
    case tunOpen = "tun-open"
    case tunAttach = "tun-attach"
    case cable
    case watch
    case link
    case address
    case route
    case resolver
    // Operations for a request.
    case socket
    case bind
    case listen
    case fork
    case enterNetwork = "enter-network"
    case numbers
    case terminal
    case directory
    case drop
    case execute
    case attach
    case forwarding
}

extension SandboxReply.Failure {
    package init(_ stage: SandboxStage, _ error: Errno, detail: String? = nil) {
        self.init(stage: stage.rawValue, code: error.rawValue, detail: detail)
    }

    package var error: Errno { Errno(rawValue: code) }
}
