import ArgumentParser
import Glibc
import LinkModel
import SandboxMessages
import Scenarios
import SystemPackage
import Testbed

/// Measures how much longer a round trip takes over a profile than over the same profile without delays.
struct RoundTrips: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rtt",
        abstract: "Round trips over profiles, less those of the same profile without delay; needs netem.")

    @Option(help: "The folder of the profiles.") var profiles = "profiles"
    @Option(help: "Bits per second of the fastest profiles.") var fastest: Int64 = 10_000_000
    @Option(help: "Echoes of each.") var echoes = 20
    @Option(help: "Profiles at once.") var jobs = 2
    @Argument(help: "Profiles (default: all steady ones with a delay).") var names: [String] = []

    func run() async throws {
        let all = try ProfileLibrary(folder: FilePath(profiles)).all()
        let fit = all.filter { names.isEmpty ? isFit($0) : names.contains($0.name) }
        // Nearly all of it is waiting.
        try await withThrowingDiscardingTaskGroup { group in
            for lane in 0..<jobs {
                group.addTask {
                    for index in stride(from: lane, to: fit.count, by: jobs) { try await measure(fit[index]) }
                }
            }
        }
    }

    /// Prints the shortest round trips, which describe the link, and the medians, which depend more on the machine.
    private func measure(_ profile: Profile) async throws {
        var plain = profile
        plain.conditions.downlink.delay = .zero
        plain.conditions.uplink.delay = .zero
        let (with, without) = (try await times(profile), try await times(plain))
        guard let least = with.first, let leastPlain = without.first else {
            return say(#"{"profile":"\#(profile.name)","answers":0}"#)
        }
        let set = profile.conditions.rtt / .milliseconds(1)
        let median = with[with.count / 2] - without[without.count / 2]
        say(
            #"{"profile":"\#(profile.name)","set_ms":\#(rounded(set)),"measured_ms":\#(rounded(least - leastPlain)),"#
                + #""off_ms":\#(rounded(least - leastPlain - set)),"median_off_ms":\#(rounded(median - set))}"#)
    }

    private func isFit(_ profile: Profile) -> Bool {
        let conditions = profile.conditions
        let rates = Direction.allCases.map { conditions[$0].rate?.bitsPerSecond ?? 0 }
        return profile.changes.isEmpty && profile.stall == nil && conditions.offline == nil && conditions.rtt > .zero
            && rates.allSatisfy { (1...fastest).contains($0) }
            && Direction.allCases.allSatisfy { conditions[$0].jitter == nil && profile.trace($0) == nil }
    }

    /// Milliseconds of round trips, in ascending order.
    private func times(_ profile: Profile) async throws -> [Double] {
        let (echoes, rtt) = (echoes, profile.conditions.rtt)
        return try await Ground.kernel.with(profile) { sandbox, _ in
            let echo = PlainEnd(
                try await sandbox.socket(on: .host, .udp, port: 7).descriptor, patience: rtt * 4 + .seconds(4))
            let ping = PlainEnd(try await sandbox.socket(on: .client, .udp).descriptor, patience: rtt + .seconds(1))
            defer { for end in [ping, echo] { end.close() } }
            let echoing = Task.onThread { echo.echo() }
            try ping.connect(to: SandboxAddresses.hostIPv4, port: 7)
            let times = await Task.onThread { Self.measure(ping, count: echoes) }.value.sorted()
            // An empty datagram ends the echo. Ten are sent, so that one gets through.
            for _ in 0..<10 { ping.send([]) }
            await echoing.value
            return times
        }
    }

    /// Milliseconds of round trips, one after the other.
    static func measure(
        _ ping: PlainEnd, count: Int = .max, until end: ContinuousClock.Instant? = nil, settling: Duration = .zero
    ) -> [Double] {
        var times: [Double] = []
        var room = [UInt8](repeating: 0, count: 64)
        let start = ContinuousClock.now
        var number = 0
        while number < count, end.map({ ContinuousClock.now < $0 }) ?? true {
            let sent = ContinuousClock.now
            ping.send([UInt8(truncatingIfNeeded: number >> 8), UInt8(truncatingIfNeeded: number)])
            number += 1
            // Skips a late answer to an earlier ping.
            guard let size = ping.receive(&room), size == 2, Int(room[0]) << 8 | Int(room[1]) == (number - 1) & 0xffff
            else { continue }
            if sent - start >= settling { times.append((.now - sent) / .milliseconds(1)) }
            usleep(20_000)
        }
        return times
    }
}
