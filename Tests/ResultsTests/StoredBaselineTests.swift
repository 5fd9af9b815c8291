import Documents
import FoundationEssentials
import Testing

@testable import Results

@Suite("Stored baselines, and comparisons of results")
struct StoredBaselineTests {
    static func run(_ seconds: [Double], kernel: String = "6.1", cell: String = "level-2", noisy: Int = 0) -> RunResult
    {
        let host = HostFacts(
            system: "Debian", kernel: kernel, architecture: "x86_64", processors: 2, memoryBytes: 25_000_000_000)
        let link = LinkFacts(profile: "3g", backend: "packet", fidelity: "packet")
        var attempts = seconds.enumerated().map { ComparisonTests.attempt($0.offset + 1, nil, $0.element) }
        for index in attempts.indices.prefix(noisy) { attempts[index].counts = false }
        var result = CellResult(
            scenario: cell, link: link,
            plan: CellPlan(
                expectations: [RequestExpectation(.available())], attempts: max(1, seconds.count - noisy),
                maximumAttempts: seconds.count),
            attempts: attempts, startedAt: "2026-11-22T09:00:00Z", durationSeconds: 1)
        result.fingerprint = Fingerprint(
            host: host, toolVersion: "1", link: link, profileDigest: "a", scenarioDigest: "b", client: "c")
        return RunResult(
            toolVersion: "1", commandLine: ["headwind", "run"], seed: 1, host: host, startedAt: "2026-11-22T09:00:00Z",
            durationSeconds: 1, cells: [result])
    }

    @Test("is read back as written, and other files are refused")
    func json() throws {
        let stored = StoredBaseline(Self.run([10, 11, 12]))
        #expect(try StoredBaseline(json: Data(stored.jsonText().utf8)) == stored)
        #expect(stored.cells[0].fingerprint.memoryClassBytes == 34_359_738_368)
        let later = Data(#"{"baseline_schema_version": 2}"#.utf8)
        #expect(throws: ResultError.unknownBaseline(2)) { try StoredBaseline(json: later) }
        for text in [
            "", "[]", "{}", #"{"baseline_schema_version": 1}"#, #"{"baseline_schema_version": 1, "cells": 3}"#,
        ] {
            #expect(throws: ResultError.self) { try StoredBaseline(json: Data(text.utf8)) }
        }
        // A result is no baseline, and a baseline is no result.
        #expect(throws: ResultError.self) { try StoredBaseline(json: try Self.run([1]).json()) }
        #expect(throws: ResultError.self) { try RunResult(json: Data(stored.jsonText().utf8)) }
        var twice = stored
        twice.cells += stored.cells
        #expect(throws: ResultError.self) { try StoredBaseline(json: Data(twice.jsonText().utf8)) }
    }

    @Test("a run that has not passed, or that was too noisy, is no baseline")
    func obstacles() {
        #expect(StoredBaseline.obstacle(to: Self.run([10, 11, 12, 13, 14])) == nil)
        #expect(StoredBaseline.obstacle(to: Self.run([10, 11, 12, 13, 14], noisy: 1)) == nil)
        #expect(StoredBaseline.obstacle(to: Self.run([10, 11, 12, 13], noisy: 1))?.contains("too busy") == true)
        var failed = Self.run([10])
        (failed.verdict, failed.exitCode) = (.fail, 99)
        #expect(StoredBaseline.obstacle(to: failed)?.contains("not passed") == true)
    }

    @Test("all differences are listed")
    func fingerprints() throws {
        let one = try #require(Self.run([1]).cells[0].fingerprint)
        var other = one
        #expect(one.differences(from: other).isEmpty)
        (other.kernel, other.processors, other.profileDigest, other.toolVersion) = ("6.12", 4, "z", "2")
        #expect(
            one.differences(from: other) == [
                "kernel: 6.1 here, 6.12 in the baseline", "processors: 2 here, 4 in the baseline",
                "profile '3g': its content differs", "headwind: 1 here, 2 in the baseline",
            ])
        #expect(one.key != other.key)
        (other, other.contentDigest) = (one, "d")
        #expect(one.differences(from: other) == ["packs: their bytes differ"])
        #expect(one.key != other.key)
    }

    @Test("values of another processor, of a smaller share of a machine, or of other --jobs are no baseline")
    func machines() {
        func made(
            _ model: String? = "EPYC (family 26, model 2)", limit: Double? = 2, memory: Int64? = 8_000_000_000,
            memoryLimit: Int64? = nil, jobs: Fingerprint.Jobs? = .atMost(4)
        ) -> Fingerprint {
            Fingerprint(
                host: HostFacts(
                    system: "Debian", kernel: "6.1", architecture: "x86_64", processors: 2, processorModel: model,
                    processorLimit: limit, memoryBytes: memory, memoryLimitBytes: memoryLimit),
                toolVersion: "1", link: LinkFacts(profile: "3g", backend: "packet", fidelity: "packet"),
                profileDigest: "a", scenarioDigest: "b", client: "c", jobs: jobs)
        }
        let cases: [(Fingerprint, [String])] = [
            (made(), []),
            (
                made("Xeon (family 6, model 85)"),
                ["processor: EPYC (family 26, model 2) here, Xeon (family 6, model 85) in the baseline"]
            ),
            (made(limit: 1.5), ["usable processors: 2 here, 1.5 in the baseline"]),
            (made(memoryLimit: 2_000_000_000), ["memory: "]),
            (made(jobs: .atMost(1)), ["--jobs: 4 here, 1 in the baseline"]),
            (made(jobs: .auto), ["--jobs: 4 here, auto in the baseline"]),
        ]
        for (other, expected) in cases {
            let found = made().differences(from: other)
            #expect(found.count == expected.count, "\(found)")
            for (one, text) in zip(found, expected) { #expect(one.hasPrefix(text)) }
            #expect((made().key == other.key) == expected.isEmpty)
        }
        // Unknown facts, as in baselines of older versions, differ from nothing; a history keeps them apart.
        for other in [made(nil), made(limit: nil), made(memory: nil), made(jobs: nil)] {
            #expect(made().differences(from: other).isEmpty && other.differences(from: made()).isEmpty)
            #expect(made().key != other.key)
        }
        // A number from a file may have any size.
        #expect(made().differences(from: made(limit: 1e300)).count == 1)
    }

    @Test("two results are compared: same, worse, better, unclear, unlike, missing")
    func comparison() {
        let ten = (0..<10).map { 10 + 0.01 * Double($0) }
        func words(_ later: RunResult, _ earlier: RunResult = Self.run(ten), least: Double = 0.05) -> [String] {
            ResultComparison(
                earlier: ComparedResult(earlier), later: ComparedResult(later), leastShare: least,
                metrics: [.timeToAvailable, .requests]
            ).rows.map { "\($0.metric?.rawValue ?? $0.cell) \($0.word)" }
        }
        #expect(words(Self.run(ten.map { $0 + 0.05 })) == ["time_to_available same", "requests same"])
        #expect(words(Self.run(ten.map { $0 * 1.1 })) == ["time_to_available worse", "requests same"])
        #expect(words(Self.run(ten.map { $0 * 0.9 })) == ["time_to_available better", "requests same"])
        #expect(words(Self.run(ten.map { $0 * 1.5 }))[1] == "requests worse")
        #expect(words(Self.run(ten.map { $0 * 1.5 }), least: 1) == ["time_to_available same", "requests same"])
        #expect(words(Self.run(ten.map { $0 + ($0 > 10.025 ? 0 : 4) }))[0] == "time_to_available unclear")
        #expect(words(Self.run([10, 14, 9]))[0] == "time_to_available tooFew")
        #expect(words(Self.run(ten, kernel: "6.12")) == ["level-2 unlike"])
        #expect(words(Self.run(ten, cell: "level-3")) == ["level-3 added", "level-2 missing"])
    }

    @Test("equal values of a metric without noise are the same, unless they are shifted")
    func shiftedValues() {
        func word(_ earlier: [Double], _ later: [Double]) -> ResultComparison.Word? {
            func samples(_ values: [Double]) -> [Samples] { values.map { Samples([.retries: .value($0)]) } }
            return ResultComparison.Row("a", .retries, samples(earlier), samples(later), 0.05)?.word
        }
        let cases: [([Double], [Double], ResultComparison.Word)] = [
            ([0, 0, 0, 0, 1], [1, 1, 1, 1, 0], .worse), ([1, 1, 1, 1, 0], [0, 0, 0, 0, 1], .better),
            ([1, 2, 1, 2, 1], [1, 2, 1, 2], .same), ([1, 2, 1, 2], [1, 2, 1, 2, 1], .same), ([1], [1], .same),
        ]
        for (earlier, later, expected) in cases { #expect(word(earlier, later) == expected, "\(earlier) \(later)") }
    }

    @Test("a comparison fails if something is worse, failed or missing, and says if attempts are too few")
    func comparedVerdicts() {
        let (five, slow) = ([10.0, 10.1, 10.2, 10.3, 10.4], [20.0, 20.1, 20.2, 20.3, 20.4])
        func compare(
            _ earlier: RunResult, _ later: RunResult, _ metrics: [Metric] = [.timeToAvailable]
        ) -> ResultComparison {
            ResultComparison(
                earlier: ComparedResult(earlier), later: ComparedResult(later), leastShare: 0.05, metrics: metrics)
        }
        func run(_ seconds: [Double], _ verdict: Verdict = .pass, unfinished: Bool = false) -> RunResult {
            var run = Self.run(seconds)
            (run.cells[0].verdict, run.verdict) = (verdict, verdict)
            if unfinished { (run.cells, run.unfinishedCells) = ([], ["level-2"]) }
            return run
        }
        // The least probability with five of each, 2/252, is above 0.005.
        let few = compare(run(five), run(slow))
        #expect(few.verdict == .inconclusive && few.rows.map(\.word) == [.tooFew] && few.rows[0].neededAttempts == 6)
        #expect(compare(run(five), run([10.05, 10.15, 10.25, 10.35, 9])).verdict == .pass)
        #expect(compare(run(five + [10.5]), run(slow + [20.5])).verdict == .fail)
        #expect(ResultComparison.neededAttempts(tests: 14) == 8)
        let failed = compare(run(slow + [20.5]), run(five + [10.5], .fail))
        #expect(failed.verdict == .fail && failed.rows.map(\.word) == [.failed, .unclear])
        #expect(compare(run(five, .fail), run(five, .fail)).verdict == .pass)
        #expect(compare(run(five), run(five, .infrastructure)).verdict == .infrastructure)
        // The client is not judged by measurements amid trouble.
        #expect(compare(run(five), run(slow), [.requests]).rows.map(\.word) == [.worse])
        #expect(compare(run(five), run(slow, .infrastructure), [.requests]).rows.map(\.word) == [.trouble])
        #expect(compare(run(five, .infrastructure), run(slow), [.requests]).rows.isEmpty)
        #expect(compare(run(five), run(five, unfinished: true)).rows.map(\.word) == [.trouble])
        #expect(compare(run(five), Self.run(five, cell: "level-3")).verdict == .fail)
    }
}
