import Results
import Testing

@testable import Harness
@testable import Links

/// Storage pressure by the system, with the real client, host and link.
@Suite(.sideBySide, .serialized, .timeLimit(.minutes(2)))
struct PressureRunTests {
    private static func steps(_ pressure: String) -> String {
        """
        catalog: adventure
        device: {capacity: 1 MB}
        workload:
          - request: {id: four, tags: [level-4]}
          - end: four
          - request: {id: five, tags: [level-5]}
          - end: five
          - request: {id: six, tags: [level-6]}
          \(pressure)

        """
    }

    struct Case: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var pressure: String
        var expect: String
        var exitCode: Int32 = 0
        var words: [String] = []
    }

    static let cases = [
        Case(
            testDescription: "while the app runs", pressure: "- fill: 790 kB",
            expect: "{purged: [level-4], kept: [level-5, level-6], notification: low-space, stored: [level-5, level-6]}"
        ),
        Case(
            testDescription: "between launches nobody is told", pressure: "- quit\n  - purge: {free: 100 kB}",
            expect: "{purged: [level-4], kept: [level-5, level-6], notification: none}"),
        Case(
            testDescription: "what was taken between launches is missing in the next one",
            pressure: "- quit\n  - fill: 850 kB\n  - launch\n  - request: {id: back, tags: [level-4]}",
            expect: "{back: error storage 4992, purged: [level-4, level-5], kept: [level-6]}"),
        Case(
            testDescription: "nothing may go",
            pressure: "- purge: {free: 200 kB}\n  - purge: {free: 1 kB}",
            expect: "{purged: [level-4, level-5], kept: [level-6], notification: low-space}"),
        Case(
            testDescription: "another order", pressure: "- purge: {free: 200 kB}",
            expect: "{purged: [level-5, level-4]}", exitCode: 99,
            words: ["purged in this order: 'level-4', 'level-5'"]),
        Case(
            testDescription: "one that is not kept", pressure: "- purge: {free: 1 kB}", expect: "{kept: [level-4]}",
            exitCode: 99, words: ["'level-4' was purged"]),
        Case(
            testDescription: "one that never came", pressure: "- sleep: 1 ms", expect: "{kept: [bonus], purged: none}",
            exitCode: 99, words: ["'bonus' is not stored"]),
    ]

    @Test(arguments: [LinkBackend.packet, .proxy], cases)
    func purgesTheExpectedPacks(backend: LinkBackend, test: Case) async throws {
        let bench = try Bench()
        var run = try bench.prepare(Self.steps(test.pressure) + "expect: \(test.expect)\n")
        run.backend = backend
        let result = try await run.perform()
        #expect(result.exitCode == test.exitCode, "\(result.text)")
        for word in test.words { #expect(result.text.contains(word), "\(result.text)") }
    }
}
