import ArgumentParser
import CellMessages
import Glibc
import LinkModel
import Scenarios
import SystemPackage
import Testbed

/// How much later an answer comes over a profile's delays than over the same profile without them.
struct RoundTrips: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rtt",
        abstract: "Round trips over profiles, less those of the same profile without delay; needs netem.")

    @Option(help: "The folder of the profiles.") var profiles = "profiles"
    @Option(help: "Bits per second of the fastest profiles.") var fastest: Int64 = 10_000_000
    @Option(help: "Echoes of each.") var echoes = 20
    @Argument(help: "Profiles (default: all steady ones with a delay).") var names: [String] = []

    func run() async throws {
        let all = try ProfileLibrary(folder: FilePath(profiles)).all()
        for profile in all where names.isEmpty ? isFit(profile) : names.contains(profile.name) {
            var plain = profile
            plain.conditions.downlink.delay = .zero
            plain.conditions.uplink.delay = .zero
            let (with, without) = (try await median(profile), try await median(plain))
            let set = profile.conditions.rtt / .milliseconds(1)
            print(
                #"{"profile":"\#(profile.name)","set_ms":\#(rounded(set)),"measured_ms":\#(rounded(with - without)),"#
                    + #""off_ms":\#(rounded(with - without - set))}"#)
        }
    }

    private func isFit(_ profile: Profile) -> Bool {
        let conditions = profile.conditions
        let rates = Direction.allCases.map { conditions[$0].rate?.bitsPerSecond ?? 0 }
        return profile.changes.isEmpty && profile.stall == nil && conditions.offline == nil && conditions.rtt > .zero
            && rates.allSatisfy { (1...fastest).contains($0) }
            && Direction.allCases.allSatisfy { conditions[$0].jitter == nil && profile.trace($0) == nil }
    }

    private func median(_ profile: Profile) async throws -> Double {
        let (echoes, rtt) = (echoes, profile.conditions.rtt)
        return try await Ground.kernel.with(profile) { cell, _ in
            let echo = PlainEnd(try await cell.socket(on: .host, .udp, port: 7).descriptor, patience: .seconds(4))
            let ping = PlainEnd(try await cell.socket(on: .client, .udp).descriptor, patience: rtt + .seconds(1))
            defer { for end in [ping, echo] { end.close() } }
            let echoing = Task.onThread { echo.echo() }
            try ping.connect(to: CellAddresses.hostIPv4, port: 7)
            let times = await Task.onThread { Self.measure(ping, count: echoes) }.value.sorted()
            await echoing.value
            return times.isEmpty ? .nan : times[times.count / 2]
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
            // An answer to an earlier one came too late for it.
            guard let size = ping.receive(&room), size == 2, Int(room[0]) << 8 | Int(room[1]) == (number - 1) & 0xffff
            else { continue }
            if sent - start >= settling { times.append((.now - sent) / .milliseconds(1)) }
            usleep(20_000)
        }
        return times
    }
}
