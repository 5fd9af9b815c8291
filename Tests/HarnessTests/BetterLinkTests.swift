import LinkModel
import Results
import Testing

@testable import Harness

/// Links that improve on purpose are measured as they were set, and are judged.
@Suite(.serialized, .timeLimit(.minutes(2)))
struct BetterLinkTests {
    private static let slow = "rate: 240 kbit/s, delay: 10 ms"
    private static let fast = "{downlink: {rate: 20 Mbit/s, delay: 10 ms}, uplink: {rate: 20 Mbit/s, delay: 10 ms}}"

    @Test(arguments: [
        "link: {downlink: {\(slow)}, uplink: {\(slow)}, changes: [{at: 500 ms, downlink: {rate: 20 Mbit/s}}]}",
        "link: {downlink: {\(slow)}, uplink: {\(slow)}}\nfaults: [{after: 500 ms, link: ./fast.yaml}]",
        "link: {downlink: {rate: 20 Mbit/s, delay: 10 ms, loss: 9 %}, uplink: {rate: 20 Mbit/s, delay: 10 ms}, "
            + "changes: [{at: 100 ms, downlink: {loss: 0 %}}]}",
    ])
    func areJudged(text: String) async throws {
        let bench = try Bench(packs: ["level.bin": 2_000_000])
        try bench.write(
            "fast.yaml",
            "profile: fast\nsource: a test\n\(Self.fast.dropFirst().dropLast().replacing("}, ", with: "}\n"))\n".utf8)
        let result = try await bench.run(
            text + "\nbudgets: {time_to_available: max <= 20 s}", dependencies: AttemptDependencies.quiet.calibrated)
        #expect(result.exitCode == 0, "\(result.text)")
    }

    /// A link that is faster than every rate that was set is off.
    @Test func areOffIfFasterThanEveryRateThatWasSet() async throws {
        let bench = try Bench(packs: ["level.bin": 400_000])
        var dependencies = AttemptDependencies.link { $0 = Profile(name: "free") }
        dependencies = dependencies.unverified
        let result = try await bench.run(
            "link: {downlink: {\(Self.slow)}, uplink: {\(Self.slow)}, changes: [{at: 500 ms, downlink: {rate: 480 kbit/s}}]}\n"
                + "workload: [{sleep: 10 ms}, {request: {tags: [level.bin]}}]", dependencies: dependencies)
        SabotageTests.expect(result, .rateOff)
    }
}
