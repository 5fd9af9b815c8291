import Results
import Scenarios
import Testing

@testable import Harness
@testable import Links

/// A silent network gives the same error over every backend and for every patience.
///
/// That holds also if the resolver gives up before the client does.
@Suite(.sideBySide, .serialized, .timeLimit(.minutes(3)))
struct SilentNetworkTests {
    /// Patience in seconds: less than the 10 s that a resolver waits, and more.
    private static let patience = [2, 12]

    @Test func silenceIsMinus1001AndTakesAllPatience() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for backend in [LinkBackend.packet, .kernel, .proxy] {
                for seconds in Self.patience {
                    group.addTask { try await Self.silence(backend, seconds) }
                }
            }
            try await group.waitForAll()
        }
    }

    private static func silence(_ backend: LinkBackend, _ seconds: Int) async throws {
        let result = try await run(
            backend,
            """
            patience: \(seconds) s
            deadline: 60 s
            faults: [{after: start, link: silent}]
            expect: {error: {domain: NSURLErrorDomain, code: -1001, class: network, within: \(seconds + 2) s}}
            """)
        #expect(result.exitCode == 0, "\(backend), \(seconds) s: \(result.text)")
        let time = result.cells[0].attempts.first?.requests.first?.seconds ?? 0
        #expect(time > Double(seconds) - 0.5, "\(backend), \(seconds) s: \(time)")
    }

    /// A name that was resolved before is connected to, and an open connection is used again.
    @Test(arguments: [LinkBackend.packet, .kernel, .proxy])
    func anEarlierLookupChangesNothing(backend: LinkBackend) async throws {
        let result = try await Self.run(
            backend,
            """
            workload:
              - request: {id: first, tags: [level.bin]}
              - sleep: 1 s
              - request: {id: second, tags: [other.bin]}
            patience: 2 s
            deadline: 60 s
            faults: [{after: 600 ms, link: silent}]
            expect:
              first: available
              second: {error: {domain: NSURLErrorDomain, code: -1001, class: network}}
            """)
        #expect(result.exitCode == 0, "\(backend): \(result.text)")
    }

    @Test(arguments: [LinkBackend.packet, .proxy])
    func aNameThatDoesNotExistIsMinus1003AtOnce(backend: LinkBackend) async throws {
        let result = try await Self.run(
            backend,
            """
            patience: 20 s
            deadline: 60 s
            faults: [{after: start, link: no-name}]
            expect: {error: {domain: NSURLErrorDomain, code: -1003, class: network, within: 3 s}}
            """)
        #expect(result.exitCode == 0, "\(backend): \(result.text)")
    }

    private static func run(_ backend: LinkBackend, _ text: String) async throws -> RunResult {
        let bench = try Bench(packs: ["level.bin": 20_000, "other.bin": 20_000])
        let link = "link: {downlink: {rate: 20 Mbit/s}, uplink: {rate: 20 Mbit/s}}\n"
        var run = try bench.prepare(link + text)
        run.backend = backend
        return try await run.perform()
    }
}
