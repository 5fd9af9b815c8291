/// A line from the harness to the sandbox.
///
/// Exactly one of its parts is present.
package struct SandboxRequest: Codable, Equatable, Sendable {
    /// The configuration of the sandbox, which is the first line.
    package struct Configure: Codable, Equatable, Sendable {
        /// The kind of link; absent for `packets`.
        package var link: SandboxLinkKind?
        package var mtu: Int
        package var queueLength: Int
        package var congestionControl: String
        package var initialWindow: Int
        /// The smallest, initial and largest buffer of a connection, in bytes.
        ///
        /// See tcp(7), tcp_rmem and tcp_wmem.
        package var receiveBuffers: [Int]
        package var sendBuffers: [Int]
        package var names: [String]
        /// The address of the names in IPv4, and in IPv6.
        package var ipv4Names: SandboxNameAddress
        package var ipv6Names: SandboxNameAddress
        /// How programs reach this machine's networks; absent if they do not.
        package var outside: SandboxOutside?
        /// The size of the scratch directory in bytes; absent for half of the memory, the kernel's default.
        package var scratchSize: Int64?
        /// The size of the device storage in bytes; absent for none.
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

    /// Makes a socket: bound if it has a port, listening if it has a backlog.
    package struct Socket: Codable, Equatable, Sendable {
        package var namespace: SandboxNamespace
        /// The version of IP: 4 or 6.
        package var family: Int
        package var isStream: Bool
        /// The port; 0 for any free one.
        package var port: UInt16?
        package var backlog: Int32?
        /// Whether it is bound to the loopback address alone; absent for false.
        package var isLoopback: Bool?
        /// The address that it is bound to, 4 or 16 bytes, which need not belong to the network; absent for all.
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

    /// Starts a program.
    ///
    /// Its descriptors come with the line, in the order of `numbers`.
    package struct Spawn: Codable, Equatable, Sendable {
        package var namespace: SandboxNamespace
        package var arguments: [String]
        /// The environment, each variable as `NAME=VALUE`.
        package var environment: [String]
        package var directory: String?
        /// The numbers that the descriptors have in the program.
        package var numbers: [Int32]
        /// The descriptor number of its controlling terminal; absent for none.
        package var terminal: Int32?
        /// Whether it starts with all signals blocked; absent for false.
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

    /// Routes the host's network to this machine's, through an interface that a program outside has made there.
    package struct Attach: Codable, Equatable, Sendable {
        /// The name of the interface; nil if there is none, and the harness carries connections to the outside.
        package var interface: String?
        package var hasIPv4: Bool
        package var hasIPv6: Bool

        package init(interface: String?, hasIPv4: Bool, hasIPv6: Bool) {
            self.interface = interface
            self.hasIPv4 = hasIPv4
            self.hasIPv6 = hasIPv6
        }
    }

    /// Lets TCP to an address and a port elsewhere end in the host's network.
    package struct Admit: Codable, Equatable, Sendable {
        /// The address: 4 or 16 bytes.
        package var address: [UInt8]
        package var port: UInt16

        package init(address: [UInt8], port: UInt16) {
            self.address = address
            self.port = port
        }
    }

    /// Opens a socket by which a network is configured; see rtnetlink(7).
    package struct Route: Codable, Equatable, Sendable {
        package var namespace: SandboxNamespace

        package init(namespace: SandboxNamespace) {
            self.namespace = namespace
        }
    }

    package var v = SandboxProtocol.version
    /// The number by which the answer refers to this request; 0 for the first line.
    package var id: Int
    /// How many descriptors come with the line.
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
    /// The network of clients; its default route is the link.
    case client
    /// The network between the two, where the sandbox's own programs run.
    case router
    /// The network where the host and the resolver listen.
    case host
}

/// How the networks of a sandbox are connected to the link.
package enum SandboxLinkKind: String, Codable, Sendable, CaseIterable {
    /// A TUN in the client's network and one in the host's; the program that reads and writes them is the link.
    case packets
    /// Cables from both networks to the router, which forwards packets; the queues of its two interfaces are the link.
    case router
}

/// The two interfaces of a sandbox's router.
package enum SandboxRouter {
    /// The interface by which packets leave to the client.
    package static let toClient = "client0"
    /// The interface by which packets leave to the host.
    package static let toHost = "host0"
}

/// The names and addresses by which programs in a sandbox reach this machine's networks.
package struct SandboxOutside: Codable, Equatable, Sendable {
    /// The name of this machine's loopback in the sandbox's hosts file.
    package var hostName: String
    /// The IPv4 address of that name, which is also the gateway of the host's network.
    package var address: String
    /// The address that answers for the resolver of this machine.
    package var nameServer: String
    /// The addresses of names that are not resolved; absent for none.
    package var resolved: [String: String]?
    /// Whether the client's 127.0.0.0/8 is this machine's loopback, reached over the link.
    ///
    /// Absent for false.
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
