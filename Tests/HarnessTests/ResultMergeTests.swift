import Foundation
import Reports
import Results
import SystemPackage
import Testing

@testable import Harness

/// Results of parts of a run, put together.
@Suite struct ResultMergeTests {
    /// Folders of results, gone with the test.
    private final class Ground {
        let folder: FilePath

        init() throws {
            let url = FileManager.default.temporaryDirectory.appending(path: "merge-\(UUID().uuidString)")
            try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
            folder = FilePath(url.path)
        }

        deinit { try? FileManager.default.removeItem(atPath: folder.string) }

        func write(_ path: String, _ text: String) throws {
            let file = folder.appending(path)
            try FileManager.default.createDirectory(
                atPath: file.removingLastComponent().string, withIntermediateDirectories: true)
            try Data(text.utf8).write(to: URL(filePath: file.string))
        }

        func text(_ path: String) throws -> String {
            try String(contentsOfFile: folder.appending(path).string, encoding: .utf8)
        }

        func has(_ path: String) -> Bool { FileManager.default.fileExists(atPath: folder.appending(path).string) }

        /// A folder with a result, and a line of events for each attempt.
        func shard(_ name: String, _ run: RunResult) throws -> ResultMerge.Shard {
            try write("\(name)/result.json", String(decoding: try run.json(), as: UTF8.self))
            let lines = run.cells.flatMap { cell in
                cell.attempts.map { attempt in
                    TimelineEvent(
                        nanoseconds: 5, cell: cell.name, attempt: attempt.number, source: .harness, name: name
                    ).line
                }
            }
            try write("\(name)/events.jsonl", lines.joined() + "{\"v\":1,\"t\":5,\"cell\":\"cut")
            for cell in run.cells {
                for attempt in cell.attempts { try write("\(name)/schedules/\(cell.name)-\(attempt.number).txt", name) }
                try write("\(name)/captures/\(cell.name)-1.pcapng", name)
                if let bundle = cell.bundle {
                    try write("\(name)/\(bundle)/bundle.json", name)
                    try write("\(name)/\(bundle)/packs/a", name)
                }
            }
            return .init(folder: folder.appending(name), run: run)
        }

        func merge(_ shards: [ResultMerge.Shard]) throws -> (RunResult, missing: [String]) {
            try ResultMerge(shards).write(
                to: folder.appending("whole"), commandLine: ["headwind", "report", "merge"], toolVersion: "1")
        }
    }

    private static func cell(_ name: String, seconds: Double = 1, most: Double = 2) throws -> CellResult {
        let plan = CellPlan(
            expectations: [], budgets: [try Budget(key: "time_to_available", text: "max <= \(most) s")], attempts: 1,
            maximumAttempts: 1)
        let attempt = AttemptRecord(
            number: 1, seed: 1, durationSeconds: seconds, samples: Samples([.timeToAvailable: .value(seconds)]),
            schedule: ScheduleFacts(file: "schedules/\(name)-1.txt", lines: 0, hash: "", firstTransmissionHash: ""))
        var cell = CellResult(
            scenario: name, link: LinkFacts(profile: "3g", backend: "proxy", fidelity: "modelled"), plan: plan,
            attempts: [attempt], startedAt: "2026-11-21T04:00:00Z", durationSeconds: seconds)
        if cell.verdict == .fail {
            cell.bundle = "bundles/\(name)-1"
            cell.replayCommand = "headwind replay /elsewhere/bundles/\(name)-1"
        }
        return cell
    }

    private static func run(
        _ cells: [CellResult], unfinished: [String] = [], ending: Finding? = nil, kernel: String = "6.18",
        start: String = "2026-11-21T04:00:00Z"
    ) -> RunResult {
        RunResult(
            toolVersion: "1", commandLine: ["headwind", "run"], seed: 7,
            host: HostFacts(kernel: kernel, architecture: "x86_64", processors: 2), startedAt: start,
            durationSeconds: 60, cells: cells, unfinished: unfinished, ending: ending)
    }

    @Test func wholeOfPassesPassesWithAllFiles() throws {
        let ground = try Ground()
        let (run, missing) = try ground.merge([
            try ground.shard("one", Self.run([try Self.cell("a"), try Self.cell("b")])),
            try ground.shard("two", Self.run([try Self.cell("c")], start: "2026-11-21T04:01:30Z")),
        ])
        #expect(run.verdict == .pass && run.exitCode == 0 && run.isWhole && missing.isEmpty)
        #expect(run.cells.map(\.name) == ["a", "b", "c"] && run.plannedCells == 3 && run.seed?.value == 7)
        #expect(run.startedAt == "2026-11-21T04:00:00Z" && run.durationSeconds == 150)
        #expect(run.shards?.map(\.folder) == ["one", "two"] && run.shards?.map(\.cells) == [["a", "b"], ["c"]])
        #expect(try RunResult(json: Data(try ground.text("whole/result.json").utf8)) == run)
        let names = try ground.text("whole/events.jsonl").split(separator: "\n").map {
            $0.contains("\"event\":\"one\"")
        }
        #expect(names == [true, true, false], "whole lines alone, shard by shard")
        for name in ["a", "b", "c"] { #expect(try ground.text("whole/schedules/\(name)-1.txt").count == 3) }
        for file in ["junit.xml", "summary.md", "report.html", "captures/c-1.pcapng"] {
            #expect(ground.has("whole/\(file)"))
        }
    }

    @Test func failureKeepsItsBundleAndSaysWhereItIsNow() throws {
        let ground = try Ground()
        let (run, _) = try ground.merge([
            try ground.shard("one", Self.run([try Self.cell("a")])),
            try ground.shard("two", Self.run([try Self.cell("b", seconds: 3)])),
        ])
        #expect(run.verdict == .fail && run.exitCode == 99)
        #expect(run.cells[1].replayCommand == "headwind replay \(ground.folder)/whole/bundles/b-1")
        #expect(try ground.text("whole/bundles/b-1/packs/a") == "two")
    }

    @Test func cellThatIsThereTwiceMustBeTheSame() throws {
        let ground = try Ground()
        let one = try ground.shard("one", Self.run([try Self.cell("a"), try Self.cell("b")]))
        let same = try ground.shard("two", Self.run([try Self.cell("b"), try Self.cell("c")]))
        let (run, _) = try ground.merge([one, same])
        #expect(run.cells.map(\.name) == ["a", "b", "c"] && run.shards?[1].cells == ["c"])
        let events = try ground.text("whole/events.jsonl").split(separator: "\n")
        #expect(events.count == 3 && events.count { $0.contains("\"cell\":\"b\"") } == 1)
        let other = try ground.shard("three", Self.run([try Self.cell("b", seconds: 1.5)]))
        #expect(throws: MergeError.twice(cell: "b", one.folder, other.folder)) { try ResultMerge([one, other]) }
        #expect(throws: MergeError.intoItself(ground.folder.appending("whole"))) {
            try ground.merge([one, .init(folder: ground.folder.appending("whole"), run: run)])
        }
    }

    @Test func whatOneLacksAnotherMakesUpFor() throws {
        let ground = try Ground()
        let cut = try ground.shard(
            "one", Self.run([try Self.cell("a")], unfinished: ["b", "c"], ending: Finding(.interrupted, "")))
        let (part, _) = try ground.merge([cut, try ground.shard("two", Self.run([try Self.cell("b")]))])
        #expect(part.exitCode == 130 && part.unfinishedCells == ["c"] && !part.isWhole)
        let (whole, _) = try ground.merge([
            cut, try ground.shard("three", Self.run([try Self.cell("b"), try Self.cell("c")])),
        ])
        #expect(whole.exitCode == 0 && whole.isWhole && whole.findings.isEmpty)
        let killed = try ground.shard(
            "four", Self.run([try Self.cell("a")], unfinished: ["d"], ending: Finding(.unfinished, "")))
        let (lacking, _) = try ground.merge([killed])
        #expect(lacking.exitCode == 75 && lacking.findings.map(\.attribution) == [.unfinished])
    }

    @Test func shardThatNeverArrivedIsMissed() throws {
        let ground = try Ground()
        let one = try ground.shard("one", Self.run([try Self.cell("a")]))
        let two = try ground.shard("two", Self.run([try Self.cell("b")]))
        let cases: [([ResultMerge.Shard], Int?, Int32, Int)] = [
            ([one, two], 2, 0, 0), ([one], nil, 0, 0), ([one], 2, 75, 1), ([one, one], 2, 75, 1),
        ]
        for (shards, required, exitCode, remarks) in cases {
            let merge = try ResultMerge(shards, required: required)
            let (run, _) = try merge.write(to: ground.folder.appending("whole"), commandLine: [], toolVersion: "1")
            #expect(run.exitCode == exitCode && run.isWhole == (exitCode == 0) && merge.remarks.count == remarks)
        }
        #expect(throws: MergeError.tooMany(2, required: 1)) { try ResultMerge([one, two], required: 1) }
        let cut = Self.run([try Self.cell("a")], unfinished: ["c"], ending: Finding(.interrupted, ""))
        let merge = try ResultMerge([try ground.shard("cut", cut), two])
        #expect(merge.remarks.first?.hasPrefix("Cells are missing: the results planned 'c'") == true)
    }

    @Test func emptyShardIsNoHindranceButNothingIsNoPass() throws {
        let ground = try Ground()
        let empty = try ground.shard("one", Self.run([]))
        let (run, _) = try ground.merge([empty, try ground.shard("two", Self.run([try Self.cell("a")]))])
        #expect(run.exitCode == 0)
        let (nothing, _) = try ground.merge([empty])
        #expect(nothing.exitCode == 75 && nothing.verdict == .infrastructure)
    }

    @Test func unlikeMachinesAreSaid() throws {
        let ground = try Ground()
        let merge = try ResultMerge([
            try ground.shard("one", Self.run([try Self.cell("a")])),
            try ground.shard("two", Self.run([try Self.cell("b")], kernel: "5.10")),
        ])
        #expect(merge.remarks.count == 1 && merge.remarks[0].contains("two: 5.10, x86_64, 2 processors"))
    }

    @Test func pathsOfHostileResultsStayInTheirFolders() throws {
        let ground = try Ground()
        try ground.write("secret/file", "secret")
        var cell = try Self.cell("a", seconds: 3)
        cell.attempts[0].schedule?.file = "schedules/../../secret/file"
        cell.bundle = "bundles/../../secret"
        var linked = try Self.cell("b", seconds: 3)
        linked.attempts[0].schedule?.file = "schedules/link"
        let shard = try ground.shard("one", Self.run([cell, linked]))
        for (link, target) in [("schedules/link", "../../secret/file"), ("bundles/b-1/link", "../../../secret")] {
            try FileManager.default.createSymbolicLink(
                atPath: shard.folder.appending(link).string, withDestinationPath: target)
        }
        try FileManager.default.removeItem(atPath: shard.folder.appending("captures").string)
        try FileManager.default.createSymbolicLink(
            atPath: shard.folder.appending("captures").string, withDestinationPath: "../secret")
        let (run, missing) = try ground.merge([shard])
        #expect(run.cells[0].bundle == nil && run.cells[0].replayCommand == nil && missing.count == 3)
        #expect(ground.has("whole/bundles/b-1/bundle.json") && !ground.has("whole/bundles/b-1/link"))
        #expect(!ground.has("whole/captures") && !ground.has("whole/schedules/link") && !ground.has("whole/secret"))
        let all = FileManager.default.enumerator(atPath: ground.folder.appending("whole").string)
        for case let name as String in try #require(all) where !ground.has("whole/\(name)/.") {
            #expect(
                try !ground.text("whole/\(name)").contains("secret/file") || name.hasSuffix("json")
                    || name.hasSuffix("html"))
        }
    }
}
