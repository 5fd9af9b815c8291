import FoundationEssentials
import Glibc
import SystemPackage
import Testing

@testable import headwind

/// A short form of Benchmarks/kills: processes that are killed at random moments leave nothing.
///
/// Needs root for a machine of its own, as nothing that counts this machine's interfaces may run at the same time.
@Suite(.sideBySide, .serialized, .timeLimit(.minutes(4))) struct KillTests {
    @Test(.needsRoot, arguments: ["", "--user 65534"])
    func killedProcessesLeaveNothing(user: String) async throws {
        let run = try ExecRun()
        defer { run.remove() }
        let root = FilePath(#filePath).removingLastComponent().removingLastComponent().removingLastComponent()
        // The moments differ each time; a failure prints the seed.
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
