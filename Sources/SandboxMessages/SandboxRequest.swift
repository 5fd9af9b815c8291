/// A line from the harness to the sandbox.
///
/// Exactly one of its parts is there.
package struct SandboxRequest: Codable, Equatable, Sendable {
    /// What the sandbox is to be; the first line.
    package struct Configure: Codable, Equatable, Sendable {
        /// Absent for packets.
        package var link: SandboxLinkKind?
        package var mtu: Int
        package var queueLength: Int
        package var congestionControl: String
        package var initialWindow: Int
        /// Least, initial and largest buffer of a connection, in bytes.
        ///
        /// See tcp(7), tcp_rmem and tcp_wmem.
        package var receiveBuffers: [Int]
        package var sendBuffers: [Int]
        package var names: [String]
        /// What the names have of IPv4, and of IPv6.
        package var ipv4Names: SandboxNameAddress
        package var ipv6Names: SandboxNameAddress
        /// How this machine's networks are reached; absent where they are not.
        package var outside: SandboxOutside?
        /// In bytes; absent for half of the memory, which is what the kernel takes.
        package var scratchSize: Int64?
        /// In bytes; absent for no device storage.
        package var storageSize: Int64?

        package init(
            mtu: Int, queueLength: Int, congestionControl: String, initialWindow: Int, receiveBuffers: [Int],
            sendBuffers: [Int], names: [String], ipv4Names: SandboxNameAddress, ipv6Names: SandboxNameAddress,
            outside: SandboxOutside?, scratchSize: Int64?, storageSize: Int64?, link: SandboxLinkKind? = nil
        ) {
            self.link = link
            self.mtu = mtu
            self.queueLength = queueLength
            self.congestionControl = congestionControl
            self.initialWindow = initialWindow
            self.receiveBuffers = receiveBuffers
            self.sendBuffers = sendBuffers
            self.names = names
            (self.ipv4Names, self.ipv6Names) = (ipv4Names, ipv6Names)
            self.outside = outside
            self.scratchSize = scratchSize
            self.storageSize = storageSize
        }
    }

    /// A socket to be made: bound, if it has a port; listening, if it has a backlog.
    package struct Socket: Codable, Equatable, Sendable {
        package var namespace: SandboxNamespace
        /// 4 or 6.
        package var family: Int
        package var isStream: Bool
        /// 0 for one that is free.
        package var port: UInt16?
        package var backlog: Int32?
        /// Whether it is bound to the loopback address alone; absent for no.
        package var isLoopback: Bool?
        /// The one address that it is bound to, 4 or 16 bytes, which need not be the network's own; absent for all.
        ///
        /// See ip(7), IP_TRANSPARENT.
        package var address: [UInt8]?

        package init(
            namespace: SandboxNamespace, family: Int, isStream: Bool, port: UInt16?, backlog: Int32?,
            isLoopback: Bool? = nil, address: [UInt8]? = nil
        ) {
            self.isLoopback = isLoopback
            self.address = address
            self.namespace = namespace
            self.family = family
            self.isStream = isStream
            self.port = port
            self.backlog = backlog
        }
    }

    /// A program to be started.
    ///
    /// Its descriptors go with the line, in the order of `numbers`.
    package struct Spawn: Codable, Equatable, Sendable {
        package var namespace: SandboxNamespace
        package var arguments: [String]
        /// As `NAME=VALUE`.
        package var environment: [String]
        package var directory: String?
        /// Under which numbers the program finds the descriptors.
        package var numbers: [Int32]
        /// The number of its controlling terminal.
        package var terminal: Int32?
        /// Whether it begins with all signals blocked; absent for no.
        package var blocksSignals: Bool?

        package init(
            namespace: SandboxNamespace, arguments: [String], environment: [String], directory: String?,
            numbers: [Int32],
            terminal: Int32?, blocksSignals: Bool?
        ) {
            self.namespace = namespace
            self.arguments = arguments
            self.environment = environment
            self.directory = directory
            self.numbers = numbers
            self.terminal = terminal
            self.blocksSignals = blocksSignals
        }
    }

    /// The host's network is to lead on to this machine's, through an interface that a program outside has made there.
    package struct Attach: Codable, Equatable, Sendable {
        /// Nil where none leads outside: then connections alone do, which the harness carries.
        package var interface: String?
        package var hasIPv4: Bool
        package var hasIPv6: Bool

        package init(interface: String?, hasIPv4: Bool, hasIPv6: Bool) {
            self.interface = interface
            self.hasIPv4 = hasIPv4
            self.hasIPv6 = hasIPv6
        }
    }

    /// TCP to an address and a port elsewhere is to end in the host's network.
    package struct Admit: Codable, Equatable, Sendable {
        /// 4 or 16 bytes.
        package var address: [UInt8]
        package var port: UInt16

        package init(address: [UInt8], port: UInt16) {
            self.address = address
            self.port = port
        }
    }

    /// A socket is to be opened by which a network is configured; see rtnetlink(7).
    package struct Route: Codable, Equatable, Sendable {
        package var namespace: SandboxNamespace

        package init(namespace: SandboxNamespace) {
            self.namespace = namespace
        }
    }

    package var v = SandboxProtocol.version
    /// By which the answer is told from others; 0 is the first line's.
    package var id: Int
    /// How many descriptors go with the line.
    package var descriptors = 0
    package var configure: Configure?
    package var socket: Socket?
    package var spawn: Spawn?
    package var attach: Attach?
    package var admit: Admit?
    package var route: Route?

    package init(
        id: Int, configure: Configure? = nil, socket: Socket? = nil, spawn: Spawn? = nil, attach: Attach? = nil,
        admit: Admit? = nil, route: Route? = nil
    ) {
        self.id = id
        self.configure = configure
        self.socket = socket
        self.spawn = spawn
        self.attach = attach
        self.admit = admit
        self.route = route
        descriptors = spawn?.numbers.count ?? 0
    }
}

/// One of the three networks of a sandbox: client – router – host.
package enum SandboxNamespace: String, Codable, Sendable, CaseIterable {
    /// Where clients run; its default route is the link.
    case client
    /// Between the two; where the sandbox's own programs are.
    case router
    /// Where the host listens, and the resolver.
    case host
}

/// How the networks of a sandbox are joined to the link.
package enum SandboxLinkKind: String, Codable, Sendable, CaseIterable {
    /// A TUN in the client's network and one in the host's; the program that reads and writes them is the link.
    case packets
    /// Cables from both to the router, which forwards packets; the queues of its two interfaces are the link.
    case router
}

/// The two interfaces of a sandbox's router.
package enum SandboxRouter {
    /// By which packets leave to the client.
    package static let toClient = "client0"
    /// By which packets leave to the host.
    package static let toHost = "host0"
}

/// Where programs in a sandbox find the networks of this machine.
package struct SandboxOutside: Codable, Equatable, Sendable {
    /// The name of this machine's own loopback, as it is in the sandbox's hosts file.
    package var hostName: String
    /// Its IPv4 address, which is the gateway of the host's network too.
    package var address: String
    /// What answers for the resolver of this machine.
    package var nameServer: String
    /// Names that no resolver is asked for, and their addresses; absent for none.
    package var resolved: [String: String]?
    /// Whether this machine's loopback is the client's too: what the client sends to 127.0.0.0/8 crosses the link.
    ///
    /// Absent for no.
    package var leadsLoopback: Bool?

    package init(
        hostName: String, address: String, nameServer: String, resolved: [String: String]? = nil,
        leadsLoopback: Bool? = nil
    ) {
        (self.resolved, self.leadsLoopback) = (resolved, leadsLoopback)
        self.hostName = hostName
        self.address = address
        self.nameServer = nameServer
    }
}
