import CLinux
import Glibc
import SystemPackage

/// The guard of a scratch directory: makes it, and removes it if the harness dies before it can.
///
/// It starts before the directory exists, and lives as long as the harness. So a killed harness never leaves the
/// directory behind.
struct ScratchKeeper: Sendable {
    /// The path of the directory.
    let path: FilePath
    private let processID: pid_t
    private let process: FileDescriptor
    private let lifeline: FileDescriptor

    /// How long a keeper may take to end once it has nothing to keep; it needs milliseconds.
    private static let patience: Duration = .seconds(10)

    /// Starts a keeper, and returns when it has made the directory at `path`.
    ///
    /// Throws `GuardError`, and `Errno` if the directory cannot be made.
    static func start(_ path: FilePath, program: FilePath) async throws -> ScratchKeeper {
        let (keeper, report) = try launch(path, program: program)
        defer { try? report.close() }
        // If this fails, reading blocks, but only for a moment.
        try? report.setNonBlocking()
        // Not a child of this task: it waits for the answer even if this task is cancelled.
        let answer = await Task { await Self.answer(on: report) }.value
        guard let answer, answer.outcome == "kept" else {
            await keeper.end()
            throw answer.map { Errno(rawValue: $0.code) } ?? GuardError.keeperLost(guardProcessID: keeper.processID)
        }
        return keeper
    }

    /// The keeper's report; nil if the keeper was killed before it.
    private static func answer(on report: FileDescriptor) async -> GuardReport.Outcome? {
        do {
            while true {
                if let line = try report.readAvailable(1 << 12) { return GuardReport.Outcome(line: line) }
                await Readiness().wait(for: report)
            }
        } catch {
            return nil
        }
    }

    /// Starts the keeper; also returns the pipe on which its report arrives.
    private static func launch(
        _ path: FilePath, program: FilePath
    ) throws(GuardError) -> (ScratchKeeper, report: FileDescriptor) {
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
        let processID: pid_t
        do {
            processID = try spawn(
                program, arguments: arguments, environment: [], descriptors: theirs.map { ($0, $0.rawValue) })
        } catch {
            throw .noGuard(path: program, error)
        }
        let process = headwind_pidfd_open(processID)
        guard process >= 0 else {
            let error = Errno(rawValue: errno)
            // Without a lifeline the keeper removes the directory, and ends.
            for descriptor in opened { try? descriptor.close() }
            opened = []
            waitpid(processID, nil, 0)
            throw .noResources(attempted: "watch the process guard by pidfd_open(2), which needs Linux 5.3", error)
        }
        opened = theirs
        let keeper = ScratchKeeper(
            path: path, processID: processID, process: FileDescriptor(rawValue: process), lifeline: lifeline.writing)
        return (keeper, report.reading)
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
            _ = headwind_pidfd_send_signal(process.rawValue, SIGKILL)
        }
        // Not a child of this task either.
        await Task {
            while waitpid(processID, nil, WNOHANG) == 0 {
                await Readiness().wait(for: process)
            }
        }.value
        lastResort.cancel()
        await lastResort.value
        try? process.close()
    }
}
