import FoundationEssentials
import Results
import Testing

@testable import Harness

/// What is said of the scenarios that are handed over for a bug.
@Suite struct RegressionFolderTests {
    @Test(
        "a scenario is offered only if it fails as it is written, and what is not as the files say is noted",
        arguments: [
            ([.fail, .pass], [], true, []), ([.fail], [], true, []), ([.pass, .pass], [], false, ["did not fail"]),
            ([.fail, .fail], [], true, ["passes.yaml' did not pass"]),
            ([.fail, .infrastructure], [], true, ["passes.yaml' could not be measured"]),
            ([.infrastructure, .pass], [], false, ["fails.yaml' could not be measured"]),
            ([.fail, .pass], ["workload", "expect"], false, ["in: workload, expect. Put them back"]),
        ] as [([Verdict], [String], Bool, [String])])
    func tellsWhatIsWrong(_ verdicts: [Verdict], _ leftOut: [String], _ reproduces: Bool, _ words: [String]) {
        let contents = RegressionFolder.Contents(verdicts: verdicts, leftOut: leftOut)
        #expect(contents.reproduces == reproduces)
        let notes = contents.notes("bug-1-hangs")
        #expect(notes.count == words.count && zip(notes, words).allSatisfy { $0.contains($1) }, "\(notes)")
    }

    /// The bug's folder is complete, so it can be moved to another machine.
    @Test func copiesAFolderBehindALink() throws {
        let bench = try Bench()
        let link = bench.folder.appending("link")
        try FileManager.default.createSymbolicLink(atPath: link.string, withDestinationPath: "packs")
        try bench.write("bug/fails.yaml", [])
        let copy = bench.folder.appending("bug/packs")
        try RegressionFolder.copy(link, to: copy)
        #expect(FileManager.default.contents(atPath: copy.appending("level.bin").string)?.count == 200_000)
    }
}
