import ArgumentParser
import CellMessages
import Glibc
import Harness
import KernelLink
import LinkModel
import Netlink
import PacketLink
import Testbed

/// Which rate the wire has behind `tbf` and `htb`: from the moments at which packets arrive, and above ``fastestForOneReader`` by what the
/// kernel has counted at the interface.
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
        var configuration = CellConfiguration()
        configuration.link = .router
        return try await withCell(configuration) { cell in
            if kind == "tbf" {
                let setup = KernelSetup(profile: .both(Conditions(rate: rate)))
                return try await cell.withKernelSession(setup) { _ in try await self.rate(cell, rate) }
            }
            let socket = try RouteSocket(adopting: await cell.routeSocket(on: .router))
            let interface = try socket.interface(InterfaceName(CellRouter.toHost)).interface
            try socket.request(try Self.hierarchy(rate).messages(on: interface))
            return try await self.rate(cell, rate)
        }
    }

    /// What a thread that takes one datagram at a time keeps up with.
    private static let fastestForOneReader = 200e6

    private func rate(_ cell: Cell, _ rate: BitRate) async throws -> Double {
        guard Double(rate.bitsPerSecond) > Self.fastestForOneReader else { return try await flood(cell, rate) }
        let socket = try RouteSocket(adopting: await cell.routeSocket(on: .router))
        let interface = try socket.interface(InterfaceName(CellRouter.toHost)).interface
        func count() throws -> (bytes: UInt64, at: ContinuousClock.Instant) {
            let root = try socket.queues(of: interface).first { $0.parent == .root }
            return (root?.counters.bytes ?? 0, .now)
        }
        async let flooding = flood(cell, rate)
        try await Task.sleep(for: .milliseconds(700))
        let start = try count()
        try await Task.sleep(for: .seconds(seconds - 0.5))
        let end = try count()
        _ = try await flooding
        return Double(end.bytes - start.bytes) * 8 / ((end.at - start.at) / .seconds(1))
    }

    /// What a rate is compiled to where name lookups are delayed, without the delay.
    private static func hierarchy(_ rate: BitRate) throws -> EgressPlan {
        let conditions = LinkConditions(uplink: Conditions(rate: rate), dnsDelay: .seconds(1))
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

    /// Sends more than the rate to the host, and measures what arrives there once the queue is full.
    private func flood(_ cell: Cell, _ rate: BitRate) async throws -> Double {
        let bits = Double(rate.bitsPerSecond)
        let length = bits <= 100_000 ? seconds * 10 : seconds
        let receiver = PlainEnd(try await cell.socket(on: .host, .udp, port: 9).descriptor, patience: .seconds(1))
        let sender = PlainEnd(try await cell.socket(on: .client, .udp).descriptor)
        defer {
            receiver.close()
            sender.close()
        }
        try sender.connect(to: CellAddresses.hostIPv4, port: 9)
        let isFast = bits > Self.fastestForOneReader
        if isFast { sender.split(into: 1472) }
        let settling = Duration.milliseconds(500)
        let end = ContinuousClock.now + settling + .seconds(length)
        let flood: @Sendable () -> Void = {
            let together = isFast ? 40 : 1
            let payload = [UInt8](repeating: 1, count: 1472 * together)
            // A third more than passes, in pieces of a millisecond or a packet.
            let piece = max(together, Int(bits * 1.33 / 8 / 1500 / 1000))
            let pause = Duration.seconds(Double(piece) * 1500 * 8 / (bits * 1.33))
            var next = ContinuousClock.now
            while ContinuousClock.now < end {
                for _ in 0..<piece / together { sender.send(payload) }
                next += pause
                let left = ContinuousClock.now.duration(to: next).components
                if left.seconds >= 0, left.attoseconds > 0 {
                    var time = timespec(tv_sec: Int(left.seconds), tv_nsec: Int(left.attoseconds / 1_000_000_000))
                    nanosleep(&time, nil)
                }
            }
        }
        let sending = Task.onThread(flood)
        let start = ContinuousClock.now + settling
        let receiving = Task.onThread { () -> Double in
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
        }
        await sending.value
        return await receiving.value
    }
}
