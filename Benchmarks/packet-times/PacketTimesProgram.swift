import ArgumentParser
import LinkModel
import Scenarios
import SystemPackage

/// Times downloads by the kernel's TCP over packet links, for the tests of the stream model.
@main
struct PacketTimesProgram: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "packet-times",
        abstract: "Time downloads by real TCP over packet links, each in a sandbox of its own.",
        discussion: """
            Prints a row of least, quartiles and most for each profile and size, as Tests/LinkModelTests/packet-times.json holds them:

              swift build && .build/debug/packet-times > Tests/LinkModelTests/packet-times.json
            """)

    @Option(help: "The folder of the profiles.") var profiles = "profiles"
    @Option(help: "Bytes of the downloads.") var bytes = [50_000, 500_000, 5_000_000]
    @Option(help: "Attempts of each row, each with a seed of its own, from 1 on.") var attempts = 5
    @Option(help: "Attempts where the profile loses packets.") var lossy = 15
    @Option(help: "Leave out what takes longer at best, in seconds.") var seconds = 110.0
    @Option(help: "Sandboxes at once, of links below 5 Mbit/s; an eighth of it at once above.") var jobs = 48
    @Flag(help: "Print every attempt on stderr.") var each = false
    @Argument(help: "Profiles (default: all that carry something, with a delay, and are the same over time).")
    var names: [String] = []

    func run() async throws {
        let library = ProfileLibrary(folder: FilePath(profiles))
        let all = try library.all().filter { names.isEmpty ? $0.isSteady : names.contains($0.name) }
        var slow: [Trial] = []
        var fast: [Trial] = []
        for profile in all {
            for bytes in bytes where profile.leastSeconds(bytes) <= seconds {
                let count = profile.isLossy ? lossy : attempts
                let trials = (1...count).map { Trial(profile: profile, bytes: bytes, seed: UInt64($0)) }
                if profile.megabits > 5 { fast += trials } else { slow += trials }
            }
        }
        let times = await Trial.run(slow, jobs: jobs) + Trial.run(fast, jobs: max(1, jobs / 8))
        let results = Array(zip(slow + fast, times))
        for (trial, times) in results where each || times == nil {
            let text = times.map { "\($0.firstByte) \($0.complete) \($0.longestGap)" } ?? "not in time"
            try FileDescriptor.standardError.writeAll(
                "\(trial.profile.name) \(trial.bytes) \(trial.seed) \(text)\n".utf8)
        }
        print(Table(results.map { ($0, $1) }).json)
    }
}

extension Profile {
    /// Whether packets get through, conditions never change, and packets are delayed.
    fileprivate var isSteady: Bool {
        conditions.offline == nil && conditions.rtt > .zero && changes.isEmpty && stall == nil && downlinkTrace == nil
            && uplinkTrace == nil
            && Direction.allCases.allSatisfy { conditions[$0].loss?.share ?? 0 < 1 }
    }

    fileprivate var isLossy: Bool { Direction.allCases.contains { conditions[$0].loss != nil } }

    fileprivate var megabits: Double { Double(conditions.downlink.rate?.bitsPerSecond ?? 1 << 40) / 1e6 }

    /// A lower bound of a download's seconds: rate and four round trips, or Reno under losses.
    ///
    /// Reno's time is that of RFC 5348 §3.1, without timeouts.
    fileprivate func leastSeconds(_ bytes: Int) -> Double {
        let segments = Double(bytes) / 1448
        let atRate = segments * 1500 * 8 / megabits / 1e6 + 4 * conditions.rtt.seconds
        let share = conditions.downlink.loss?.share ?? 0
        return max(atRate, segments * conditions.rtt.seconds * (2 * share / 3).squareRoot())
    }
}

extension Loss {
    fileprivate var share: Double {
        switch self {
        case .random(let ratio): Double(ratio.partsPerBillion) / 1e9
        case .gilbertElliott(let model): model.badShare * Double(model.lossInBad.partsPerBillion) / 1e9
        }
    }
}
