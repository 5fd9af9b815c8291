import Results

@testable import Harness

/// A scenario that a client with a bug fails, and one without passes.
struct Detection: Sendable {
    /// What the client has, and the scenario is to show.
    var bug: String
    /// Packs and their sizes.
    var packs = ["level.bin": 200_000]
    /// The scenario, but for what ``Bench`` adds, and for the workload of a command.
    var scenario: String
    /// How a command is called; nil for headwind-client's command line.
    var call: Call?
    /// What breaks, of which one has to: names of checks, or of findings.
    var breaks: Set<String>

    /// What stands in the command besides the client's own words.
    struct Call: Sendable {
        /// Seconds without a sign of life.
        var patience = 1.0
        var arguments = ["{url}", "{output}"]
        /// Whether the client is called a second time.
        var isTwice = false
    }

    /// The whole scenario for a client.
    func text(_ client: Client) -> String {
        guard let call else { return scenario }
        let words = client.words + ["--patience", "\(call.patience)", "--events"] + call.arguments
        if call.isTwice {
            let line = words.map { $0.hasPrefix("{") ? $0 : "'\($0)'" }.joined(separator: " ")
            return "workload: {command: \"\(line); \(line)\", pack: level.bin}\n" + scenario
        }
        let list = words.map { "'\($0)'" }.joined(separator: ", ")
        return "workload: {command: [\(list)], pack: level.bin}\n" + scenario
    }

    /// What a client comes to.
    func run(_ client: Client) async throws -> RunResult {
        let bench = try Bench(packs: packs)
        return try await bench.run(
            text(client), programs: call == nil ? client.programs(bench) : Bench.programs)
    }
}
