import Scenarios

/// What puts a link there.
package enum LinkBackend: String, Sendable, CaseIterable {
    /// A loop that moves packets between two networks of a cell.
    case packet
    /// The kernel's own queues, in a router between two networks of a cell.
    case kernel
    /// A proxy that shapes streams.
    case proxy

    /// What its links are like.
    var fidelity: Link.Fidelity { self == .proxy ? .modelled : .packet }

    /// Whether host and client are in networks of a cell.
    var isInSandbox: Bool { self != .proxy }
}

/// What is to put links there whose scenario asks for no fidelity.
package enum BackendChoice: String, Sendable, CaseIterable {
    /// The first of ``LinkBackend`` that can be had here, and can do what the cell asks for.
    case auto
    case packet
    case kernel
    case proxy
}
