import ArgumentParser
import Glibc
import LinkModel
import SandboxMessages
import Testbed

/// Measures round trips during a download, over the same queue in a router and in the packet link.
struct Load: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Round trips under load, by the kernel's queues and by packets over the same link.")

    @Option(help: "The rate of both directions, in bits per second.") var rate: Int64 = 4_000_000
    @Option(help: "Packets that the queue holds.") var queue = 85
    @Option(help: "Seconds of a round.") var seconds = 10.0
    @Option(help: "Rounds of each, in turn.") var rounds = 3

    func run() async throws {
        let conditions = Conditions(rate: BitRate(bitsPerSecond: rate), queue: .packets(queue))
        var medians: [Ground: [Double]] = [:]
        for _ in 0..<rounds {
            for ground in Ground.allCases {
                let times = try await roundTrips(over: ground, .both(conditions)).sorted()
                medians[ground, default: []].append(times.isEmpty ? .nan : times[times.count / 2])
            }
        }
        let middle = medians.mapValues { $0.sorted()[$0.count / 2] }
        let (kernel, packet) = (middle[.kernel] ?? .nan, middle[.packet] ?? .nan)
        say(
            #"{"rate":\#(rate),"queue":\#(queue),"kernel_ms":\#(rounded(kernel)),"packet_ms":\#(rounded(packet)),"#
                + #""off_percent":\#(rounded((kernel / packet - 1) * 100))}"#)
    }

    private func roundTrips(over ground: Ground, _ profile: Profile) async throws -> [Double] {
        let seconds = seconds
        return try await ground.with(profile) { sandbox, _ in
            let listener = PlainEnd(try await sandbox.listen(on: .host, port: 8080).descriptor)
            let client = PlainEnd(try await sandbox.socket(on: .client, .tcp).descriptor)
            let echo = PlainEnd(try await sandbox.socket(on: .host, .udp, port: 7).descriptor, patience: .seconds(2))
            let ping = PlainEnd(try await sandbox.socket(on: .client, .udp).descriptor, patience: .seconds(1))
            defer { for end in [listener, client, ping, echo] { end.close() } }
            let end = ContinuousClock.now + .seconds(seconds)
            let echoing = Task.onThread { echo.echo() }
            try client.connect(to: SandboxAddresses.hostIPv4, port: 8080)
            let host = try listener.accept()
            let sending = Task.onThread {
                let bytes = [UInt8](repeating: 1, count: 65_536)
                while ContinuousClock.now < end, host.send(bytes) {}
                shutdown(host.descriptor.rawValue, Int32(SHUT_RDWR))
            }
            let receiving = Task.onThread {
                var room = [UInt8](repeating: 0, count: 65_536)
                while client.receive(&room) != nil {}
            }
            try ping.connect(to: SandboxAddresses.hostIPv4, port: 7)
            let times = await Task.onThread { RoundTrips.measure(ping, until: end, settling: .seconds(seconds / 4)) }
                .value
            await sending.value
            host.close()
            await receiving.value
            await echoing.value
            return times
        }
    }
}
