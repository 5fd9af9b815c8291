import LinkModel
import Results
import Scenarios
import SystemPackage
import Testing

@testable import Harness

/// Scenarios of the bundled suite over the kernel's queues with netem, under Scripts/netem-test.
@Suite(.serialized, .needsNetemTest, .timeLimit(.minutes(3)))
struct KernelRunUnderNetem {
    @Test(arguments: [("pack-missing", "delay 50ms"), ("offline-midway", "delay 100ms")])
    func bundledScenariosPass(name: String, delay: String) async throws {
        let view = RouterView()
        let scenarios = try ScenarioLoader(profiles: Bench.profiles).load(
            Bench.root.appending("scenarios/\(name).yaml"))
        var run = Run(
            scenarios: scenarios, programs: Bench.programs, toolVersion: "1", commandLine: ["headwind", "run"])
        run.dependencies = view.dependencies(.quiet)
        run.backend = .kernel
        let result = try await run.perform()
        // Times depend on the machine there, which has one processor, and may share it.
        let expectations = result.cells[0].checks.filter { $0.kind != .budget }
        #expect(!expectations.isEmpty && expectations.allSatisfy { $0.verdict == .pass }, "\(result.text)")
        let troubles: Set<Attribution> = [
            .linkDied, .linkBypassed, .fasterThanIdeal, .harnessFailed, .bytesDisagree, .cellDied, .faultNotPlayed,
        ]
        #expect(result.attributions.isDisjoint(with: troubles), "\(result.text)")
        #expect(result.cells[0].link.backend == "kernel")
        let shown = try #require(view.texts.last)
        for part in ["qdisc tbf 1: dev client0 root", "qdisc netem 2: dev client0 parent 1:1", delay] {
            #expect(shown.contains(part), "\(part) in \(shown)")
        }
    }

    /// The loss is counted and compared with the set one.
    ///
    /// It cannot be replayed, and a note says so.
    @Test func lossIsMeasured() async throws {
        let bench = try Bench()
        let link = "{rate: 4 Mbit/s, delay: 10 ms, loss: 3 %}"
        var run = try bench.prepare(
            "link: {downlink: \(link), uplink: {rate: 4 Mbit/s, delay: 10 ms}}\nbudgets: {redundant_bytes: max <= 0}")
        run.backend = .kernel
        let result = try await run.perform()
        #expect(result.exitCode == 0, "\(result.text)")
        let attempt = try #require(result.cells[0].attempts.first)
        let loss = try #require(attempt.link.first { $0.property == .loss && $0.direction == .downlink })
        #expect(loss.isWithinTolerance == true, "\(loss)")
        #expect(attempt.schedule == nil)
        #expect(result.cells[0].notes.contains { $0.contains("no bundle") }, "\(result.cells[0].notes)")
    }
}
