import Foundation
import ResultFiles
import Scenarios
import Synchronization
import SystemPackage
import Testing

@testable import Harness
@testable import Links
@testable import Results
@testable import Witness

/// The order in which cells run, are reported and are written, and what happens to cells that were disturbed.
@Suite(.sideBySide, .serialized, .timeLimit(.minutes(2)))
struct SchedulerTests {
    /// The outcome of a cell that passes, or has a finding.
    private static func outcome(_ index: Int, _ finding: Finding? = nil) -> CellOutcome {
        let plan = CellPlan(expectations: [RequestExpectation(.available())], attempts: 1)
        let attempt = AttemptRecord(
            number: 1, seed: Seed(1), requests: [.init(id: "r1", result: .available, seconds: 1)],
            link: [.init(.delay, .downlink, set: 0.1, measured: 0.101, toleranceRatio: 0.05, method: "probe")])
        let result = CellResult(
            scenario: "cell-\(index)", link: LinkFacts(profile: "p", backend: "packet", fidelity: "packet"), plan: plan,
            attempts: [attempt], findings: finding.map { [$0] } ?? [], startedAt: "2026-01-01T00:00:00Z",
            durationSeconds: 1)
        return CellOutcome(result: result, timeline: [], schedules: [:])
    }

    private struct Log {
        var events: [String] = []
        var running = 0
        var most = 0
        var results: [Int: CellResult] = [:]
    }

    /// Runs cells that take a moment each; `trouble` returns the finding of a cell, by its index and whether it runs
    /// alone.
    private func log(
        jobs: Int, count: Int, retries: Bool = false, trouble: @escaping @Sendable (Int, Bool) -> Finding?
    ) async throws -> Log {
        let log = Mutex(Log())
        let order = Array(0..<count)
        let scheduler = CellScheduler(pace: .fixed(jobs), order: order, retriesTrouble: retries) { index, isAlone, _ in
            log.withLock { log in
                log.running += 1
                log.most = max(log.most, log.running)
                if isAlone { log.events.append("alone \(index), \(log.running) running") }
            }
            // Long enough for the others to be started.
            try await Task.sleep(for: .milliseconds(20))
            log.withLock { $0.running -= 1 }
            return Self.outcome(index, trouble(index, isAlone))
        } finish: { index, outcome in
            log.withLock { $0.results[index] = outcome.result }
        } postpone: { index, _ in
            log.withLock { $0.events.append("postponed \(index)") }
        }
        try await scheduler.perform()
        return log.withLock { $0 }
    }

    private static let late = Finding(.delayOff, "rtt 1 ms set, 9 ms measured")

    @Test func aCellThatOthersDisturbRunsAgainAlone() async throws {
        let log = try await log(jobs: 3, count: 5) { index, isAlone in
            [1, 2].contains(index) && !isAlone ? Self.late : nil
        }
        #expect(log.most == 3)
        #expect(log.events.filter { $0.hasPrefix("alone") } == ["alone 1, 1 running", "alone 2, 1 running"])
        #expect(log.results.count == 5)
        #expect(log.results.values.allSatisfy { $0.verdict == .pass })
        #expect(log.results[1]?.retriedInfrastructure?.contains("9 ms measured") == true)
        #expect(log.results[0]?.retriedInfrastructure == nil)
    }

    @Test func aCellThatBrokeACheckIsNotRetried() async throws {
        let log = Mutex<[CellResult]>([])
        let scheduler = CellScheduler(pace: .fixed(1), order: [0], retriesTrouble: true) { index, isAlone, _ in
            var outcome = Self.outcome(index, Finding(.hostDied, "exit 1"))
            outcome.result.checks.append(
                CheckResult(kind: .budget, name: "b", asked: "<= 1", verdict: .fail, sentence: "2"))
            return outcome
        } finish: { _, outcome in
            log.withLock { $0.append(outcome.result) }
        } postpone: { _, _ in
            Issue.record("it is run again")
        }
        try await scheduler.perform()
        #expect(log.withLock { $0.map(\.verdict) } == [.infrastructure])
    }

    @Test func troubleIsRetriedIfThatIsWanted() async throws {
        let died = Finding(.hostDied, "exit 1")
        let once = try await log(jobs: 1, count: 3, retries: true) { index, isAlone in
            index == 1 && !isAlone ? died : nil
        }
        #expect(once.events == ["postponed 1", "alone 1, 1 running"])
        #expect(once.results[1]?.verdict == .pass && once.results[1]?.retriedInfrastructure?.contains("exit 1") == true)
        // Trouble that stays is reported after one retry; trouble by a wrong scenario is not retried at all.
        let stays = try await log(jobs: 1, count: 2, retries: true) { index, _ in
            index == 0 ? died : Finding(.faultNotPlayed, "")
        }
        #expect(stays.events == ["postponed 0", "alone 0, 1 running"])
        #expect(stays.results[0]?.exitCode == 75 && stays.results[1]?.exitCode == 65)
        #expect(stays.results[1]?.retriedInfrastructure == nil)
    }

    @Test func aCellThatIsDisturbedAloneIsNotRetriedAgain() async throws {
        let again = try await log(jobs: 2, count: 2) { index, _ in index == 0 ? Self.late : nil }
        #expect(again.results[0]?.exitCode == 75)
        #expect(again.events == ["postponed 0", "alone 0, 1 running"])
        // Nothing ran at the same time, so a retry would be no better.
        let alone = try await log(jobs: 1, count: 2) { index, _ in index == 0 ? Self.late : nil }
        #expect(alone.results[0]?.exitCode == 75)
        #expect(alone.events.isEmpty && alone.most == 1)
    }

    @Test func troubleOfAnotherKindIsNotRetried() async throws {
        let log = try await log(jobs: 2, count: 2) { index, _ in index == 0 ? Finding(.hostDied, "gone") : nil }
        #expect(log.events.isEmpty && log.results[0]?.exitCode == 75)
    }

    @Test(arguments: [[0, 1, 2, 3, 4], [1, 3, 0, 4, 2]])
    func cellsBeginInTheirOrder(_ order: [Int]) async throws {
        let begun = Mutex<[Int]>([])
        let scheduler = CellScheduler(pace: .fixed(1), order: order) { index, _, _ in
            begun.withLock { $0.append(index) }
            return Self.outcome(index)
        } finish: { _, _ in
        } postpone: { _, _ in
            Issue.record("it is run again")
        }
        try await scheduler.perform()
        #expect(begun.withLock { $0 } == order)
    }

    /// Cells that wait for silent clients give up their places, but at most `mostIdle` of them do.
    @Test(arguments: [(0, 1), (2, 3), (9, 5)])
    func aCellThatOnlyWaitsGivesUpItsPlace(_ mostIdle: Int, _ most: Int) async throws {
        let log = Mutex(Log())
        let (allBegan, began) = AsyncStream.makeStream(of: Void.self)
        let scheduler = CellScheduler(pace: .fixed(1), mostIdle: mostIdle, order: Array(0..<5)) { index, _, seat in
            let running = log.withLock { log in
                log.running += 1
                log.most = max(log.most, log.running)
                return log.running
            }
            seat.rest()
            if running == most { began.finish() }
            for await _ in allBegan {}
            log.withLock { $0.running -= 1 }
            return Self.outcome(index)
        } finish: { index, outcome in
            log.withLock { $0.results[index] = outcome.result }
        } postpone: { _, _ in
            Issue.record("it is run again")
        }
        try await scheduler.perform()
        let seen = log.withLock { $0 }
        #expect(seen.most == most && seen.results.count == 5)
    }

    @Test func fewerCellsRunAtOnceAfterDisturbances() async throws {
        let most = Mutex(0)
        let running = Mutex(0)
        let scheduler = CellScheduler(pace: .fixed(4), order: Array(0..<12)) { index, isAlone, _ in
            let now = running.withLock { running in
                running += 1
                return running
            }
            if index >= 4 { most.withLock { $0 = max($0, now) } }
            try await Task.sleep(for: .milliseconds(20))
            running.withLock { $0 -= 1 }
            return Self.outcome(index, index < 4 && !isAlone ? Self.late : nil)
        } finish: { _, _ in
        } postpone: { _, _ in
        }
        try await scheduler.perform()
        #expect(most.withLock { $0 } == 1)
    }

    /// As many begin as a quiet machine can take: fewer while it is not known to be quiet.
    @Test(arguments: [(nil, 2), (0.9, 6), (0.05, 2)] as [(Double?, Int)])
    func aQuietMachineTakesMore(_ idle: Double?, _ most: Int) async throws {
        let noise = idle.map { idle in
            Noise(
                largestLateness: .milliseconds(1), p99Lateness: .milliseconds(1), wakeUps: 50, pressure: nil, steal: 0,
                idle: idle, clockStep: .zero, suspended: .zero)
        }
        let (noises, heard) = AsyncStream.makeStream(of: Noise.self)
        if let noise { heard.yield(noise) }
        let log = Mutex(Log())
        let (allBegan, began) = AsyncStream.makeStream(of: Void.self)
        let scheduler = CellScheduler(
            pace: .adaptive(processors: 1, most: 12), order: Array(0..<12), noises: noises
        ) { index, _, _ in
            let running = log.withLock { log in
                log.running += 1
                log.most = max(log.most, log.running)
                return log.running
            }
            if running == most { began.finish() }
            for await _ in allBegan {}
            log.withLock { $0.running -= 1 }
            return Self.outcome(index)
        } finish: { index, outcome in
            log.withLock { $0.results[index] = outcome.result }
        } postpone: { _, _ in
            Issue.record("it is run again")
        }
        try await scheduler.perform()
        let seen = log.withLock { $0 }
        #expect(seen.most == most && seen.results.count == 12)
    }

    @Test func theLongestCellsBeginFirst() async throws {
        let bench = try Bench(packs: ["small.bin": 1000, "large.bin": 400_000])
        func cells(_ text: String) throws -> [Cell] { try bench.prepare(text).scenarios.flatMap(\.cells) }
        func order(_ cells: [Cell], mostIdle: Int = 0) throws -> [Int] {
            var run = Run(scenarios: [], programs: Bench.programs, toolVersion: "1", commandLine: [])
            run.mostIdle = mostIdle
            let scratch = bench.folder.appending("content-\(UUID().uuidString)")
            return try run.order(of: cells, ContentStore(scratch: scratch))
        }
        let small = "workload: [{request: {tags: [small.bin]}}]\n"
        let large = "workload: [{request: {tags: [large.bin]}}]\n"
        let waiting = "workload: [{sleep: 5 s}, {request: {tags: [small.bin]}}]\n"
        // The number of attempts counts, and so does the time that the client waits by itself.
        let texts = [small, large, small + "attempts: 40", waiting]
        #expect(try order(texts.flatMap(cells)) == [3, 2, 1, 0])
        // Cells that take equally long keep their order; one that needs no measured link reports sooner.
        let three = try cells(large + "link: {profile: lte}\nmatrix: {link.profile: [3g, offline, edge]}\n")
        let links = three + three
        #expect(try order(links) == [1, 2, 5, 0, 3, 4])
        // A check begins with cells that may never end, and runs the others in the order of their files.
        let endless = try cells(small + "faults: [{pack: small.bin, stall: {at: 50 %}}]\n")
        #expect(try order(links + endless, mostIdle: 5) == [6, 0, 1, 2, 3, 4, 5])
    }

    /// A probe that others disturbed says nothing about the link of the next cell.
    @Test func aMeasurementOutOfToleranceIsRepeated() async throws {
        let count = Mutex(0)
        var dependencies = AttemptDependencies.quiet
        dependencies.calibrate = { _ in
            let number = count.withLock { count in
                count += 1
                return count
            }
            let measured = number == 1 ? 0.5 : 0.0101
            return [
                LinkMeasurement(.delay, .downlink, set: 0.01, measured: measured, toleranceRatio: 0.05, method: "probe")
            ]
        }
        let cell = try Bench().prepare("budgets: {requests: max <= 1}").scenarios[0].cells[0]
        let store = CalibrationStore()
        var within: [Bool?] = []
        for _ in 0..<3 {
            let rows = await store.measurements(
                Calibration(cell.link.profile, seed: cell.link.seed), by: dependencies.calibrate)
            within.append(rows.first?.isWithinTolerance)
        }
        #expect(within == [false, true, true])
        #expect(count.withLock { $0 } == 2)
    }

    /// Runs four cells that end in the reverse order, with a number of jobs.
    private func result(jobs: Int) async throws -> (
        told: [(done: Int, cell: String)], result: RunResult, events: [String]
    ) {
        let bench = try Bench(packs: ["a.bin": 1000, "b.bin": 1000])
        let told = Mutex<[(done: Int, cell: String)]>([])
        let ended = Mutex("")
        var run = try bench.prepare(
            """
            workload: {command: "true", pack: a.bin}
            matrix: {workload.command: [
              "sleep 0.6; curl -sSf -o {output} {url}", "sleep 0.4; curl -sSf -o {output} {url}",
              "sleep 0.2; curl -sSf -o {output} {url}", "curl -sSf -o {output} {url}"]}
            budgets: {requests: each == 1}
            """)
        run.jobs = jobs
        run.output = bench.folder.appending("results")
        run.report = { progress in
            if case .ended(let cell) = progress { ended.withLock { $0 = cell } }
            if case .judged(let cell, let done, let count) = progress {
                #expect(count == 4 && ended.withLock { $0 } == cell.scenario)
                told.withLock { $0.append((done, cell.name)) }
            }
        }
        let result = try await run.perform()
        let text = try String(contentsOfFile: bench.folder.appending("results/events.jsonl").string, encoding: .utf8)
        let names = text.split(separator: "\n").compactMap { line in
            line.split(separator: "\"cell\":\"").dropFirst().first.map { String($0.prefix { $0 != "\"" }) }
        }
        let order = names.reduce(into: [String]()) { if $0.last != $1 { $0.append($1) } }
        return (told.withLock { $0 }, result, order)
    }

    @Test func oneJobAndEightGiveTheSame() async throws {
        let one = try await result(jobs: 1)
        let eight = try await result(jobs: 8)
        #expect(one.result.exitCode == 0, "\(one.result.text)")
        // Each cell is reported when it has ended, and once.
        #expect(one.told.map(\.done) == [1, 2, 3, 4] && eight.told.map(\.done) == [1, 2, 3, 4])
        #expect(one.told.map(\.cell) == one.result.cells.map(\.name))
        #expect(eight.told.map(\.cell).sorted() == one.told.map(\.cell).sorted())
        #expect(one.events == eight.events && one.events.count == 4)
        #expect(one.result.cells.map(\.name) == eight.result.cells.map(\.name))
        #expect(one.result.withoutMeasurements == eight.result.withoutMeasurements)
        #expect(eight.result.durationSeconds < one.result.durationSeconds)
    }
}

extension RunResult {
    /// What must not differ from run to run: cells, checks, verdicts, words.
    fileprivate var withoutMeasurements: [String] {
        cells.flatMap { cell in
            ["\(cell.name) \(cell.verdict) \(cell.exitCode) \(cell.attempts.count) \(cell.link)"]
                + cell.checks.map { "\($0.name) \($0.asked) \($0.verdict)" } + cell.notes
        } + ["\(exitCode)"]
    }
}
