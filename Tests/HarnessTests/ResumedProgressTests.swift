import Results
import Testing

@testable import Harness

/// Progress of a request that resumes an earlier download, with the real client.
@Suite("Progress of a resumed download", .serialized, .timeLimit(.minutes(1)))
struct ResumedProgressTests {
    @Test func earlierBytesCountAsProgress() async throws {
        let bench = try Bench(packs: ["level.bin": 400_000])
        let result = try await bench.run(
            """
            workload:
              - request: {id: level, tags: [level.bin]}
              - end: level
              - request: {id: again, tags: [level.bin]}
            faults: [{pack: level.bin, try: 1, stall: {at: 50 %}}]
            patience: 1 s
            expect: {level: {error: -1001}, again: available}
            """)
        let conduct = try #require(result.cells.first?.attempts.last?.conduct, "\(result.text)")
        #expect(conduct.fetches?.map(\.askedFrom) == [0, 200_000])
        let again = try #require(conduct.requests?.last)
        #expect(again.id == "again" && again.isAvailable && again.progress?.most == 1)
        // Progress may be reported late, but never before its bytes arrive.
        let ahead = again.progress?.ahead
        #expect((ahead?.fraction ?? 0) - (ahead?.share ?? 0) < 0.1, "\(String(describing: ahead))")
    }
}
