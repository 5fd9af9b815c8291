import Foundation
import Reports
import ResultFiles
import Results
import Scenarios
import Synchronization
import SystemPackage
import Testing

@testable import Harness

/// Runs that have not ended, or never do: nothing that they write reads as a pass.
@Suite(.sideBySide, .serialized, .timeLimit(.minutes(2)))
struct UnfinishedRunTests {
    /// Two cells; the second writes a note when it starts, and waits until it is ended.
    private static func twoCells(_ bench: Bench, note: FilePath) throws -> Run {
        var run = try bench.prepare("budgets: {time_to_available: max <= 10 s}")
        let second = try bench.prepare(
            "workload: {command: \"echo up > \(note.string); exec sleep 86313\"}\ndeadline: 60 s")
        run.scenarios += second.scenarios
        run.scenarios[1].cells[0].id = "second"
        run.output = bench.folder.appending("results")
        run.jobs = 1
        return run
    }

    private static func written(_ run: Run) throws -> RunResult {
        let file = try #require(run.output).appending("result.json").string
        return try RunResult(json: Data(contentsOf: URL(filePath: file)))
    }

    /// A run that ends at its deadline has the finished cells, and its clients are gone.
    @Test func aDeadlineKeepsTheFinishedCells() async throws {
        let bench = try Bench()
        let note = bench.folder.appending("note")
        var run = try Self.twoCells(bench, note: note)
        run.deadline = .seconds(8)
        let result = try await run.perform()
        #expect(result.exitCode == 75 && result.verdict == .infrastructure && !result.isWhole)
        #expect(result.attributions == [.deadlineReached] && result.unfinishedCells == ["second"])
        #expect(result.cells.map(\.verdict) == [.pass], "\(result.text)")
        #expect(result.findings.first?.detail.contains("1 of 2 cells finished") == true)
        #expect(try Self.written(run) == result)
        #expect(FileManager.default.fileExists(atPath: note.string))
        #expect(Self.processes(with: "86313").isEmpty)
    }

    /// Processes that have this word in their command lines.
    private static func processes(with word: String) -> [String] {
        let all = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        return all.filter { name in
            guard Int32(name) != nil, let data = FileManager.default.contents(atPath: "/proc/\(name)/cmdline") else {
                return false
            }
            return String(decoding: data, as: UTF8.self).split(separator: "\0").contains { $0 == word }
        }
    }

    /// Between two cells the folder says that the run is unfinished, as a killed run leaves it.
    @Test func everyWriteBeforeTheLastSaysSo() async throws {
        let bench = try Bench()
        let note = bench.folder.appending("note")
        var run = try Self.twoCells(bench, note: note)
        run.scenarios[1] = run.scenarios[0]
        run.scenarios[1].cells[0].id = "second"
        let output = try #require(run.output)
        let seen = Mutex<[RunResult]>([])
        let folder = run
        run.report = { progress in
            switch progress {
            case .made, .judged:
                guard let result = try? Self.written(folder) else { return }
                seen.withLock { $0.append(result) }
            default: break
            }
        }
        let result = try await run.perform()
        #expect(result.exitCode == 0 && result.isWhole, "\(result.text)")
        #expect(try Self.written(run) == result)
        let before = seen.withLock { $0 }
        #expect(before.map(\.cells.count) == [0, 1, 2])
        #expect(before.map(\.unfinishedCells) == [["test", "second"], ["second"], []])
        for result in before {
            #expect(result.exitCode == 75 && result.verdict == .infrastructure && !result.isWhole)
            #expect(result.plannedCells == 2 && result.attributions == [.unfinished])
        }
        #expect(FileManager.default.fileExists(atPath: output.appending("junit.xml").string))
    }

    /// A folder that is used again must not show the pass of the earlier run.
    @Test func resultOfAnEarlierRunIsNotLeft() async throws {
        let bench = try Bench()
        var run = try Self.twoCells(bench, note: bench.folder.appending("note"))
        run.scenarios.removeLast()
        #expect(try await run.perform().exitCode == 0)
        let atStart = Mutex<RunResult?>(nil)
        let folder = run
        run.report = { progress in
            if case .made = progress { atStart.withLock { $0 = try? Self.written(folder) } }
        }
        _ = try await run.perform()
        #expect(atStart.withLock { $0 }?.exitCode == 75)
    }

    @Test(
        arguments: [(.interrupted, 130, "interrupted"), (.terminated, 143, "terminated")]
            as [(Attribution, Int32, String)])
    func cancelledRunKeepsFinishedCells(attribution: Attribution, exitCode: Int32, words: String) async throws {
        let bench = try Bench()
        let note = bench.folder.appending("note")
        var run = try Self.twoCells(bench, note: note)
        run.whyCancelled = { attribution }
        let prepared = run
        let task = Task { try await prepared.perform() }
        while !FileManager.default.fileExists(atPath: note.string) { try await Task.sleep(for: .milliseconds(10)) }
        task.cancel()
        let result = try await task.value
        #expect(try Self.written(run) == result)
        #expect(result.exitCode == exitCode && result.verdict == .infrastructure && !result.isWhole)
        #expect(result.cells.map(\.verdict) == [.pass] && result.unfinishedCells == ["second"])
        #expect(result.findings == [Finding(attribution, "1 of 2 cells finished, not 'second'")])
        // The format of numbers alone cannot name a cell without numbers.
        for format in ReportFormat.allCases where format != .openmetrics {
            let text = try format.render(result)
            let said = format == .json ? attribution.rawValue : words
            #expect(text.contains("second") && text.contains(said), "\(format.rawValue): \(text)")
        }
    }

    /// A probe of a slow link takes ten seconds; a cancelled run does not wait for it.
    @Test func cancelledRunEndsItsProbe() async throws {
        let bench = try Bench()
        var run = try bench.prepare("budgets: {time_to_available: max <= 10 s}")
        let (began, continuation) = AsyncStream.makeStream(of: Void.self)
        run.dependencies.calibrate = { _ in
            continuation.yield()
            try? await Task.sleep(for: .seconds(30))
            return []
        }
        let prepared = run
        let clock = ContinuousClock()
        let start = clock.now
        let task = Task { try await prepared.perform() }
        for await _ in began { break }
        task.cancel()
        #expect(try await task.value.exitCode == 130)
        #expect(start.duration(to: clock.now) < .seconds(15))
    }

    @Test func withoutAGuardNothingIsRun() async throws {
        let bench = try Bench()
        var run = try Self.twoCells(bench, note: bench.folder.appending("note"))
        run.programs.guardProgram = bench.folder.appending("nowhere")
        let result = try await run.perform()
        #expect(result.exitCode == 69 && result.attributions == [.capabilityMissing] && result.cells.isEmpty)
        #expect(result.unfinishedCells == ["test", "second"])
    }

    @Test func unwritableFolderHasTheSystemsReason() async throws {
        let bench = try Bench()
        var run = try bench.prepare("")
        run.output = "/proc/x"
        let prepared = run
        let refusal = ResultFileError.noResultsFolder(
            "/proc/x", reason: "No such file or directory", .noSuchFileOrDirectory)
        await #expect(throws: refusal) {
            try await prepared.perform()
        }
    }
}
