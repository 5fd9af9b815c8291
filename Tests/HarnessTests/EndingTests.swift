import Foundation
import Results
import Scenarios
import SystemPackage
import Testing

@testable import Harness

/// Attempts that do not end by themselves, and runs that are cancelled: nothing remains.
@Suite(.sideBySide, .serialized, .timeLimit(.minutes(2)))
struct EndingTests {
    /// A client that ignores SIGTERM and whose grandchild has left its session and its parent.
    static func hang(marked mark: String, note: String) -> String {
        """
        workload:
          command: "pwd > \(note); trap '' TERM; (setsid sh -c 'trap \\"\\" TERM; sleep \(mark)' &); sleep \(mark)"
        """
    }

    @Test func hungClientCostsItsDeadline() async throws {
        let bench = try Bench()
        let note = bench.folder.appending("note").string
        let clock = ContinuousClock()
        let start = clock.now
        let result = try await bench.run(Self.hang(marked: "86311", note: note) + "\ndeadline: 1 s")
        // A second to the deadline, two between SIGTERM and SIGKILL.
        #expect(start.duration(to: clock.now) < .seconds(7))
        #expect(result.exitCode == 99)
        #expect(result.attributions == [.clientHung], "\(result.text)")
        #expect(Processes.count(marked: "86311") == 0)
        let folder = try String(contentsOfFile: note, encoding: .utf8).split(separator: "\n")[0]
        #expect(!FileManager.default.fileExists(atPath: String(folder)))
    }

    @Test func cancelledRunLeavesNothing() async throws {
        let bench = try Bench()
        let note = bench.folder.appending("note").string
        let run = try bench.prepare(Self.hang(marked: "86312", note: note) + "\ndeadline: 60 s")
        let task = Task { try await run.perform() }
        let clock = ContinuousClock()
        let start = clock.now
        while Processes.count(marked: "86312") < 2, start.duration(to: clock.now) < .seconds(20) {
            try await Task.sleep(for: .milliseconds(10))
        }
        #expect(Processes.count(marked: "86312") >= 2)
        task.cancel()
        let result = try await task.value
        #expect(result.exitCode == 130 && result.attributions == [.interrupted] && result.cells.isEmpty)
        #expect(Processes.count(marked: "86312") == 0)
        let folder = try String(contentsOfFile: note, encoding: .utf8).split(separator: "\n")[0]
        let scratch = folder.split(separator: "/").prefix { !$0.hasPrefix("cell") }.joined(separator: "/")
        #expect(!FileManager.default.fileExists(atPath: "/\(scratch)"))
    }
}
