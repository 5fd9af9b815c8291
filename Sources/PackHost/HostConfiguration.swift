import LinkModel
package import NIOCore
package import PackFormat
package import SystemPackage

/// What a host serves, on which addresses, and with which faults.
package struct HostConfiguration: Sendable {
    /// The packs and lists that the host serves.
    package var site: Site
    /// The first address or socket that accepts connections; by default a free port of 127.0.0.1.
    package var listener: Listener = .address("127.0.0.1", port: 0)
    /// Further addresses or sockets, such as other ports, or the other version of the Internet Protocol; none by
    /// default.
    package var moreListeners: [Listener] = []
    /// Another name of the host for each name that clients use, for redirects to another host.
    ///
    /// Without one, such a redirect is skipped. By default `127.0.0.1` and `localhost` stand for each other.
    package var otherNames = ["127.0.0.1": "localhost", "localhost": "127.0.0.1"]
    /// Another port of the host for each port that clients use, for redirects to another port.
    ///
    /// Without one, such a redirect is skipped. By default there are none; see ``PackHost/lead(from:to:)``.
    package var otherPorts: [Int: Int] = [:]
    /// The faults, in order.
    ///
    /// All faults that concern a response take part. Of those that replace the response (status, redirect, portal,
    /// body), the first one wins.
    package var faults: [HostFault] = []
    /// Tags that are sold; none by default.
    ///
    /// A request for one of their packs is refused unless it shows that one of the pack's sold tags was bought.
    package var soldTags: Set<String> = []
    /// The deadlines and sizes that clients are granted.
    package var limits = HostLimits()
    /// The value of the field `Headwind-Run` on every response (default: 128 random bits in hex).
    ///
    /// It shows whether a response comes from a server that is left over from another run.
    package var nonce: String
    /// Handlers between the socket and HTTP, the one next to the socket first; nil, the default, means plain HTTP.
    package var security: Security?

    /// A plain host of `site` on a free port of 127.0.0.1.
    package init(site: Site) {
        self.site = site
        nonce = (0..<2).map { _ in UInt64.random(in: .min ... .max).hexadecimal }.joined()
    }

    /// The source of a host's connections.
    package enum Listener: Hashable, Sendable {
        /// A socket that is bound to this numeric address; port 0 asks for a free one.
        case address(String, port: Int)
        /// A bound stream socket; the host owns it from now on, and closes it even if the host cannot be started.
        case socket(SystemPackage.FileDescriptor)
    }

    /// The layer between sockets and HTTP, usually TLS.
    package struct Security: Sendable {
        /// Whether TLS offers HTTP/2.
        package var offersHTTP2: Bool
        /// Makes the handlers of one connection, on its event loop; if it throws, the connection is closed.
        package var makeHandlers: @Sendable () throws -> [any ChannelHandler]

        /// Security for URLs that begin with `https`.
        package init(offersHTTP2: Bool = false, makeHandlers: @escaping @Sendable () throws -> [any ChannelHandler]) {
            self.offersHTTP2 = offersHTTP2
            self.makeHandlers = makeHandlers
        }
    }
}

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

/// Why a host could not be started.
package enum HostError: Error, Hashable, CustomStringConvertible {
    /// The socket could not be bound or listened on.
    case cannotListen(on: String, Errno)
    /// Two things are served at one path.
    case duplicatePath(String)
    /// A path of the site is no URL path.
    case malformedPath(String)
    /// A scripted fault cannot be played.
    case impossibleFault(String, reason: String)

    package var description: String {
        switch self {
        case .cannotListen(let place, let error):
            "Could not listen on \(place): \(error). Choose another address, or port 0 for a free one."
        case .duplicatePath(let path):
            "Could not serve the site: two of its files have the path '\(path)'. Give each pack its own path."
        case .malformedPath(let path):
            "Could not serve the site: '\(path)' is not a URL path. Begin it with '/' and percent-encode special characters."
        case .impossibleFault(let fault, let reason):
            "Could not play the fault '\(fault)': \(reason)."
        }
    }
}
