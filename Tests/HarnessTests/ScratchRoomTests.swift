import Evidence
import Foundation
import Results
import Synchronization
import SystemPackage
import Testing

@testable import Harness

/// A full file system for scratch files is an infrastructure failure, and no error that a scenario may expect.
@Suite(.sideBySide, .serialized, .timeLimit(.minutes(1)))
struct ScratchRoomTests {
    /// Dependencies that report these numbers of free bytes in turn, and then repeat the last one.
    static func dependencies(free: Int64...) -> AttemptDependencies {
        let left = RoomSource(free)
        var dependencies = AttemptDependencies.quiet
        dependencies.freeBytes = { _ in left.next() }
        return dependencies
    }

    static let failing = "workload: {command: 'curl -fsS -o {output} {url}; exit 23', pack: level.bin}\n"
    static let plenty: Int64 = 1 << 40

    @Test(arguments: ["", "expect: {exit: 23}"]) func afterwards(expectation: String) async throws {
        let full = try await Bench().run(
            Self.failing + expectation, dependencies: Self.dependencies(free: Self.plenty, 4096))
        #expect(full.exitCode == 75, "\(full.text)")
        #expect(full.attributions.contains(.scratchDiskFull))
        let roomy = try await Bench().run(
            Self.failing + expectation, dependencies: Self.dependencies(free: Self.plenty))
        #expect(roomy.exitCode == (expectation.isEmpty ? 99 : 0), "\(roomy.text)")
        #expect(!roomy.attributions.contains(.scratchDiskFull))
    }

    /// A shortage counts even if the client removes its files before it ends.
    @Test func meanwhile() async throws {
        let result = try await Bench().run(
            "workload: {command: 'sleep 1; exit 23'}\nexpect: {exit: 23}",
            dependencies: Self.dependencies(free: Self.plenty, Self.plenty, 4096, Self.plenty))
        #expect(result.exitCode == 75 && result.attributions == [.scratchDiskFull], "\(result.text)")
    }

    @Test(arguments: ["", "workload: {command: [curl, '{url}'], pack: level.bin}"])
    func before(workload: String) async throws {
        // Twice the 200,000 bytes of the pack, and the least that must always be free.
        let needed = 400_000 + AttemptTrace.leastRoomBytes
        let result = try await Bench().run(workload, dependencies: Self.dependencies(free: needed - 1))
        #expect(result.exitCode == 75 && result.attributions.contains(.scratchDiskFull), "\(result.text)")
        #expect(result.cells.first?.attempts.first?.clientEnd == nil)
        let enough = try await Bench().run(workload, dependencies: Self.dependencies(free: needed))
        #expect(enough.exitCode == 0, "\(enough.text)")
    }

    /// Mounts are possible, in a namespace that ends with its process.
    static let canMount = (try? run("true").status) == 0

    /// The program itself, whose file system for scratch files is full from the start, or gets full while it builds
    /// packs.
    @Test(.enabled(if: canMount), arguments: [true, false]) func fileSystem(isFull: Bool) throws {
        let bench = try Bench()
        let temporary = bench.folder.appending("tmp").string
        try FileManager.default.createDirectory(atPath: temporary, withIntermediateDirectories: true)
        try bench.write("a.yaml", "scenario: A\ncatalog: shapes\nlink: {}\nworkload: [{request: {tags: [red]}}]\n".utf8)
        let program = Bench.programs.client.removingLastComponent().appending("headwind")
        let fill = isFull ? "head -c 2m /dev/zero > \(temporary)/fill 2>/dev/null;" : ""
        let (status, text) = try Self.run(
            "mount -t tmpfs -o size=1m none \(temporary) && { \(fill) cd \(bench.folder);"
                + "TMPDIR=\(temporary) exec \(program) run a.yaml --output results; }")
        #expect(status == 75, "\(text)")
        let json = try String(contentsOfFile: bench.folder.appending("results/result.json").string, encoding: .utf8)
        #expect(json.contains("\"scratch_disk_full\""), "\(text)")
        #expect(!json.contains("harness_failed"), "\(text)")
    }

    private static func run(_ script: String) throws -> (status: Int32, text: String) {
        let process = Process()
        let pipe = Pipe()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["unshare", "-m", "sh", "-c", "mount --make-rprivate / && { \(script); }"]
        process.standardOutput = pipe
        process.standardError = pipe
        try process.run()
        let data = try pipe.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return (process.terminationStatus, String(decoding: data, as: UTF8.self))
    }
}

/// Returns numbers in turn, and then repeats the last one.
private final class RoomSource: Sendable {
    private let left: Mutex<[Int64]>

    init(_ numbers: [Int64]) { left = Mutex(numbers) }

    func next() -> Int64? {
        left.withLock { $0.count > 1 ? $0.removeFirst() : $0.first }
    }
}
