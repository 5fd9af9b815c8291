import SystemPackage
import Testing

/// A short form of Benchmarks/churn, which runs for ten minutes: counts stay equal while toxics are added and removed.
@Suite(.sideBySide, .timeLimit(.minutes(3)))
struct ChurnTests {
    @Test func countsAreTheSameAtBothEnds() async throws {
        let root = FilePath(#filePath).removingLastComponent().removingLastComponent().removingLastComponent()
        let answer = try await ExecRun.line(
            """
            TMPDIR=$PWD PYTHONDONTWRITEBYTECODE=1 exec python3 \(root)/Benchmarks/churn --programs \(ExecRun.built) \
            --connections 4000
            """)
        #expect(
            answer.status == 0 && answer.output.contains("10 of 10 bounds held"), "\(answer.output)\(answer.errors)")
    }
}
