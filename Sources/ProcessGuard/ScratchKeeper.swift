import CLinux
import Glibc
import SystemPackage

/// The guard of a scratch directory: makes it, and removes it where the harness does not live to do so.
///
/// It lives before the directory does and as long as the harness, so that there is no moment at which a killed harness
/// leaves the directory behind.
struct ScratchKeeper: Sendable {
    /// Where it made the directory.
    let path: FilePath
    private let processID: pid_t
    private let process: FileDescriptor
    private let lifeline: FileDescriptor

    /// How long a keeper may take to end when there is nothing left to keep; it needs milliseconds.
    private static let patience: Duration = .seconds(10)

    /// Starts a keeper, and answers when it has made the directory at `path`.
    ///
    /// Throws `GuardError`, and `Errno` where the directory cannot be made.
    static func start(_ path: FilePath, program: FilePath) async throws -> ScratchKeeper {
        let (keeper, report) = try launch(path, program: program)
        defer { try? report.close() }
        // Where that fails, reading waits, which takes a moment.
        try? report.setNonBlocking()
        // Not a child of this task, because the answer is waited for even if this task is cancelled.
        let answer = await Task { await Self.answer(on: report) }.value
        guard let answer, answer.outcome == "kept" else {
            await keeper.end()
            throw answer.map { Errno(rawValue: $0.code) } ?? GuardError.keeperLost(guardProcessID: keeper.processID)
        }
        return keeper
    }

    /// What the keeper tells; nil where it was killed before.
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

    /// Starts the program, and answers where its report arrives.
    private static func launch(
        _ path: FilePath, program: FilePath
    ) throws(GuardError) -> (ScratchKeeper, report: FileDescriptor) {
        // What is to be closed here: everything but what is handed over at the end.
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
            // Without a lifeline it removes what it has made, and ends.
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

    /// Opens a pipe, and notes both its ends.
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

    /// Lets it go, and answers when it has ended.
    ///
    /// It removes the directory if that is still there.
    func end() async {
        try? lifeline.close()
        let lastResort = Task {
            guard (try? await Task.sleep(for: Self.patience)) != nil else { return }
            // It cannot hang, but then a harness must not hang either.
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
