import CLinux
import Glibc
import LinuxSupport
import SystemPackage

/// The guard of a scratch directory: makes it, and removes it if the harness dies before it can.
///
/// It starts before the directory exists, and lives as long as the harness. So a killed harness never leaves the
/// directory behind.
struct ScratchKeeper: Sendable {
    /// The path of the directory.
    let path: FilePath
    private let started: GuardStarter.Started
    private let lifeline: FileDescriptor

    /// How long a keeper may take to end once it has nothing to keep; it needs milliseconds.
    private static let patience: Duration = .seconds(10)

    /// Starts a keeper, and returns when it has made the directory at `path`.
    ///
    /// Throws `GuardError`, and `Errno` if the directory cannot be made.
    static func start(_ path: FilePath, program: FilePath) async throws -> ScratchKeeper {
        let (keeper, report): (ScratchKeeper, FileDescriptor)
        do {
            (keeper, report) = try await launch(path, program: program)
        } catch {
            // A keeper that cannot be watched is killed, and may have made the directory before.
            _ = ScratchDirectory.sweep(path)
            throw error
        }
        defer { try? report.close() }
        // If this fails, reading blocks, but only for a moment.
        try? report.setNonBlocking()
        // Not a child of this task: it waits for the answer even if this task is cancelled.
        let answer = await Task { await Self.answer(on: report) }.value
        guard let answer, answer.outcome == "kept" else {
            await keeper.end()
            let processID = keeper.started.processID
            throw answer.map { Errno(rawValue: $0.code) } ?? GuardError.keeperLost(guardProcessID: processID)
        }
        return keeper
    }

    /// The keeper's report; nil if the keeper was killed before it.
    private static func answer(on report: FileDescriptor) async -> GuardReport? {
        do {
            while true {
                if let line = try report.readAvailable(1 << 12) { return GuardReport(line: line) }
                await Readiness().wait(for: report)
            }
        } catch {
            return nil
        }
    }

    /// Starts the keeper; also returns the pipe on which its report arrives.
    private static func launch(
        _ path: FilePath, program: FilePath
    ) async throws -> (ScratchKeeper, report: FileDescriptor) {
        // The descriptors to close here: all except those that are handed over at the end.
        var opened: [FileDescriptor] = []
        defer { for descriptor in opened { try? descriptor.close() } }
        let lifeline = try openPipe(&opened)
        let report = try openPipe(&opened)
        let theirs = [lifeline.reading, report.writing]
        let arguments = [
            program.string, "--lifeline", "\(theirs[0].rawValue)", "--report", "\(theirs[1].rawValue)",
            "--keep", path.string,
        ]
        let started = try await GuardStarter.here.start(
            GuardStarter.Request(
                program: program, arguments: arguments, environment: [:],
                descriptors: theirs.map { (descriptor: $0, number: $0.rawValue) }))
        opened = theirs
        return (ScratchKeeper(path: path, started: started, lifeline: lifeline.writing), report.reading)
    }

    /// Opens a pipe, and adds both ends to `opened`.
    private static func openPipe(
        _ opened: inout [FileDescriptor]
    ) throws(GuardError) -> (reading: FileDescriptor, writing: FileDescriptor) {
        do {
            let pipe = try makePipe()
            opened += [pipe.reading, pipe.writing]
            return pipe
        } catch {
            throw .noResources(attempted: "open a pipe to the process guard", error)
        }
    }

    /// Releases the keeper, and waits until it has ended.
    ///
    /// It removes the directory if that still exists.
    func end() async {
        try? lifeline.close()
        let lastResort = Task {
            guard (try? await Task.sleep(for: Self.patience)) != nil else { return }
            // A keeper should never hang. But if one does, the harness must not hang with it.
            _ = headwind_pidfd_send_signal(started.descriptor.rawValue, SIGKILL)
        }
        // Not a child of this task either.
        await Task { _ = try? await started.wait() }.value
        lastResort.cancel()
        await lastResort.value
        try? started.descriptor.close()
    }
}
