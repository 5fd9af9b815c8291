import ArgumentParser
import Foundation
import Glibc
import Testing

@testable import headwind

/// The program itself, told to end while a client runs.
@Suite(.serialized, .timeLimit(.minutes(2)))
struct RunEndingTests {
    /// A run in a folder of its own, whose client waits until it is ended.
    private final class Waiting {
        let folder: URL
        let process = Process()
        private let log: FileHandle

        /// Starts it, with SIGHUP ignored as nohup(1) does it or not, and waits for its client.
        init(ignoresHangup: Bool = false, script: String = "exec sleep 86314") throws {
            folder = FileManager.default.temporaryDirectory.appending(path: "run-ending-\(UUID().uuidString)")
            let manager = FileManager.default
            for name in ["packs", "tmp"] {
                try manager.createDirectory(at: folder.appending(path: name), withIntermediateDirectories: true)
            }
            try Data("abc".utf8).write(to: folder.appending(path: "packs/a.bin"))
            let up = folder.appending(path: "up").path
            let scenario = """
                scenario: Waits
                packs: ./packs/
                link: {}
                workload: {command: [sh, -c, "echo > \(up); \(script)"]}
                budgets: {requests: max <= 1}
                deadline: 60 s
                """
            try Data(scenario.utf8).write(to: folder.appending(path: "waits.yaml"))
            let executable = try manager.destinationOfSymbolicLink(atPath: "/proc/self/exe")
            let program = URL(filePath: executable).deletingLastPathComponent().appending(path: "headwind").path
            try Data().write(to: folder.appending(path: "log"))
            log = try FileHandle(forWritingTo: folder.appending(path: "log"))
            // Commands that ran in the process of the tests have had signals ignored, which is inherited.
            process.executableURL = URL(filePath: "/usr/bin/env")
            let hangup = ignoresHangup ? "--ignore-signal=HUP" : "--default-signal=HUP"
            process.arguments = [hangup, program, "run", "waits.yaml", "--output", "results"]
            process.currentDirectoryURL = folder
            process.environment = ProcessInfo.processInfo.environment.merging(
                ["TMPDIR": folder.appending(path: "tmp").path]) { _, new in new }
            process.standardInput = FileHandle.nullDevice
            process.standardOutput = log
            process.standardError = log
            try process.run()
            while !manager.fileExists(atPath: up), process.isRunning { usleep(10_000) }
        }

        deinit {
            if process.isRunning { kill(process.processIdentifier, SIGKILL) }
            try? FileManager.default.removeItem(at: folder)
        }

        func send(_ signals: Int32...) {
            for signal in signals { kill(process.processIdentifier, signal) }
        }

        func status() -> Int32 {
            process.waitUntilExit()
            return process.terminationStatus
        }

        var written: String { (try? String(contentsOf: folder.appending(path: "log"), encoding: .utf8)) ?? "" }

        /// Of `result.json`: the exit code, the findings of the run, the cells without a verdict.
        func result() throws -> Written {
            try JSONDecoder().decode(
                Written.self, from: Data(contentsOf: folder.appending(path: "results/result.json")))
        }

        /// What is left of the folder for temporary files, when guards have had their time.
        func remains() -> [String] {
            let path = folder.appending(path: "tmp").path
            var names: [String] = []
            for _ in 0..<1000 {
                names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
                if names.isEmpty { break }
                usleep(10_000)
            }
            return names
        }
    }

    private struct Written: Decodable {
        struct Finding: Decodable { let finding: String }

        let verdict: String
        let exitCode: Int32
        let findings: [Finding]
        let unfinishedCells: [String]

        private enum CodingKeys: String, CodingKey {
            case verdict, findings
            case exitCode = "exit_code"
            case unfinishedCells = "unfinished_cells"
        }
    }

    @Test(
        arguments: [(SIGINT, 130, "interrupted"), (SIGTERM, 143, "terminated"), (SIGHUP, 143, "terminated")]
            as [(Int32, Int32, String)])
    func aSignalEndsItInOrder(signal: Int32, status: Int32, finding: String) throws {
        let run = try Waiting()
        run.send(signal)
        #expect(run.status() == status, "\(run.written)")
        let result = try run.result()
        #expect(result.exitCode == status && result.findings.map(\.finding) == [finding])
        #expect(run.written.contains("0 of 1 cell finished"), "\(run.written)")
        #expect(run.remains().isEmpty)
    }

    @Test func anIgnoredHangupStaysIgnored() throws {
        let run = try Waiting(ignoresHangup: true)
        run.send(SIGHUP)
        // Were it minded, it would be the first one.
        run.send(SIGINT)
        #expect(run.status() == 130, "\(run.written)")
        #expect(!run.written.contains("ended at once"))
    }

    /// As timeout(1) does it: to the command, and to its group.
    @Test func theSameSignalTwiceIsOne() async throws {
        let run = try Waiting(script: "trap '' TERM; while :; do sleep 0.1; done")
        run.send(SIGTERM)
        try await Task.sleep(for: .milliseconds(50))
        run.send(SIGTERM)
        #expect(run.status() == 143, "\(run.written)")
        #expect(!run.written.contains("ended at once"), "\(run.written)")
        #expect(try run.result().findings.map(\.finding) == ["terminated"])
    }

    @Test func aSecondSignalEndsItAtOnceAndSaysWhatMayRemain() throws {
        // A client that takes its time, so that the run is still at its end.
        let run = try Waiting(script: "trap '' TERM; while :; do sleep 0.1; done")
        // In either order: two of the same kind at the same moment would be one.
        run.send(SIGTERM, SIGHUP)
        #expect(run.status() == 143, "\(run.written)")
        #expect(run.written.contains("headwind: ended at once, without clean-up."), "\(run.written)")
        #expect(run.written.contains(run.folder.appending(path: "tmp/headwind-").path), "\(run.written)")
        #expect(try run.result().findings.map(\.finding) == ["unfinished"])
        #expect(run.remains().isEmpty)
    }

    @Test func killedItLeavesAResultThatIsNotWhole() async throws {
        let run = try Waiting()
        run.send(SIGKILL)
        _ = run.status()
        let result = try run.result()
        #expect(result.verdict == "infrastructure" && result.exitCode == 75 && result.unfinishedCells == ["waits"])
        #expect(run.remains().isEmpty)
        let error = await #expect(throws: ExitCode.self) {
            try await ReportShowCommand.parse([run.folder.appending(path: "results").path, "--format", "junit"]).run()
        }
        #expect(error?.rawValue == 75)
    }
}
