import Foundation
import Results

@testable import Harness

/// A scenario that a command with a bug fails, and a command without it passes.
struct Detection: Sendable {
    /// The bug of the client, which the scenario must show.
    var bug: String
    /// The packs, with their sizes in bytes.
    var packs = ["level.bin": 200_000]
    /// The scenario, without the lines that ``Bench`` adds, and without the workload.
    var scenario: String
    var call = Call()
    /// Names of checks or findings, at least one of which must fail.
    var breaks: Set<String>

    /// How a command is called, apart from the client's own options.
    struct Call: Sendable {
        /// Patience in seconds without a sign of life.
        var patience = 1.0
        /// An address to request through the proxy, instead of the pack's address on the link.
        var proxied: String?
        /// Whether the command calls the client twice.
        var isTwice = false
        /// How often the client is started, as a scenario's word.
        var starts = "once"
        /// Whether it gets credentials for the host.
        var hasCredentials = false
        /// Whether it gets the authority to trust.
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

    /// The same with later deadlines for failures, for clients that count their patience in whole seconds.
    var forSlowOnes: Detection {
        var slow = self
        slow.scenario = scenario.replacing("within 3 s", with: "within 20 s").replacing("6500 ms", with: "10 s")
        return slow
    }

    /// Runs the scenario with a client.
    func run(_ client: Client) async throws -> RunResult {
        let bench = try Bench(packs: packs.filter { $0.value <= 1_000_000 })
        for (name, size) in packs where size > 1_000_000 {
            // The block repeats, as generating all bytes would take a minute.
            var data = Data()
            let block = Bench.content(1_000_000)
            while data.count < size { data.append(contentsOf: block) }
            try bench.write("packs/\(name)", data)
        }
        return try await bench.run(text(client))
    }
}
