package import NIOCore
import NIOPosix
package import PackFormat
package import SystemPackage

/// What a host serves, where, and how badly.
package struct HostConfiguration: Sendable {
    /// What is served.
    package var site: Site
    /// Where connections come from; by default a free port of 127.0.0.1.
    package var listener: Listener = .address("127.0.0.1", port: 0)
    /// Where more of them come from, such as other ports, or the other version of the Internet Protocol; none by default.
    package var moreListeners: [Listener] = []
    /// Another name of the host for each at which it is asked, for redirects to another host.
    ///
    /// Where there is none, such a redirect takes no part. By default two that the loopback has.
    package var otherNames = ["127.0.0.1": "localhost", "localhost": "127.0.0.1"]
    /// Another port of the host for each at which it is asked, for redirects to another port.
    ///
    /// Where there is none, such a redirect takes no part. By default there is none; see ``PackHost/lead(from:to:)``.
    package var otherPorts: [Int: Int] = [:]
    /// What goes wrong, in order: where several faults concern one response, each does its part, and of those that
    /// replace the response (status, redirect, body) the first one stands.
    package var faults: [HostFault] = []
    /// Tags that are sold: their packs are refused to who does not show that one of them was bought; none by default.
    package var soldTags: Set<String> = []
    /// What clients are granted.
    package var limits = HostLimits()
    /// The value of the field `Headwind-Run` on every response, so that a server left over from another run is noticed;
    /// by default 128 random bits.
    package var nonce: String
    /// Handlers between the socket and HTTP, first the one at the socket; nil, the default, means plain HTTP.
    package var security: Security?
    /// The event loops; by default the process's own.
    package var group: any EventLoopGroup = MultiThreadedEventLoopGroup.singleton

    /// A plain host of `site` on a free port of 127.0.0.1.
    package init(site: Site) {
        self.site = site
        var generator = SystemRandomNumberGenerator()
        nonce = [generator.next(), generator.next()].map { (part: UInt64) in
            let digits = String(part, radix: 16)
            return String(repeating: "0", count: 16 - digits.count) + digits
        }.joined()
    }
}

extension HostConfiguration {
    /// Where a host's connections come from.
    package enum Listener: Hashable, Sendable {
        /// A socket that is bound to this numeric address; port 0 asks for a free one.
        case address(String, port: Int)
        /// A bound stream socket. The host owns it from here on, and closes it also where it cannot be started.
        case socket(SystemPackage.FileDescriptor)
    }

    /// What stands between sockets and HTTP: usually TLS.
    package struct Security: Sendable {
        /// The scheme of the host's URL.
        package var scheme: String
        /// Whether TLS offers HTTP/2.
        package var offersHTTP2: Bool
        /// Makes the handlers of one connection, called on its event loop; a connection for which it throws is closed.
        package var makeHandlers: @Sendable () throws -> [any ChannelHandler]

        /// Security for URLs that begin with `scheme`.
        package init(
            scheme: String = "https", offersHTTP2: Bool = false,
            makeHandlers: @escaping @Sendable () throws -> [any ChannelHandler]
        ) {
            self.scheme = scheme
            self.offersHTTP2 = offersHTTP2
            self.makeHandlers = makeHandlers
        }
    }
}
