import Foundation
import ResultFiles
import Results
import Scenarios
import SystemPackage
import Testing

@testable import Harness

/// How often a failure is played after its fault schedule was reduced.
@Suite(.sideBySide, .serialized, .timeLimit(.minutes(2)))
struct ReplayShrinkingTests {
    /// A client that fails in each third play up to `last`, whatever the faults.
    @Test(
        "a rare failure is played until it has come back, or its whole schedule is kept",
        arguments: [(1000, 2...100), (17, 1...5)] as [(Int, ClosedRange<Int>)])
    func playsOftenEnough(last: Int, cameBack: ClosedRange<Int>) async throws {
        let bench = try Bench(packs: ["level.bin": 1000])
        let count = bench.folder.appending("count")
        let client = try bench.script(
            "client",
            """
            n=$(cat \(count) 2>/dev/null || echo 0); echo $((n + 1)) > \(count)
            [ $((n % 3)) = 0 ] && [ $n -le \(last) ] && exit 9
            exec curl -sf -o "$HEADWIND_OUTPUT" "$HEADWIND_URL"
            """)
        var run = try bench.prepare("workload: {command: [\(client), '{url}'], pack: level.bin}")
        (run.output, run.jobs) = (bench.folder.appending("results"), 1)
        let cell = try #require(try await run.perform().cells.first)
        let bundle = try FailureBundle(reading: bench.folder.appending("results/\(cell.bundle ?? "")"))
        var replay = try Replay(bundle, programs: Bench.programs, toolVersion: "1")
        replay.run.dependencies = .quiet
        // The run is play 0. The first 17 plays measure a rate of about a third, so about as many more follow. Of these
        // a third fails, or none. A play that the machine disturbs is repeated, and counted by the client.
        let shrunk = try #require(try await replay.shrink())
        #expect(shrunk.plays >= 12 && cameBack.contains(shrunk.cameBack), "\(shrunk.cameBack) of \(shrunk.plays)")
        #expect(shrunk.schedule.lines.count == shrunk.linesBefore)
    }
}
