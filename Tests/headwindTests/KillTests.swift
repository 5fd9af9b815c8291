import FoundationEssentials
import Glibc
import SystemPackage
import Testing

@testable import headwind

/// A little of what Benchmarks/kills does for long: what is killed at random moments leaves nothing.
///
/// Beside it nothing may run that counts on this machine's interfaces; needs root to have a machine of its own.
@Suite(.sideBySide, .serialized, .timeLimit(.minutes(4))) struct KillTests {
    @Test(.needsRoot, arguments: ["", "--user 65534"])
    func whatIsKilledLeavesNothing(user: String) async throws {
        let run = try ExecRun()
        defer { run.remove() }
        let root = FilePath(#filePath).removingLastComponent().removingLastComponent().removingLastComponent()
        // Other moments each time; a failure tells them.
        let seed = UInt32.random(in: 1...(.max))
        let answer = try await run.run(
            """
            TMPDIR=$PWD PYTHONDONTWRITEBYTECODE=1 exec python3 \(root)/Benchmarks/kills --programs \(ExecRun.built) \
            --moments 6 --sandboxes 12 --seed \(seed) \(user) proof moments sandboxes
            """)
        #expect(answer.status == 0, "seed \(seed)\n\(answer.output)\(answer.errors)")
        #expect(answer.output.contains("12 sandboxes in sequence"))
    }
}
