import LinkModel
package import NIOCore
import NIOPosix
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
    /// The event loops (default: those of the process).
    package var group: any EventLoopGroup = MultiThreadedEventLoopGroup.singleton

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
