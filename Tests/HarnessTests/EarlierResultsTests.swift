import Foundation
import ResultFiles
import Results
import SystemPackage
import Testing

@testable import Harness

/// A folder of results that is used again.
@Suite(.serialized, .timeLimit(.minutes(1)))
struct EarlierResultsTests {
    private let bench: Bench
    private let folder: FilePath

    init() throws {
        bench = try Bench()
        folder = bench.folder.appending("results")
    }

    private func run(_ status: Int) async throws -> RunResult {
        var run = try bench.prepare(
            """
            workload: {command: 'curl -fsS -o {output} {url}; exit \(status)', pack: level.bin}
            link: {downlink: {rate: 20 Mbit/s, loss: 1 %}, uplink: {rate: 20 Mbit/s}}
            """)
        run.output = folder
        return try await run.perform()
    }

    private func names(_ path: String = "") -> [String] {
        ((try? FileManager.default.subpathsOfDirectory(atPath: folder.pushing(FilePath(path)).string)) ?? []).sorted()
    }

    @Test func filesOfEarlierFailuresAreRemoved() async throws {
        let bundle = try #require(try await run(3).cells[0].bundle)
        #expect(names(bundle).contains("bundle.json"))
        try bench.write("results/bundles/mine.txt", Array("mine".utf8))
        try bench.write("results/schedules/mine.txt", Array("mine".utf8))
        let second = try await run(0)
        #expect(second.exitCode == 0, "\(second.text)")
        #expect(names("bundles") == ["mine.txt"])
        let attempts = second.cells[0].attempts.compactMap(\.schedule?.file)
        #expect(
            names("schedules") == (attempts.map { String($0.dropFirst("schedules/".count)) } + ["mine.txt"]).sorted())
    }

    /// The refusal comes before anything begins.
    @Test func foreignFilesAreRefusedAndKept() async throws {
        try bench.write("results/summary.md", Array("# Mine\n".utf8))
        let refusal = ResultFileError.foreignFiles(folder, names: ["summary.md"])
        await #expect(throws: refusal) { try await run(0) }
        #expect(names() == ["summary.md"])
    }
}
