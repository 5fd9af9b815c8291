import Foundation
import Reports
import Results
import SystemPackage
import Testing

@testable import ResultFiles

/// Merged results of the parts of a run.
@Suite struct ResultMergeTests {
    @Test func passingShardsMergeToAPassWithAllFiles() throws {
        let ground = try Ground()
        let (run, missing) = try ground.merge([
            try ground.shard("one", Ground.run([try Ground.cell("a"), try Ground.cell("b")])),
            try ground.shard("two", Ground.run([try Ground.cell("c")], start: "2026-11-21T04:01:30Z")),
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

    @Test func aFailureKeepsItsBundleUnderItsNewPath() throws {
        let ground = try Ground()
        let (run, _) = try ground.merge([
            try ground.shard("one", Ground.run([try Ground.cell("a")])),
            try ground.shard("two", Ground.run([try Ground.cell("b", seconds: 3)])),
        ])
        #expect(run.verdict == .fail && run.exitCode == 99)
        #expect(run.cells[1].replayCommand == "headwind replay \(ground.folder)/whole/bundles/b-1")
        #expect(try ground.text("whole/bundles/b-1/packs/a") == "two")
    }

    /// A merge that is killed leaves some files, and a result that names none of them.
    @Test func aMergeReplacesTheFilesOfOneThatWasKilled() throws {
        let ground = try Ground()
        let shard = try ground.shard("one", Ground.run([try Ground.cell("b", seconds: 3)]))
        _ = try ground.bundle("one/bundles/b-1")
        try FileManager.default.removeItem(atPath: shard.folder.appending("bundles/b-1/packs/a").string)
        _ = try ground.merge([shard])
        let whole = try ground.text("whole/result.json")
        let killed = Ground.run([], ending: Finding(.unfinished, "the merge has not finished"))
        try ground.write("whole/result.json", try killed.json())
        try ground.write("whole/schedules/b-1.txt", "on")
        let (run, _) = try ground.merge([shard])
        #expect(run.exitCode == 99)
        #expect(try ground.text("whole/result.json") == whole)
        #expect(try ground.text("whole/schedules/b-1.txt") == "one")
        let bundles = ground.folder.appending("whole/bundles").string
        #expect(try FileManager.default.contentsOfDirectory(atPath: bundles) == ["b-1"])
    }

    @Test func duplicateCellsMustBeEqual() throws {
        let ground = try Ground()
        let one = try ground.shard("one", Ground.run([try Ground.cell("a"), try Ground.cell("b")]))
        let same = try ground.shard("two", Ground.run([try Ground.cell("b"), try Ground.cell("c")]))
        let (run, _) = try ground.merge([one, same])
        #expect(run.cells.map(\.name) == ["a", "b", "c"] && run.shards?[1].cells == ["c"])
        let events = try ground.text("whole/events.jsonl").split(separator: "\n")
        #expect(events.count == 3 && events.count { $0.contains("\"cell\":\"b\"") } == 1)
        let other = try ground.shard("three", Ground.run([try Ground.cell("b", seconds: 1.5)]))
        #expect(throws: MergeError.twice(cell: "b", one.folder, other.folder)) { try ResultMerge([one, other]) }
        #expect(throws: MergeError.intoItself(ground.folder.appending("whole"))) {
            try ground.merge([one, .init(folder: ground.folder.appending("whole"), run: run)])
        }
    }

    @Test(
        arguments: [.interrupted, .terminated, .deadlineReached, .scratchDiskFull, .capabilityMissing] as [Attribution])
    func aShardMayHaveTheMissingCellsOfAnother(why: Attribution) throws {
        let ground = try Ground()
        let cut = try ground.shard(
            "one", Ground.run([try Ground.cell("a")], unfinished: ["b", "c"], ending: Finding(why, "")))
        let (part, _) = try ground.merge([cut, try ground.shard("two", Ground.run([try Ground.cell("b")]))])
        #expect(part.exitCode == max(75, why.row.exitCode) && part.unfinishedCells == ["c"] && !part.isWhole)
        let (whole, _) = try ground.merge([
            cut, try ground.shard("three", Ground.run([try Ground.cell("b"), try Ground.cell("c")])),
        ])
        #expect(whole.exitCode == 0 && whole.isWhole && whole.findings.isEmpty)
        let killed = try ground.shard(
            "four", Ground.run([try Ground.cell("a")], unfinished: ["d"], ending: Finding(.unfinished, "")))
        let (lacking, _) = try ground.merge([killed])
        #expect(lacking.exitCode == 75 && lacking.findings.map(\.attribution) == [.unfinished])
    }

    @Test func aSittingThatPlansACellAgainReplacesItsResult() throws {
        let ground = try Ground()
        var cell = try Ground.cell("b")
        cell.point = [.init(axis: "link.seed", value: "1")]
        let first = try ground.shard("1", Ground.run([try Ground.cell("a"), cell]))
        let cut = try ground.shard("2", Ground.run([], unfinished: ["b"], ending: Finding(.deadlineReached, "")))
        let last = try ground.shard("3", Ground.run([cell]))
        let cases: [([ResultMerge.Shard], Int32, [String])] = [
            ([first], 0, []), ([first, cut], 75, ["b"]), ([first, cut, last], 0, []),
        ]
        for (sittings, exitCode, unfinished) in cases {
            let merge = ResultMerge(sittings: sittings, order: ["a", cell.name])
            let (run, _, _) = try merge.write(to: ground.folder.appending("whole"), commandLine: [], toolVersion: "1")
            #expect(run.exitCode == exitCode && run.unfinishedCells == unfinished)
            #expect(run.isWhole == unfinished.isEmpty && run.cells.count == 2 - unfinished.count)
        }
    }

    @Test func aCellOfAMatrixKeepsItsCaptures() throws {
        let ground = try Ground()
        var cell = try Ground.cell("a-2")
        cell.point = [.init(axis: "link.seed", value: "2")]
        _ = try ground.merge([try ground.shard("one", Ground.run([cell]))])
        #expect(try ground.text("whole/captures/a-2-1.pcapng") == "one")
    }

    @Test func aMissingShardIsReported() throws {
        let ground = try Ground()
        let one = try ground.shard("one", Ground.run([try Ground.cell("a")]))
        let two = try ground.shard("two", Ground.run([try Ground.cell("b")]))
        let cases: [([ResultMerge.Shard], Int?, Int32, Int)] = [
            ([one, two], 2, 0, 0), ([one], nil, 0, 0), ([one], 2, 75, 1), ([one, one], 2, 75, 1),
        ]
        for (shards, required, exitCode, remarks) in cases {
            let merge = try ResultMerge(shards, required: required)
            let (run, _, _) = try merge.write(to: ground.folder.appending("whole"), commandLine: [], toolVersion: "1")
            #expect(run.exitCode == exitCode && run.isWhole == (exitCode == 0) && merge.remarks.count == remarks)
        }
        #expect(throws: MergeError.tooMany(2, required: 1)) { try ResultMerge([one, two], required: 1) }
        let cut = Ground.run([try Ground.cell("a")], unfinished: ["c"], ending: Finding(.interrupted, ""))
        let merge = try ResultMerge([try ground.shard("cut", cut), two])
        #expect(merge.remarks.first?.hasPrefix("Cells are missing: the results planned 'c'") == true)
    }

    @Test func shardsKnowTheirRunAndPart() throws {
        let ground = try Ground()
        func shard(_ part: String, _ cells: [(String, Int)], division: String = "d") throws -> ResultMerge.Shard {
            var run = Ground.run(
                try cells.map { name, place in
                    var cell = try Ground.cell(name)
                    cell.place = place
                    return cell
                })
            var shard = try #require(ShardNumber(part))
            shard.division = division
            run.shard = shard
            return try ground.shard("shard-\(part.prefix(1))", run)
        }
        let (one, two) = (try shard("1/3", [("b", 1), ("d", 3)]), try shard("2/3", [("a", 0), ("c", 2)]))
        let part = try ResultMerge([two, one])
        #expect(part.remarks == ["Results are missing: 2 of 3 shards are there, without 3/3."])
        let (whole, _) = try ground.merge([two, one, try shard("3/3", [])])
        #expect(whole.cells.map(\.name) == ["a", "b", "c", "d"] && whole.exitCode == 0 && whole.shard == nil)
        let other = try shard("3/3", [("e", 4)], division: "e")
        let smoke = try ground.shard("smoke", Ground.run([try Ground.cell("e")]))
        #expect(throws: MergeError.otherDivision(one.folder, other.folder)) { try ResultMerge([smoke, one, other]) }
        #expect(throws: MergeError.tooMany(2, required: 1)) { try ResultMerge([one, two], required: 1) }
        // A first try of shard 1, which had no time for its second cell.
        let cut = try shard("1/3", [("b", 1)])
        let missing = "Results are missing: 2 of 3 shards are there, without 3/3."
        let three = try shard("3/3", [])
        let cases: [([ResultMerge.Shard], Int?, [String])] = [
            ([cut, one, two], nil, [missing]), ([cut, one, two], 2, [missing]), ([one, two, smoke], nil, [missing]),
            ([one, two, smoke], 3, [missing]), ([cut, one, two, three], 3, []), ([one, two, smoke, three], 4, []),
            ([one, two, three], 4, ["Results are missing: 3 of 4 results are there: shard-1, shard-2, shard-3."]),
        ]
        for (shards, required, remarks) in cases {
            #expect(try ResultMerge(shards, required: required).remarks == remarks)
        }
    }

    @Test func anEmptyShardIsAllowedAndAnEmptyRunDoesNotPass() throws {
        let ground = try Ground()
        let empty = try ground.shard("one", Ground.run([]))
        let (run, _) = try ground.merge([empty, try ground.shard("two", Ground.run([try Ground.cell("a")]))])
        #expect(run.exitCode == 0)
        let (nothing, _) = try ground.merge([empty])
        #expect(nothing.exitCode == 65 && nothing.verdict == .infrastructure)
    }

    @Test func differentMachinesAreReported() throws {
        let ground = try Ground()
        let merge = try ResultMerge([
            try ground.shard("one", Ground.run([try Ground.cell("a")])),
            try ground.shard("two", Ground.run([try Ground.cell("b")], kernel: "5.10")),
        ])
        #expect(merge.remarks.count == 1 && merge.remarks[0].contains("two: 5.10, x86_64, 2 processors"))
    }

    @Test func pathsOfHostileResultsStayInTheirFolders() throws {
        let ground = try Ground()
        try ground.write("secret/file", "secret")
        var cell = try Ground.cell("a", seconds: 3)
        cell.attempts[0].schedule?.file = "schedules/../../secret/file"
        cell.bundle = "bundles/../../secret"
        var linked = try Ground.cell("b", seconds: 3)
        linked.attempts[0].schedule?.file = "schedules/link"
        let shard = try ground.shard("one", Ground.run([cell, linked]))
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
