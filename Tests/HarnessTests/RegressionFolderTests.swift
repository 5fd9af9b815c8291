import Foundation
import Glibc
import LinkModel
import Links
import Results
import Scenarios
import SystemPackage
import Testing

@testable import Harness

/// What is handed over for a bug, and what is said of it.
@Suite(.sideBySide, .serialized, .timeLimit(.minutes(1)))
struct RegressionFolderTests {
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

    @Test(
        "the command that runs a scenario names the client and the backend of the hunt",
        arguments: [
            (nil, nil, []), ("./mine", nil, ["--client", "./mine"]),
            ("./mine", .proxy, ["--client", "./mine", "--backend", "proxy"]),
        ] as [(String?, LinkBackend?, [String])])
    func namesItsOptions(_ client: String?, _ backend: LinkBackend?, _ options: [String]) {
        let command = RegressionFolder.command(of: ["a.yaml"], client: client, backend: backend)
        #expect(command == ["run"] + options + ["a.yaml"])
    }

    private static let all = ["level.bin", "level.bin.sha256", "notes", "notes/a.txt"]

    /// A bug's folder is complete, so that it can be moved to another machine; but it has nothing else.
    @Test(
        "only the packs that a client needs are copied, or all if that is unknown, even into their own folder",
        arguments: [
            ("./packs/", "{command: [curl, '{url}'], pack: level.bin}", [], ["level.bin"]),
            ("./link/", "{command: [curl, '{url}'], pack: level.bin}", ["level.bin"], ["level.bin"]),
            ("./packs/", "[{request: {tags: [level.bin]}}]", [], ["level.bin"]),
            ("./packs/", "{command: [mine, '{manifest}']}", ["level.bin"], all),
            // A script also gets the digest, which the scenario does not name.
            (
                "./packs/", "{command: [mine, '{url}'], pack: level.bin}", ["level.bin", "level.bin.sha256"],
                ["level.bin", "level.bin.sha256"]
            ),
            ("./packs/", "{command: [curl, '{url}'], pack: level.bin}", nil, all),
        ] as [(String, String, Set<String>?, [String])])
    func copiesPacks(_ packs: String, _ workload: String, _ fetched: Set<String>?, _ names: [String]) async throws {
        let bench = try Bench(packs: ["level.bin": 200_000, "level.bin.sha256": 64, "notes/a.txt": 10])
        let link = bench.folder.appending("link")
        try FileManager.default.createSymbolicLink(atPath: link.string, withDestinationPath: "packs")
        let run = try bench.prepare("packs: \(packs)\nworkload: \(workload)")
        let bug = bench.folder.appending("packs/found/bug-1")
        let handover = RegressionFolder(folder: bug, run: run, profiles: Bench.profiles)
        #expect(try await handover.copyPacks(of: run.scenarios[0].cells[0], fetched: fetched))
        let copies = bug.appending("packs").string
        #expect(try FileManager.default.subpathsOfDirectory(atPath: copies).sorted() == names)
        #expect(FileManager.default.contents(atPath: "\(copies)/level.bin")?.count == 200_000)
    }

    @Test func copiesNoLargePacks() async throws {
        let bench = try Bench()
        #expect(truncate(bench.folder.appending("packs/level.bin").string, (64 << 20) + 1) == 0)
        let run = try bench.prepare("")
        let handover = RegressionFolder(
            folder: bench.folder.appending("bug"), run: run, profiles: Bench.profiles)
        #expect(try await !handover.copyPacks(of: run.scenarios[0].cells[0], fetched: nil))
    }

    @Test("a folder that the scenarios need and that is not copied is noted")
    func namesTheFolderOfACatalog() async throws {
        let bench = try Bench()
        try bench.write("assets/red/a.bin", Bench.content(5000))
        let run = try bench.prepare(
            "catalog: {folder: ./assets, tags: by-folder}\nworkload: [{request: {tags: [red]}}]")
        let handover = RegressionFolder(
            folder: bench.folder.appending("bug"), run: run, profiles: Bench.profiles)
        let cell = run.scenarios[0].cells[0].playing(FaultSchedule())
        let notes = try await handover.make(failing: cell, passing: nil, fetched: nil).notes("bug")
        #expect(notes.count == 2 && notes[0].contains("did not fail"), "\(notes)")
        #expect(notes.last?.contains("needs the folder '\(bench.folder.appending("assets"))'") == true, "\(notes)")
    }
}
