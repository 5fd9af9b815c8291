import Documents
import Foundation
import Results
import Scenarios
import SystemPackage
import Testing

@testable import Harness

@Suite("Runs that compare", .sideBySide, .serialized, .timeLimit(.minutes(2)))
struct ComparisonRunTests {
    static let command = """
        workload: {command: [curl, -sf, -o, "{output}", "{url}"], pack: level.bin}
        expect: available
        attempts: {min: 5, max: 5}

        """

    private static func prepare(
        _ budget: String, _ comparison: RunComparison, in bench: Bench, extra: String = command
    ) throws -> Run {
        var run = try bench.prepare(extra + "budgets: {\(budget)}")
        run.comparison = comparison
        return run
    }

    @Test("two commands take turns, fresh, in pairs of one seed, and the slower one is found")
    func commands() async throws {
        let bench = try Bench(packs: ["level.bin": 2000])
        let slow = try bench.script("slow", "curl -sf -o \"$1\" \"$2\" && sleep 0.3")
        let rival = try Rival(words: ["curl", "-sf", "-o", "{output}", "{url}"])
        let words = Self.command.replacingOccurrences(of: "[curl, -sf, -o,", with: "[\(slow), ")
        let run = try Self.prepare(
            "time_to_available: median <= 1 x baseline + 100 ms", .interleaved(rival), in: bench, extra: words)
        let cell = try #require(try await run.perform().cells.first)
        #expect(cell.attempts.map { $0.arm == nil ? "A" : "B" }.joined() == "ABBAABBAAB")
        #expect(
            cell.attempts.map(\.seed.value) == [0, 0, 1, 1, 2, 2, 3, 3, 4, 4].map { $0 + cell.attempts[0].seed.value })
        #expect(cell.countedAttempts.count == 5)
        // Five of each decide it, unless the machine was so busy that they overlap.
        #expect([.fail, .inconclusive].contains(cell.verdict) && cell.bundle == nil)
        let evidence = cell.checks.compactMap(\.evidence).first
        #expect(evidence?.shift.map { $0 > 0.1 } == true && evidence?.origin == .firstPacket)
        #expect(cell.baseline == BaselineFacts(kind: .interleaved, name: "curl -sf -o {output} {url}", attempts: 5))
        #expect(cell.fingerprint?.client == "slow" && cell.fingerprint?.profileDigest?.count == 64)
    }

    @Test("two clients that replace headwind-client take turns, and requests are compared directly")
    func clients() async throws {
        let bench = try Bench(packs: ["level.bin": 2000])
        let rival = Rival.client(Bench.programs)
        let run = try Self.prepare(
            "requests: max <= 1 x baseline", .interleaved(rival), in: bench,
            extra: "expect: available\nattempts: {min: 2, max: 2}\n")
        let cell = try #require(try await run.perform().cells.first)
        #expect(cell.verdict == .pass && cell.attempts.count == 4 && cell.baseline?.name == "headwind-client")
        #expect(!rival.isFit(for: try bench.prepare(Self.command).scenarios[0].cells[0]))
    }

    @Test("a baseline that fails is reported, and is never a pass")
    func failingRival() async throws {
        let bench = try Bench(packs: ["level.bin": 2000])
        let rival = try Rival(words: ["sh", "-c", "exit 3"])
        let run = try Self.prepare("time_to_available: median <= 1.05 x baseline", .interleaved(rival), in: bench)
        let result = try await run.perform()
        #expect(result.exitCode == 65 && result.attributions == [.baselineFailed])
        #expect(throws: InvalidFiles.self) { try Rival(words: ["no-such-program-anywhere"]) }
        #expect(throws: InvalidFiles.self) { try Rival(words: ["curl", "{nonsense}"]) }
    }

    @Test("a run is compared with a saved one only on the same machine, link and scenario")
    func stored() async throws {
        let bench = try Bench(packs: ["level.bin": 2000])
        let budget = "time_to_available: median <= 1 x baseline + 2 s"
        let first = try await Self.prepare(budget, .leftOut, in: bench).perform()
        #expect(first.exitCode == 0 && first.cells[0].notes.contains { $0.contains("left out") })
        #expect(StoredBaseline.obstacle(to: first) == nil)
        let saved = try StoredBaseline(json: Data(try StoredBaseline(first).jsonText().utf8))
        #expect(saved == StoredBaseline(first) && saved.cells[0].attempts.count == 5)

        let later = try await Self.prepare(budget, .stored(saved, file: "base.json"), in: bench).perform()
        #expect(later.exitCode == 0)
        #expect(later.cells[0].baseline?.kind == .stored && later.cells[0].baseline?.attempts == 5)
        #expect(later.cells[0].baseline?.madeAt == first.cells[0].startedAt)

        var unlike = saved
        unlike.cells[0].fingerprint.kernel = "2.6.32"
        let refused = try await Self.prepare(budget, .stored(unlike, file: "base.json"), in: bench).perform()
        #expect(refused.exitCode == 69 && refused.attributions == [.baselineUnlike])
        #expect(refused.cells[0].findings.first?.detail.contains("2.6.32 in the baseline") == true)
        let missing = try await Self.prepare(budget, .stored(.missing, file: "base.json"), in: bench).perform()
        #expect(missing.exitCode == 69 && missing.attributions == [.baselineMissing])
    }

    @Test("too few attempts to tell a difference from chance are refused, with the number that it takes")
    func tooFew() async throws {
        let bench = try Bench(packs: ["level.bin": 2000])
        let run = try Self.prepare(
            "time_to_available: median <= 1.05 x baseline", .leftOut, in: bench,
            extra: Self.command + "matrix: {link.seed: [1, 2, 3]}\n")
        var compared = run
        compared.comparison = .stored(.missing, file: "x")
        let error = await #expect(throws: InvalidFiles.self) { try await compared.perform() }
        #expect(error?.diagnostics.first?.hint == "write 'attempts: {min: 5, max: 7}'")
    }
}
