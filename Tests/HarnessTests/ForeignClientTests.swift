import Foundation
import ResultFiles
import Results
import Scenarios
import SystemPackage
import Testing

@testable import Harness

/// A foreign program that replaces headwind-client.
@Suite(.sideBySide, .serialized, .timeLimit(.minutes(2)))
struct ForeignClientTests {
    private func programs(_ bench: Bench, _ script: String) throws -> Programs {
        var programs = Bench.programs
        let text = script.replacing("CLIENT", with: "'\(Bench.programs.client)'")
        try programs.use(client: bench.script("client", text).string)
        return programs
    }

    @Test func isNamedInTheResult() async throws {
        let bench = try Bench()
        let programs = try programs(bench, #"exec CLIENT "$@""#)
        let result = try await bench.run("", programs: programs)
        #expect(result.exitCode == 0, "\(result.text)")
        #expect(result.cells[0].client == programs.client.string)
        #expect(result.text.contains("client \(programs.client)"))
        let own = try await bench.run("")
        #expect(own.cells[0].client == nil && !own.text.contains("client /"))
    }

    /// Missing events of the built-in client are trouble with the evidence; those of a foreign client are its own
    /// failure.
    @Test(arguments: [
        ("CLIENT \"$@\" | sed 's/\"event\":\"start\"/\"event\":\"quiet\"/'; exit 1", "sent no start event"),
        ("CLIENT \"$@\" | grep -v '\"exit\"'; exit 0", "sent no end event"),
        ("CLIENT \"$@\"; exit 3", "its events report status 0"),
        ("CLIENT \"$@\" | sed '/\"available\"/s/\"event\":\"available\"/\"event\":\"quiet\"/'", "was not called back"),
        ("echo This is my client.; exec CLIENT \"$@\"", nil),
    ])
    func isBlamedForMissingEvents(script: String, words: String?) async throws {
        let bench = try Bench()
        let result = try await bench.run("", programs: programs(bench, script))
        #expect(result.exitCode == (words == nil ? 0 : 99), "\(result.text)")
        if let words { #expect(result.text.contains(words)) }
    }

    /// A program that sends no event is no client, and is not tried again.
    @Test(arguments: [
        ("exit 1", "ended with status 1, and sent no event"), ("exec curl \"$@\"", "and sent no event"),
        ("exit 64", "client"), ("exec sleep 60", "sent no event until it was stopped at its deadline"),
    ])
    func isNoClientIfItSendsNoEvent(script: String, words: String) async throws {
        let bench = try Bench()
        let result = try await bench.run(
            "deadline: 1 s\nattempts: 5\nbudgets: {progress: monotonic}", programs: programs(bench, script))
        #expect(result.exitCode == 65 && result.cells[0].attempts.count == 1, "\(result.text)")
        #expect(result.cells[0].findings.first?.attribution == .clientMisused, "\(result.text)")
        #expect(result.text.contains(words) && result.text.contains("test.yaml:4"), "\(result.text)")
    }

    @Test func isReplayed() async throws {
        let bench = try Bench()
        let script = #"case "$*" in *--workload*) sleep 0.3;; esac; exec CLIENT "$@""#
        var run = try bench.prepare(
            "budgets: {time_to_available: max <= 1 ms}", programs: programs(bench, script))
        run.output = bench.folder.appending("results")
        let cell = try #require(try await run.perform().cells.first)
        #expect(cell.verdict == .fail)
        let bundle = try FailureBundle(reading: bench.folder.appending("results/\(cell.bundle ?? "")"))
        let client = bench.folder.appending("client").string
        #expect(bundle.isOwn && bundle.command == [client] && bundle.record.client.files.map(\.name) == [client])
        #expect(!bundle.record.client.isBuiltIn)
        var replay = try Replay(bundle, programs: Bench.programs, toolVersion: "1")
        #expect(replay.command == [client])
        replay.run.dependencies = .quiet
        replay.times = 1
        let result = try await replay.perform()
        #expect(result.cameBack == 1 && result.differences == [])
        // A replay may use another client on purpose; a client that no longer exists is an error.
        let other = try Replay(
            bundle, client: Bench.programs.client.string, programs: Bench.programs, toolVersion: "1")
        #expect(other.command == [Bench.programs.client.string])
        try FileManager.default.removeItem(atPath: client)
        #expect(throws: HarnessError.self) { try Replay(bundle, programs: Bench.programs, toolVersion: "1") }
    }

    /// The scenario does not name the program, so a bundle in which it was replaced is not trusted.
    @Test func isNotTrustedIfReplacedInABundle() async throws {
        let bench = try Bench()
        var run = try bench.prepare(
            "budgets: {time_to_available: max <= 1 ms}", programs: programs(bench, #"exec CLIENT "$@""#))
        run.output = bench.folder.appending("results")
        let cell = try #require(try await run.perform().cells.first)
        let folder = bench.folder.appending("results/\(cell.bundle ?? "")")
        let file = folder.appending(BundleRecord.fileName).string
        let text = try String(contentsOfFile: file, encoding: .utf8)
        let client = bench.folder.appending("client").string
        try text.replacing("\"\(client)\"", with: "\"/bin/true\"")
            .write(toFile: file, atomically: true, encoding: .utf8)
        let bundle = try FailureBundle(reading: folder)
        #expect(!bundle.isOwn && bundle.command == ["/bin/true"])
    }

    @Test(arguments: [
        ("/no/such/client", "No such file or directory"), ("no-such-client", "it is not in PATH"),
        ("/etc", "Is a directory"), ("/etc/passwd", "is not executable"), ("/dev/null", "is not a regular file"),
    ])
    func isRefusedIfItCannotRun(name: String, reason: String) {
        var programs = Bench.programs
        let error = #expect(throws: HarnessError.self) { try programs.use(client: name) }
        let text = error?.description ?? ""
        #expect(text.contains("'\(name)'") && text.contains(reason), "\(text)")
        #expect(programs.foreignClient == nil)
    }
}
