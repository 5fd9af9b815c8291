import Evidence
import Foundation
import ResultFiles
import Results
import Scenarios
import SystemPackage
import Testing

@testable import Harness

/// Clients whose events are lost or changed, or that something else ends.
@Suite(.sideBySide, .serialized, .timeLimit(.minutes(2)))
struct SabotagedClientTests {
    /// A script that replaces the built-in client; `$client` is the real one.
    struct Case: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var script: String
        var found: Attribution

        init(_ name: String, _ script: String, _ found: Attribution) {
            (testDescription, self.script, self.found) = (name, script, found)
        }
    }

    static let cases = [
        Case("no events", #""$client" "$@" >/dev/null"#, .eventsMissing),
        Case("no events and no download", "exit 0", .eventsMissing),
        Case("cut at the end", #""$client" "$@" | grep -v '"exit"'"#, .eventsCut),
        Case("cut after some", #""$client" "$@" | head -n 6; exit 0"#, .eventsCut),
        Case("cut within a line", #""$client" "$@" | head -c 700; exit 0"#, .eventsCut),
        Case("garbage among them", #"echo '{"v":1,'; exec "$client" "$@""#, .eventsCut),
        Case("another status than told", #""$client" "$@"; exit 3"#, .eventsCut),
        Case("a line lost in the middle", #""$client" "$@" | sed 4d"#, .eventsCut),
        Case("a line told twice", #""$client" "$@" | sed 4p"#, .eventsCut),
        Case("callback lost", #""$client" "$@" | grep -v '"available"'"#, .eventsCut),
        Case("clock ahead", #""$client" "$@" | sed 's/"t":\([0-9]*\)/"t":9\1/'"#, .clockStepped),
        Case("clock of another start", #""$client" "$@" | sed 's/"t":[0-9]*\([0-9]\{9\}\)/"t":3\1/'"#, .clockStepped),
        Case("no times", #""$client" "$@" | sed 's/"t":[0-9]*/"t":0/'"#, .clockStepped),
        Case("killed from outside", "kill -KILL $$", .clientKilled),
        Case("asked to end from outside", "kill -TERM $$", .clientKilled),
        Case("refuses its arguments", "echo 'Error: Unknown option --x' >&2; exit 64", .clientMisused),
        Case(
            "more bytes than came", #""$client" "$@" | sed '/"received"/s/"bytes":\([0-9]*\)/"bytes":\10/'"#,
            .linkBypassed),
        Case(
            "fewer bytes than came", #""$client" "$@" | sed '/"received"/s/"bytes":[0-9]*/"bytes":7/'"#, .bytesDisagree),
    ]

    @Test(arguments: cases) func sabotage(_ sabotage: Case) async throws {
        let bench = try Bench()
        var programs = Bench.programs
        let prologue = "client='\(programs.client)'\n"
        programs.client = try bench.script("client", prologue + sabotage.script)
        SabotageTests.expect(try await bench.run(SabotageTests.budgets, programs: programs), sabotage.found)
    }

    /// The sender of a signal is unknown, and the report does not guess it.
    @Test func theSenderOfASignalIsNotGuessed() async throws {
        let bench = try Bench()
        let result = try await bench.run("workload: {command: \"kill -9 $$\"}\nbudgets: {requests: max <= 1}")
        SabotageTests.expect(result, .clientKilled)
        let told = Attribution.clientKilled.row.sentence + result.text
        #expect(!told.contains("elsewhere") && told.contains("Its sender is unknown"), "\(told)")
        #expect(told.contains("killed no process for lack of memory") || told.contains("meanwhile the kernel killed"))
    }

    @Test func clientIsMissing() async throws {
        let bench = try Bench()
        var programs = Bench.programs
        programs.client = bench.folder.appending("nowhere")
        let result = try await bench.run(SabotageTests.budgets, programs: programs)
        SabotageTests.expect(result, .clientNotStarted)
    }

    @Test func guardIsMissing() async throws {
        let bench = try Bench()
        var programs = Bench.programs
        programs.guardProgram = bench.folder.appending("nowhere")
        let result = try await bench.run(SabotageTests.budgets, programs: programs)
        SabotageTests.expect(result, .capabilityMissing)
    }

    /// The client's end is unknown, and no clock is blamed for that.
    @Test func guardIsKilled() async throws {
        let bench = try Bench()
        let length = "60.\(UInt32.random(in: 0 ... .max))"
        // In a process namespace a client cannot kill its guard.
        let killer = Task.detached {
            while !Task.isCancelled {
                for number in Self.guards(of: length) { kill(number, SIGKILL) }
                try await Task.sleep(for: .milliseconds(5))
            }
        }
        defer { killer.cancel() }
        let result = try await bench.run(
            "workload: {command: \"exec sleep \(length)\"}\n" + "budgets: {requests: max <= 1}")
        SabotageTests.expect(result, .harnessFailed)
        #expect(!result.attributions.contains(.clockStepped), "\(result.text)")
    }

    /// The guards whose command line contains a word.
    private static func guards(of word: String) -> [pid_t] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        return names.compactMap { pid_t($0) }.filter { number in
            let data = (try? Data(contentsOf: URL(filePath: "/proc/\(number)/cmdline"))) ?? Data()
            let line = String(decoding: data, as: UTF8.self)
            return line.contains("headwind-guard") && line.contains(word)
        }
    }

    @Test func guardIsKilledInACell() async throws {
        let bench = try Bench()
        let result = try await bench.run(
            "link: {fidelity: packet, rtt: 10 ms}\n"
                + "workload: {command: \"kill -9 $PPID; exec sleep 60\"}\nbudgets: {requests: max <= 1}")
        SabotageTests.expect(result, .cellDied)
    }

    /// A command reports nothing about its store, so a budget on that must not pass.
    @Test func metricMissing() async throws {
        let bench = try Bench()
        let result = try await bench.run(
            """
            workload: {command: [curl, --fail, --silent, --output, "{output}", "{url}"], pack: level.bin}
            budgets: {disk_peak: max <= 1 GB}
            """)
        SabotageTests.expect(result, .metricMissing)
    }

    @Test func attemptLost() async throws {
        let bench = try Bench()
        let run = try bench.prepare("attempts: 3\n" + SabotageTests.budgets)
        let result = try await run.perform()
        let (cell, whole) = (run.scenarios[0].cells[0], result.cells[0])
        #expect(result.exitCode == 0, "\(result.text)")
        let plan = CellPlan(
            expectations: cell.expectations.requests, budgets: cell.budgets(over: .modelled), attempts: 3)
        for index in whole.attempts.indices {
            var attempts = whole.attempts
            attempts.remove(at: index)
            let judgement = plan.judge(attempts)
            #expect(judgement.exitCode == 75)
            #expect(judgement.findings.contains { $0.attribution == .attemptLost })
        }
    }

    @Test func machineTooNoisy() async throws {
        let bench = try Bench()
        var dependencies = AttemptDependencies.quiet
        dependencies.noiseLimits = NoiseLimits(lateness: .zero)
        SabotageTests.expect(
            try await bench.run("attempts: {min: 1, max: 2}", dependencies: dependencies), .machineNoisy)
    }

    // Results that cannot be written.

    @Test func resultsDiskFull() async throws {
        let bench = try Bench()
        var run = try bench.prepare(SabotageTests.budgets)
        run.junit = "/dev/full"
        SabotageTests.expect(try await run.perform(), .resultsDiskFull)
    }

    @Test func resultsNotWritten() async throws {
        let bench = try Bench()
        let place = bench.folder.appending("place")
        var run = try bench.prepare(SabotageTests.budgets)
        run.junit = place.appending("junit.xml")
        run.report = { progress in
            guard case .made = progress else { return }
            // A folder that is not empty cannot be replaced by a file.
            try? FileManager.default.removeItem(atPath: place.string)
            try? FileManager.default.createDirectory(
                atPath: place.appending("junit.xml/x").string, withIntermediateDirectories: true)
        }
        let result = try await run.perform()
        SabotageTests.expect(result, .resultsNotWritten)
        #expect(!result.text.contains("disk is full"))
    }

    @Test(arguments: ["events.jsonl", "result.json", "junit.xml", "summary.md"])
    func resultsHaveNoPlace(file: String) async throws {
        let bench = try Bench()
        let output = bench.folder.appending("results")
        try FileManager.default.createDirectory(atPath: output.string, withIntermediateDirectories: true)
        let target = try bench.write("target", Array("mine".utf8))
        if file == "events.jsonl" {
            try FileManager.default.createSymbolicLink(
                atPath: output.appending(file).string, withDestinationPath: "../target")
        } else {
            try bench.write("results/\(file)/x", [])
        }
        var run = try bench.prepare(SabotageTests.budgets)
        run.output = output
        let prepared = run
        let error = await #expect(throws: ResultFileError.self) { try await prepared.perform() }
        #expect(error?.description.contains("'\(file)' in it ") == true)
        #expect(FileManager.default.contents(atPath: target.string) == Data("mine".utf8))
    }

    @Test func resultsHaveNoFolder() async throws {
        let bench = try Bench()
        var run = try bench.prepare(SabotageTests.budgets)
        run.output = try bench.write("results", [])
        let prepared = run
        await #expect(throws: ResultFileError.self) { try await prepared.perform() }
    }
}
