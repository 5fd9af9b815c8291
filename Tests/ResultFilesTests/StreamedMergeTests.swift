import Foundation
import Reports
import Results
import SystemPackage
import Testing

@testable import ResultFiles

/// Results that are merged without being in memory as a whole.
@Suite struct StreamedMergeTests {
    private static func merge(
        _ shards: [ResultMerge.Shard], _ ground: Ground, limits: ResultMerge.Limits = .init()
    ) throws -> RunResult {
        try? FileManager.default.removeItem(atPath: ground.folder.appending("whole").string)
        var merge = try ResultMerge(shards)
        merge.limits = limits
        return try merge.write(
            to: ground.folder.appending("whole"), commandLine: ["headwind", "report", "merge"], toolVersion: "1"
        ).0
    }

    private static func read(_ shards: [ResultMerge.Shard]) throws -> [ResultMerge.Shard] {
        try shards.map { try #require(try ResultMerge.Shard.read(in: $0.folder)) }
    }

    /// A cell with a bundle, one with a secret, one whose name has a secret, and plain ones.
    private static func shards(_ ground: Ground) throws -> [ResultMerge.Shard] {
        var secret = try Ground.cell("secret")
        secret.notes = ["asked https://user:hunter2@example.com/a"]
        var named = try Ground.cell("named")
        named.point = [.init(axis: "url", value: "https://user:hunter2@example.com/a")]
        return [
            try ground.shard("one", Ground.run([try Ground.cell("a"), secret, try Ground.cell("b", seconds: 3)])),
            try ground.shard("two", Ground.run([named, try Ground.cell("c")], unfinished: ["d"])),
            try ground.shard("three", Ground.run([])),
        ]
    }

    @Test func aStreamedMergeEqualsOneInMemory() throws {
        let ground = try Ground()
        let shards = try Self.shards(ground)
        var files: [[String]] = []
        for shards in [shards, try Self.read(shards)] {
            let run = try Self.merge(shards, ground)
            #expect(run.left == nil && run.cells.count == 5)
            files.append(
                try ["result.json", "junit.xml", "summary.md", "metrics.txt", "report.html", "events.jsonl"].map {
                    try ground.text("whole/\($0)")
                })
        }
        #expect(files[0] == files[1])
        #expect(!files[1][0].contains("hunter2") && files[1][0].contains("bundles/b-1"))
        #expect(
            try RunResult(json: Data(files[1][0].utf8)).cells.map(\.scenario) == ["a", "secret", "b", "named", "c"])
    }

    @Test func cellsBeyondTheLimitsAreCountedAndStayInTheResult() throws {
        let ground = try Ground()
        var limits = ResultMerge.Limits()
        (limits.bytes, limits.keptCells) = (0, 2)
        let shards = try Self.read(try Self.shards(ground))
        let run = try Self.merge(shards, ground, limits: limits)
        #expect(run.cells.map(\.scenario) == ["a", "b"], "the one that fails, and the first of the others")
        #expect(run.left?.count == 3 && run.left?.attempts == 3 && run.plannedCells == 6 && run.exitCode == 99)
        let whole = try RunResult(json: Data(try ground.text("whole/result.json").utf8))
        #expect(whole.cells.count == 5 && whole.verdict == run.verdict && whole.exitCode == run.exitCode)
        #expect(whole.plannedCells == 6 && whole.findings == run.findings)
        let left = "3 more cells are left out, and 0 of them did not pass; all are in result.json"
        let text = TextReport().render(run)
        #expect(text.contains(left) && text.contains("5 of 6 cells: 1 failed, 4 passed, 1 unfinished; 5 attempts"))
        #expect(text.contains("5 links by proxy"))
        #expect(try ground.text("whole/summary.md").contains(left))
        #expect(try ground.text("whole/junit.xml").contains("<skipped message=\"\(left)\"/>"))
        let page = try ground.text("whole/report.html")
        #expect(page.contains(left) && page.contains("\"leftCounts\":{\"pass\":3") && !page.contains("\"n\":\"c\""))
        #expect(try ground.text("whole/metrics.txt").contains("headwind_cells{verdict=\"pass\"} 4\n"))
        #expect(try ground.text("whole/metrics.txt").contains("headwind_cells_left_out 3\n"))
        limits.keptBytes = 1
        #expect(try Self.merge(shards, ground, limits: limits).cells.isEmpty)
    }

    @Test func aChangedFileIsRefusedAndTheMergeStaysUnfinished() throws {
        let ground = try Ground()
        let shards = try Self.read(try Self.shards(ground))
        let text = try ground.text("one/result.json")
        try ground.write("one/result.json", text.replacing("\"3g\"", with: "\"4g\""))
        let file = shards[0].folder.appending("result.json")
        #expect(throws: MergeError.changed(file)) { try Self.merge(shards, ground) }
        let left = try RunResult(json: Data(try ground.text("whole/result.json").utf8))
        #expect(left.cells.isEmpty && left.findings.map(\.attribution) == [.unfinished])
    }

    @Test(arguments: ["{", "{\"cells\": [{}], \"schema_version\": 1}", "[]"])
    func malformedResultsAreRefused(_ text: String) throws {
        let ground = try Ground()
        try ground.write("one/result.json", text)
        #expect(throws: UnreadableResult.self) { try ResultMerge.Shard.read(in: ground.folder.appending("one")) }
        #expect(try ResultMerge.Shard.read(in: ground.folder.appending("two")) == nil)
    }
}
