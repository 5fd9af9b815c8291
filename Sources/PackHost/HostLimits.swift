/// What a host grants a client: deadlines, sizes and connections.
///
/// Each deadline counts from the last progress, so a slow link is never mistaken for a dead one. The delay of a
/// fault (a late head, a stall, a drip) is the host's own, and trips no deadline.
package struct HostLimits: Hashable, Sendable {
    /// How long a request's head may take from its first byte to its last; 10 s by default, then status 408.
    package var head: Duration = .seconds(10)
    /// How long a connection may stay open without a request; 60 s by default.
    package var idle: Duration = .seconds(60)
    /// How long a response may go without one byte acknowledged by the client; 60 s by default.
    package var writeStall: Duration = .seconds(60)
    /// How long a connection that the host has ended waits for the client to end it too; 2 s by default.
    package var linger: Duration = .seconds(2)
    /// Bytes of a request's target; 8 KiB by default, beyond it status 414.
    package var targetBytes = 8 << 10
    /// Bytes of all names and values of a request's head; 16 KiB by default, beyond it status 431.
    package var headBytes = 16 << 10
    /// Fields of a request's head; 100 by default, beyond it status 431.
    package var headFields = 100
    /// Connections at a time; 256 by default, 1024 at most.
    ///
    /// Further ones wait in the socket's backlog.
    package var connections = 256

    /// The greatest number of connections that may be granted.
    package static let mostConnections = 1024

    /// The default limits.
    package init() {}
}
