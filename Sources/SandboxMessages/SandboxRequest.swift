/// A line from the harness to the sandbox.
///
/// Exactly one of its parts is present.
package struct SandboxRequest: Codable, Equatable, Sendable {
    /// The configuration of the sandbox, which is the first line.
    package struct Configure: Codable, Equatable, Sendable {
        /// How the networks are connected to the link; nil (the default) for `packets`.
        package var link: SandboxLinkKind?
        /// The largest packet on the link, in bytes, from 68 to 65535; the default is 1500.
        ///
        /// Below 1280 there is no IPv6 (RFC 8200), and the sandbox has a note about it.
        package var mtu = 1500
        /// How many packets wait for the reader of a TUN before one is dropped; the default is 4096.
        ///
        /// This is not the link's queue, which belongs to the reader. It only bridges moments in which the reader does
        /// not run.
        package var queueLength = 4096
        /// The congestion control of senders in the sandbox that do not choose their own; the default is cubic.
        package var congestionControl = "cubic"
        /// The initial congestion window of a connection, in segments; the default is 10 (RFC 6928).
        package var initialWindow = 10
        /// The smallest, initial and largest receive buffer of a connection, in bytes; see tcp(7), tcp_rmem.
        ///
        /// The default is the kernel's for machines with much memory: 4 KiB, 128 KiB, 6 MiB.
        package var receiveBuffers = [4096, 131_072, 6 << 20]
        /// The same for send buffers, as in tcp_wmem: 4 KiB, 16 KiB, 4 MiB.
        package var sendBuffers = [4096, 16_384, 4 << 20]
        /// The names that resolve to the host's addresses.
        ///
        /// Programs in the sandbox can look up no other names, and only by DNS.
        package var names = ["packs.headwind.internal"]
        /// The IPv4 address of the names; the host's by default.
        package var ipv4Names = SandboxNameAddress.host
        /// The IPv6 address of the names, which most clients try first; the host's by default.
        package var ipv6Names = SandboxNameAddress.host
        /// How programs reach this machine's networks, and look up names as it does; nil (the default): they do not.
        ///
        /// With it, `names` are not used.
        package var outside: SandboxOutside?
        /// The size of the scratch directory, in bytes; nil (the default) is half of the machine's memory.
        package var scratchSize: Int64?
        /// The size of the device storage, in bytes, rounded up to whole pages; nil (the default) is no storage.
        package var storageSize: Int64?

        package init() {}
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

    /// A request with this part; `descriptors` says how many come with its line (default: 0).
    package init<Part>(id: Int, descriptors: Int = 0, _ part: WritableKeyPath<Self, Part?>, _ value: Part) {
        (self.id, self.descriptors) = (id, descriptors)
        self[keyPath: part] = value
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
    package var hostName = "host.headwind.internal"
    /// The IPv4 address of that name, which is also the gateway of the host's network.
    package var address = "10.77.2.1"
    /// The address that answers for the resolver of this machine.
    package var nameServer = "10.77.2.3"
    /// The addresses of names that are resolved without a name server; absent for none.
    package var resolved: [String: String]?
    /// Whether the client's 127.0.0.0/8 is this machine's loopback, reached over the link.
    ///
    /// The client then has no loopback address of its own except `::1`. Absent for false.
    package var leadsLoopback: Bool?

    package init() {}
}

/// The address that the names of a sandbox have, for IPv4 or for IPv6.
package enum SandboxNameAddress: String, Codable, Sendable {
    /// No address.
    case none
    /// The host's address.
    case host
    /// An address that no machine has: packets to it get no answer.
    case silent
}
