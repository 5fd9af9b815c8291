import ArgumentParser
import Glibc
import KernelLink
import LinkModel
import Links
import Netlink
import PacketLink
import SandboxMessages
import Testbed

/// Measures the rate on the wire behind `tbf` and `htb`.
///
/// The rate comes from the times at which packets arrive. Above ``fastestForOneReader`` it comes from the kernel's
/// counter at the interface.
struct Rates: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Rates on the wire behind tbf and htb, against those that were set; needs no netem.")

    @Option(help: "Rates in bits per second.") var rates: [Int64] = [
        100_000, 1_000_000, 10_000_000, 100_000_000, 1_000_000_000,
    ]
    @Option(help: "Seconds of each, and ten times as many at 100 kbit/s and below.") var seconds = 3.0

    func run() async throws {
        for kind in ["tbf", "htb"] {
            for rate in rates {
                let bits = BitRate(bitsPerSecond: rate)
                let measured = try await measure(kind, bits)
                let off = (measured / Double(rate) - 1) * 100
                say(
                    #"{"queue":"\#(kind)","set":\#(rate),"measured":\#(rounded(measured)),"off_percent":\#(rounded(off))}"#
                )
            }
        }
    }

    private func measure(_ kind: String, _ rate: BitRate) async throws -> Double {
        var configuration = SandboxConfiguration()
        configuration.link = .router
        return try await withSandbox(configuration) { sandbox in
            if kind == "tbf" {
                let setup = LinkSetup(profile: .both(Self.conditions(rate)))
                return try await KernelBackend().withLink(setup, at: .sandbox(sandbox)) { _, _ in
                    try await self.rate(sandbox, rate)
                }
            }
            let socket = try RouteSocket(adopting: await sandbox.routeSocket(on: .router))
            let interface = try socket.interface(InterfaceName(SandboxRouter.toHost)).interface
            try socket.request(try Self.hierarchy(rate).messages(on: interface))
            return try await self.rate(sandbox, rate)
        }
    }

    /// The conditions for a rate; a fast one gets a queue of 400 packets.
    ///
    /// An empty queue would show the sender's rate, and a fast sender can be some milliseconds late.
    private static func conditions(_ rate: BitRate) -> Conditions {
        let isFast = Double(rate.bitsPerSecond) > fastestForOneReader
        return isFast ? Conditions(rate: rate, queue: .packets(400)) : Conditions(rate: rate)
    }

    /// The most bits per second that a thread can read, one datagram at a time.
    private static let fastestForOneReader = 200e6
    /// How long the queue takes to fill.
    private static let settling = Duration.milliseconds(500)

    private func rate(_ sandbox: Sandbox, _ rate: BitRate) async throws -> Double {
        let bits = Double(rate.bitsPerSecond)
        let isFast = bits > Self.fastestForOneReader
        let length = Duration.seconds(bits <= 100_000 ? seconds * 10 : seconds)
        let flood = try await Flood(from: sandbox, at: rate, isFast: isFast)
        defer { flood.close() }
        let receiver = PlainEnd(try await sandbox.socket(on: .host, .udp, port: 9).descriptor, patience: .seconds(1))
        defer { receiver.close() }
        let end = ContinuousClock.now + Self.settling + length
        let sending = Task.onThread { flood.send(until: end) }
        let measured = isFast ? try await counted(sandbox, length) : await arriving(receiver, until: end)
        await sending.value
        return measured
    }

    /// The bits per second that leave the interface, over `length` less the start and the end.
    ///
    /// The datagrams are not read, so that the processor's time is left to the queue.
    private func counted(_ sandbox: Sandbox, _ length: Duration) async throws -> Double {
        let socket = try RouteSocket(adopting: await sandbox.routeSocket(on: .router))
        let interface = try socket.interface(InterfaceName(SandboxRouter.toHost)).interface
        func count() throws -> (bytes: UInt64, at: ContinuousClock.Instant) {
            let root = try socket.queues(of: interface).first { $0.parent == .root }
            return (root?.counters.bytes ?? 0, .now)
        }
        try await Task.sleep(for: Self.settling)
        let start = try count()
        try await Task.sleep(for: length - .milliseconds(300))
        let end = try count()
        return Double(end.bytes - start.bytes) * 8 / ((end.at - start.at) / .seconds(1))
    }

    /// The bits per second of the packets that arrive once the queue is full.
    private func arriving(_ receiver: PlainEnd, until end: ContinuousClock.Instant) async -> Double {
        let start = ContinuousClock.now + Self.settling
        return await Task.onThread { () -> Double in
            var room = [UInt8](repeating: 0, count: 2048)
            var first: ContinuousClock.Instant?
            var (last, packets) = (ContinuousClock.now, 0)
            while ContinuousClock.now < end, receiver.receive(&room) != nil {
                last = .now
                guard last >= start else { continue }
                if first == nil { first = last } else { packets += 1 }
            }
            guard let first else { return 0 }
            return Double(packets) * 1500 * 8 / ((last - first) / .seconds(1))
        }.value
    }

    /// The queues for a rate with delayed name lookups, without the netem queues that delay them.
    private static func hierarchy(_ rate: BitRate) throws -> EgressPlan {
        let conditions = LinkConditions(uplink: conditions(rate), dnsDelay: .seconds(1))
        var plan = try EgressPlan(conditions, .uplink)
        plan.filters = []
        let netems = plan.queues.filter { if case .netem = $0.discipline { true } else { false } }
        plan.queues = plan.queues.filter { !netems.contains($0) }.map { queue in
            var queue = queue
            if let netem = netems.first(where: { TrafficHandle($0.handle.major, 1) == queue.parent }) {
                queue.parent = netem.parent
            }
            return queue
        }
        return plan
    }
}
