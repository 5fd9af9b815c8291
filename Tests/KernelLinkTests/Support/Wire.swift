import CTestbed
import Glibc
import KernelLink
import LinkModel
import Netlink
import SystemPackage
import Testing

/// A pair of interfaces in this thread's network, and the packets from one to the other.
struct Wire {
    /// Where packets leave, through the queues under test.
    let router: NetworkInterface
    let client: NetworkInterface

    struct Arrival {
        var number: Int
        /// The time since the packet was sent.
        var delay: Duration
        var at: Duration
    }

    init(_ socket: TestSocket) throws {
        try socket.request(VirtualInterface.pair(InterfaceName("router0"), InterfaceName("client0")))
        router = try socket.interface("router0").interface
        client = try socket.interface("client0").interface
        for end in [router, client] { try socket.bringUp(end) }
    }

    /// Sends packets, `gap` apart, and returns those that arrive until `patience` after the last, in their order.
    ///
    /// Each has its number and the time of sending in its last bytes.
    func send(
        _ count: Int, bytes: Int = 1000, gap: Duration = .zero, patience: Duration, head: [UInt8] = Wire.plain,
        between: (Int) throws -> Void = { _ in }
    ) throws -> [Arrival] {
        let receiver = try Self.open(client)
        defer { close(receiver) }
        let sender = try Self.open(router)
        defer { close(sender) }
        var arrivals: [Arrival] = []
        let start = Self.now()
        for number in 0..<count {
            try between(number)
            let due = start + gap * number
            while Self.now() < due { Self.receive(receiver, into: &arrivals, until: due) }
            var frame = head + [UInt8](repeating: 0, count: max(0, 14 + bytes - head.count - Self.tail))
            let time = Self.now() / .nanoseconds(1)
            for value in [Int64(number), Int64(time)] {
                frame += (0..<8).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
            }
            // The kernel reports a full or closed queue to a sender on this machine.
            #expect(Glibc.send(sender, frame, frame.count, 0) == frame.count || errno == ENOBUFS)
        }
        let end = Self.now() + patience
        while Self.now() < end { Self.receive(receiver, into: &arrivals, until: end) }
        return arrivals
    }

    /// Ethernet of a protocol for experiments, broadcast (IEEE 802).
    static let plain: [UInt8] = [UInt8](repeating: 0xff, count: 12) + [0x88, 0xb5]

    /// IPv4 and UDP to a port.
    static func datagram(to port: UInt16) -> [UInt8] {
        ethernet(0x0800) + [0x45, 0, 0, 0, 0, 0, 0, 0, 64, 17, 0, 0, 10, 0, 0, 1, 10, 0, 0, 2] + ports(port)
            + [0, 0, 0, 0]
    }

    /// IPv6 and UDP to a port.
    static func datagram6(to port: UInt16) -> [UInt8] {
        ethernet(0x86dd) + [0x60, 0, 0, 0, 0, 0, 17, 64] + [UInt8](repeating: 1, count: 32) + ports(port) + [
            0, 0, 0, 0,
        ]
    }

    /// IPv4 and TCP to a port, with these flags.
    static func segment(to port: UInt16, flags: UInt8) -> [UInt8] {
        ethernet(0x0800) + [0x45, 0, 0, 0, 0, 0, 0, 0, 64, 6, 0, 0, 10, 0, 0, 1, 10, 0, 0, 2] + ports(port)
            + [0, 0, 0, 0, 0, 0, 0, 0, 0x50, flags, 0, 0, 0, 0, 0, 0]
    }

    private static func ethernet(_ kind: UInt16) -> [UInt8] {
        [UInt8](repeating: 0xff, count: 12) + [UInt8(kind >> 8), UInt8(truncatingIfNeeded: kind)]
    }

    private static func ports(_ port: UInt16) -> [UInt8] {
        [0x80, 0, UInt8(port >> 8), UInt8(truncatingIfNeeded: port)]
    }

    private static let tail = 16

    private static func open(_ interface: NetworkInterface) throws -> Int32 {
        let packets = testbed_open_packets(interface.index)
        try #require(packets >= 0)
        return packets
    }

    /// Takes all frames that have arrived, and waits until `limit` for the first one.
    private static func receive(_ raw: Int32, into arrivals: inout [Arrival], until limit: Duration) {
        var event = pollfd(fd: raw, events: Int16(POLLIN), revents: 0)
        let left = max(0, (limit - now()) / .milliseconds(1))
        guard poll(&event, 1, Int32(left)) > 0 else { return }
        var frame = [UInt8](repeating: 0, count: 65_536)
        while true {
            var stamp = Duration.zero
            let count = receive(raw, &frame, &stamp)
            guard count > tail else { return }
            let values = [0, 8].map { offset in
                (0..<8).reduce(Int64(0)) { $0 | Int64(frame[count - tail + offset + $1]) << ($1 * 8) }
            }
            arrivals.append(Arrival(number: Int(values[0]), delay: stamp - .nanoseconds(values[1]), at: stamp))
        }
    }

    /// Receives one packet, with the kernel's time stamp.
    private static func receive(_ raw: Int32, _ frame: inout [UInt8], _ stamp: inout Duration) -> Int {
        var control = [UInt8](repeating: 0, count: 128)
        let size = frame.count
        return frame.withUnsafeMutableBytes { bytes in
            control.withUnsafeMutableBytes { control in
                var part = iovec(iov_base: bytes.baseAddress, iov_len: size)
                return withUnsafeMutablePointer(to: &part) { part in
                    var message = msghdr()
                    message.msg_iov = part
                    message.msg_iovlen = 1
                    message.msg_control = control.baseAddress
                    message.msg_controllen = control.count
                    let count = recvmsg(raw, &message, Int32(MSG_DONTWAIT))
                    // The head of the first part of the control data has 16 bytes.
                    let time = control.loadUnaligned(fromByteOffset: 16, as: timespec.self)
                    stamp = .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
                    return count
                }
            }
        }
    }

    /// The clock of the kernel's time stamps.
    private static func now() -> Duration {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }
}

/// Opens a link whose downlink leaves by the wire's router end; the uplink leaves by an `ifb`.
func withLink(
    _ profile: Profile, seed: UInt64? = nil, _ body: (KernelLink, Wire, TestSocket) throws -> Void
) throws {
    try withNetwork { socket in
        let wire = try Wire(socket)
        try socket.request(VirtualInterface.intermediate(InterfaceName("host0")))
        let configuration = try KernelLinkConfiguration(
            profile: profile, seed: seed, toClient: "router0", toHost: "host0")
        let link = try KernelLink(configuration, socket: RouteSocket())
        try body(link, wire, socket)
        try link.close()
    }
}
