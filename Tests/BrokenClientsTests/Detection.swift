import Foundation
import Results

@testable import Harness

/// A scenario that a command with a bug fails, and one without passes.
struct Detection: Sendable {
    /// What the client has, and the scenario is to show.
    var bug: String
    /// Packs and their sizes.
    var packs = ["level.bin": 200_000]
    /// The scenario, but for what ``Bench`` adds, and for the workload of a command.
    var scenario: String
    var call = Call()
    /// What breaks, of which one has to: names of checks, or of findings.
    var breaks: Set<String>

    /// How a command is called, besides the client's own words.
    struct Call: Sendable {
        /// Seconds without a sign of life.
        var patience = 1.0
        /// An address instead of that of the pack's through the link, which leads there by the proxy.
        var proxied: String?
        /// Whether the client is called a second time.
        var isTwice = false
        /// How often it is started, by a scenario's word.
        var starts = "once"
        /// Whether it is given credentials for the host.
        var hasCredentials = false
        /// Whether it is told whom to trust.
        var hasAuthority = false
    }

    /// The whole scenario for a client.
    func text(_ client: Client) -> String {
        let words = client.words(call)
        let scenario = "patience: \(call.patience) s\n" + scenario
        if call.isTwice {
            let line = words.map { $0.hasPrefix("{") ? $0 : "'\($0)'" }.joined(separator: " ")
            return "workload: {command: \"\(line); \(line)\", pack: level.bin}\n" + scenario
        }
        let list = words.map { "'\($0)'" }.joined(separator: ", ")
        return "workload: {command: [\(list)], pack: level.bin, starts: \(call.starts)}\n" + scenario
    }

    /// The same with more time to say what cannot go well, for who counts its patience in whole seconds.
    var forSlowOnes: Detection {
        var slow = self
        slow.scenario = scenario.replacing("within 3 s", with: "within 20 s").replacing("6500 ms", with: "10 s")
        return slow
    }

    /// What a client comes to.
    func run(_ client: Client) async throws -> RunResult {
        let bench = try Bench(packs: packs.filter { $0.value <= 1_000_000 })
        for (name, size) in packs where size > 1_000_000 {
            // The same over and over, for making it up takes a minute.
            var data = Data()
            let block = Bench.content(1_000_000)
            while data.count < size { data.append(contentsOf: block) }
            try bench.write("packs/\(name)", data)
        }
        return try await bench.run(text(client))
    }
}
