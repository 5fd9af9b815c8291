import Results
import Scenarios
import Testing

@testable import Harness

/// An app's life in scenarios, with the real client, host and link: installs, launches, updates, purchases, radios.
@Suite(.sideBySide, .serialized, .timeLimit(.minutes(3)))
struct LifeRunTests {
    static func run(_ text: String, patience: String = "10 s") async throws -> RunResult {
        let bench = try Bench()
        return try await bench.run("catalog: adventure\npatience: \(patience)\n" + text)
    }

    static func value(_ metric: Metric, _ result: RunResult) -> Double? {
        result.cells.first?.attempts.first?.samples[metric].value
    }

    @Test func initialTagsComeWithTheAppAndOthersAfterIt() async throws {
        let result = try await Self.run(
            """
            workload:
              - install
              - launch
              - think: 1 s
              - request: {id: menu, tags: [menu], background: true}
              - use: menu
              - request: {id: one, tags: [level-1, music], background: true}
              - use: one
            budgets: {wait_at_use: max <= 0.2 s, requests: each == 3, wasted_bytes: max <= 0, redundant_bytes: max <= 0}
            expect: {install: available within 5 s, menu: available, one: available}
            """)
        #expect(result.exitCode == 0, "\(result.text)")
        let requests = try #require(result.cells.first?.attempts.first?.requests)
        // A prefetch is not a request.
        #expect(requests.map(\.id) == ["install", "menu", "one"])
        #expect(requests[0].tags == ["menu"])
    }

    @Test func unusedPacksAreWasted() async throws {
        let result = try await Self.run(
            """
            workload:
              - install
              - launch
              - request: {id: four, tags: [level-4]}
              - request: {id: five, tags: [level-5]}
              - use: five
              - think: 1 s
            """)
        #expect(result.exitCode == 0, "\(result.text)")
        // Menu, first level, music, and the fourth level: 300 kB of content, and their archives' heads.
        let wasted = try #require(Self.value(.wastedBytes, result))
        #expect((300_000...312_000).contains(wasted), "\(wasted)")
        #expect(Self.value(.waitAtUse, result) == 0)
    }

    @Test func aWaitIsFromTheUseToTheCallback() async throws {
        let result = try await Self.run(
            """
            link: {downlink: {rate: 800 kbit/s, delay: 10 ms}, uplink: {rate: 800 kbit/s, delay: 10 ms}}
            workload:
              - request: {id: four, tags: [level-4], background: true}
              - think: 400 ms
              - use: four
              - request: {id: five, tags: [level-5], background: true}
              - use: five
            """)
        #expect(result.exitCode == 0, "\(result.text)")
        let seconds = try #require(result.cells.first?.attempts.first?.requests.map { $0.seconds ?? 0 })
        let longest = try #require(Self.value(.waitAtUse, result))
        let total = try #require(Self.value(.waitAtUseTotal, result))
        #expect(abs(longest - seconds[1]) < 0.1, "\(seconds), \(longest)")
        #expect(abs(total - (seconds[0] - 0.4 + seconds[1])) < 0.15, "\(seconds), \(total)")
    }

    @Test func aUseThatNeverGetsItsResourcesExceedsEveryLimit() async throws {
        let result = try await Self.run(
            """
            faults: [{pack: level-4, status: 404}]
            workload: [{request: {id: four, tags: [level-4], background: true}}, {use: four}]
            expect: error -1008
            budgets: {wait_at_use: max <= 60 s}
            """)
        #expect(result.exitCode == 99, "\(result.text)")
        #expect(result.text.contains("wait_at_use"), "\(result.text)")
    }

    @Test func aQuitEndsThePinsAndKeepsTheStore() async throws {
        let result = try await Self.run(
            """
            device: {limits: {base: ios-2015, in-use: 150 kB}}
            workload:
              - request: {id: four, tags: [level-4]}
              - request: {id: too-much, tags: [level-5]}
              - quit
              - launch
              - request: {id: again, tags: [level-4]}
              - end: again
              - request: {id: five, tags: [level-5]}
            expect: {four: available, too-much: error NSCocoaErrorDomain 4993, again: available, five: available}
            budgets: {requests: each == 2}
            """)
        #expect(result.exitCode == 0, "\(result.text)")
    }

    @Test func prefetchingGoesOnAfterAQuit() async throws {
        let result = try await Self.run(
            """
            link: {downlink: {rate: 1 Mbit/s, delay: 10 ms}, uplink: {rate: 1 Mbit/s, delay: 10 ms}}
            workload:
              - install
              - launch
              - think: 300 ms
              - quit
              - sleep: 2500 ms
              - launch
              - request: {id: one, tags: [level-1, music], background: true}
              - use: one
            budgets: {wait_at_use: max <= 0.2 s, redundant_bytes: max <= 64 KiB}
            expect: available
            """)
        #expect(result.exitCode == 0, "\(result.text)")
    }

    @Test func anUpdateFetchesWhatHasChanged() async throws {
        let result = try await Self.run(
            """
            workload:
              - install
              - launch
              - think: 1 s
              - request: {id: two, tags: [level-2]}
              - use: two
              - request: {id: four, tags: [level-4]}
              - use: four
              - think: 1 s
              - quit
              - update: adventure-2
              - launch
              - think: 1 s
              - request: {id: new-two, tags: [level-2]}
              - use: new-two
              - request: {id: same-four, tags: [level-4]}
              - use: same-four
              - request: {id: seven, tags: [level-7]}
              - use: seven
            expect: {update: available, new-two: available, same-four: available, seven: available}
            budgets:
              # Each launch leaves a second for what is prefetched, so that no request makes a download yield and ask twice.
              # Menu, level 1, music, level 2 and its monsters, level 4; then another menu and level 2, and level 7.
              requests: each == 9
              redundant_bytes: max <= 0
            """)
        #expect(result.exitCode == 0, "\(result.text)")
        #expect(result.cells[0].attempts[0].requests.map(\.id).contains("update"))
        // No step used the two menus, level 1 and the music.
        let wasted = try #require(Self.value(.wastedBytes, result))
        #expect((260_000...272_000).contains(wasted), "\(wasted)")
    }

    @Test func anUpdateWaitsUntilTheAppQuits() async throws {
        let result = try await Self.run(
            """
            workload:
              - request: {id: two, tags: [level-2]}
              - update: adventure-2
              - request: {id: two-still, tags: [level-2]}
              - quit
              - launch
              - request: {id: new-two, tags: [level-2]}
            expect: available
            # Level 2 and its monsters, once; the new menu; the new level 2.
            budgets: {requests: each == 4}
            """)
        #expect(result.exitCode == 0, "\(result.text)")
        #expect(
            result.cells[0].attempts[0].requests.map(\.id) == ["two", "two-still", "update", "new-two"])
    }

    // The example of WWDC 2015: 50, 30 and 60 MB of initial install are over the 100 MB of a cellular network.

    @Test(arguments: ["cellular", "wifi"])
    func fiftyThirtyAndSixtyMegabytes(_ radio: String) async throws {
        let isCellular = radio == "cellular"
        let bench = try Bench()
        let result = try await bench.run(
            """
            catalog: three-parts
            device: {radio: \(radio)}
            link: {}
            workload: [install]
            expect: {install: \(isCellular ? "error network NSURLErrorDomain -1020" : "available")}
            budgets: {requests: each == \(isCellular ? 0 : 3), bytes_on_cellular: max <= 0}
            deadline: 100 s
            """)
        #expect([0, 75].contains(result.exitCode), "\(result.text)")
        #expect(result.cells[0].checks.allSatisfy { $0.verdict == .pass }, "\(result.text)")
        #expect(Self.value(.bytesOnWifi, result).map { $0 >= 140_000_000 } == !isCellular, "\(result.text)")
    }

    @Test func aCallOutOfOrderFailsTheCell() async throws {
        let result = try await Self.run(
            "workload: [{request: {id: four, tags: [level-4]}}, {end: four}, {end: four}]\nexpect: available")
        #expect(result.exitCode == 99, "\(result.text)")
        #expect(result.attributions == [.requestMisused], "\(result.text)")
        #expect(result.text.contains("'four': The request was ended twice"), "\(result.text)")
    }
}
