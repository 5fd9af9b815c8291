import LinuxSupport
package import SandboxMessages
package import SystemPackage

/// The configuration of a sandbox.
package struct SandboxConfiguration: Sendable {
    /// The programs that a sandbox consists of.
    package struct Programs: Sendable {
        package var initializer: FilePath
        package var sandbox: FilePath

        package init(initializer: FilePath, sandbox: FilePath) {
            self.initializer = initializer
            self.sandbox = sandbox
        }
    }

    /// Sizes of the buffers of TCP connections, in bytes, as in tcp_rmem and tcp_wmem of tcp(7).
    package struct Buffers: Sendable, Equatable {
        package var least = 4096
        package var initial: Int
        package var largest: Int
    }

    /// How the networks are connected to the link; the default is two TUNs.
    package var link = SandboxLinkKind.packets
    /// The largest packet on the link, in bytes, from 68 to 65535; the default is 1500.
    ///
    /// Below 1280 there is no IPv6 (RFC 8200), and the sandbox has a note about it.
    package var mtu = 1500
    /// How many packets wait for the reader of a TUN before one is dropped; the default is 4096.
    ///
    /// This is not the link's queue, which belongs to the reader. It only bridges moments in which the reader does not
    /// run.
    package var queueLength = 4096
    /// The congestion control of senders in the sandbox that do not choose their own; the default is cubic.
    package var congestionControl = "cubic"
    /// The initial congestion window of a connection, in segments; the default is 10 (RFC 6928).
    package var initialWindow = 10
    /// Receive buffers; the default is the kernel's for machines with much memory: 4 KiB, 128 KiB, 6 MiB.
    package var receiveBuffers = Buffers(initial: 131_072, largest: 6 << 20)
    /// Send buffers; the default is the kernel's for machines with much memory: 4 KiB, 16 KiB, 4 MiB.
    package var sendBuffers = Buffers(initial: 16_384, largest: 4 << 20)
    /// The names that resolve to the host's addresses.
    ///
    /// Programs in the sandbox can look up no other names, and only by DNS.
    package var names: [String] = ["packs.headwind.internal"]
    /// The IPv4 address of the names; the host's by default.
    package var ipv4Names = SandboxNameAddress.host
    /// The IPv6 address of the names, which most clients try first; the host's by default.
    package var ipv6Names = SandboxNameAddress.host
    /// Whether programs look up names as this machine does, and reach it at ``SandboxAddresses/outside``; false by
    /// default.
    ///
    /// ``Sandbox/withOutside(by:within:_:)`` needs it; `names` are then not used.
    package var isOpen = false
    /// The addresses of names that an open sandbox resolves without a name server; none by default.
    package var resolved: [String: String] = [:]
    /// Whether 127.0.0.0/8 is this machine's loopback for the client of an open sandbox, across the link; false by
    /// default.
    ///
    /// The client then has no loopback address of its own except `::1`.
    package var leadsLoopback = false
    /// The size of the scratch directory, in bytes; `nil` (the default) is half of the machine's memory.
    package var scratchSize: Int64?
    /// The size of the device storage, in bytes, rounded up to whole pages; `nil` (the default) is no storage.
    package var storageSize: Int64?
    /// The programs; `nil` (the default) uses those installed with the running program.
    package var programs: Programs?
    /// How long a sandbox may take to start; the default is 10 s.
    package var deadline: Duration = .seconds(10)
    /// How long a sandbox may take to answer, and to report that a program has ended; the default is 30 s.
    ///
    /// A program in it can stop headwind-sandbox; this process must not hang then.
    package var patience: Duration = .seconds(30)

    package init() {}

    /// The configuration as a request to the sandbox.
    var request: SandboxRequest.Configure {
        SandboxRequest.Configure(
            mtu: mtu, queueLength: queueLength, congestionControl: congestionControl, initialWindow: initialWindow,
            receiveBuffers: receiveBuffers.values, sendBuffers: sendBuffers.values, names: names,
            ipv4Names: ipv4Names, ipv6Names: ipv6Names, outside: outside,
            scratchSize: scratchSize,
            storageSize: storageSize, link: link == .packets ? nil : link)
    }

    private var outside: SandboxOutside? {
        guard isOpen else { return nil }
        var outside = SandboxAddresses.outside
        outside.resolved = resolved.isEmpty ? nil : resolved
        outside.leadsLoopback = leadsLoopback ? true : nil
        return outside
    }

    /// Throws `SandboxError.configuration` if a value is not possible, before anything is made.
    func check() throws(SandboxError) {
        let problem: String? =
            switch true {
            case !(68...65535).contains(mtu): "an MTU of \(mtu) bytes is not possible: use 68 to 65535"
            case !(1...1_000_000).contains(queueLength):
                "a TUN queue of \(queueLength) packets is not possible: use 1 to 1000000"
            case !(1...1_000_000).contains(initialWindow):
                "an initial window of \(initialWindow) segments is not possible: use 1 to 1000000"
            case congestionControl.isEmpty || congestionControl.utf8.count > 15 || congestionControl.utf8.contains(0):
                "there is no congestion control '\(congestionControl)': its name has 1 to 15 bytes"
            case !receiveBuffers.isSound: "receive buffers must be positive, and each at least the one before"
            case !sendBuffers.isSound: "send buffers must be positive, and each at least the one before"
            case !(scratchSize ?? 1 > 0): "a scratch directory of \(scratchSize ?? 0) bytes is not possible"
            case !(storageSize ?? 1 > 0): "a device storage of \(storageSize ?? 0) bytes is not possible"
            default:
                (names + resolved.keys.sorted()).first { !Self.isName($0) }.map { "'\($0)' is not a DNS name" }
                    ?? resolved.first { !Self.isWord($0.key + $0.value) }.map {
                        "'\($0.key)' is not allowed in hosts(5)"
                    }
            }
        if let problem { throw .configuration(problem) }
    }

    /// Whether the text can be one word of a line of hosts(5).
    private static func isWord(_ text: String) -> Bool {
        text.utf8.allSatisfy { (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "#") }
    }

    /// Whether the text is a name by RFC 1035: labels of 1 to 63 bytes, at most 253 with their dots.
    private static func isName(_ name: String) -> Bool {
        name.utf8.count <= 253
            && name.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).allSatisfy {
                (1...63).contains($0.count)
            }
    }
}

extension SandboxConfiguration.Buffers {
    fileprivate var values: [Int] { [least, initial, largest] }

    fileprivate var isSound: Bool { least > 0 && least <= initial && initial <= largest && largest <= Int(Int32.max) }
}

extension SandboxConfiguration.Programs {
    /// The programs in the folder of the programs that the running program starts.
    static func besideThisProgram() throws(SandboxError) -> Self {
        do {
            let directory = try RunningProgram.companions
            return Self(
                initializer: directory.appending("headwind-init"), sandbox: directory.appending("headwind-sandbox"))
        } catch {
            throw .noProgram(path: RunningProgram.link, error)
        }
    }
}

/// The addresses of the two ends of the link, the same in every sandbox, except for IPv6 in an open one.
package enum SandboxAddresses {
    package static let clientIPv4 = "10.77.0.2"
    package static let hostIPv4 = "10.77.1.2"
    package static let hostIPv6 = "2001:db8:77:1::2"

    /// The name and addresses of this machine's loopback and resolver in an open sandbox.
    package static let outside = SandboxOutside(
        hostName: "host.headwind.internal", address: "10.77.2.1", nameServer: "10.77.2.3")
}
