import CLinux
import Glibc
import LinuxSupport
import SandboxMessages
import Synchronization
import SystemPackage

/// The harness's side of one sandbox: its first process, and the control socket, which a dedicated thread reads.
final class SandboxConnection: Sendable {
    /// An answer of the sandbox, with its descriptors.
    struct Answer: Sendable {
        let reply: SandboxReply
        let descriptors: [FileDescriptor]
        /// The program, if the answer reports that one has started.
        let process: SandboxProcess?
    }

    private struct Pending {
        let continuation: CheckedContinuation<Result<Answer, SandboxError>, Never>
        let since = ContinuousClock.now
    }

    private struct State {
        var nextIdentifier = 0
        var pending: [Int: Pending] = [:]
        var processes: [Int: SandboxProcess] = [:]
        var problem: SandboxError?
        var end: SandboxError?
    }

    private let processID: pid_t
    private let process: FileDescriptor
    private let socket: FileDescriptor
    /// How long an answer may take.
    let patience: Duration
    private let initializer: FilePath
    private let state = Mutex(State())
    /// Opens when no process of the sandbox is left.
    private let ended = Latch<Void>()
    /// Keeps the lines of several tasks from mixing.
    private let sending = Mutex(())

    /// Takes over the descriptors of a sandbox's first process, `initializer`, and of the control socket.
    init(
        processID: pid_t, process: FileDescriptor, socket: FileDescriptor, patience: Duration, initializer: FilePath
    ) {
        self.patience = patience
        self.initializer = initializer
        self.processID = processID
        self.process = process
        self.socket = socket
    }

    /// Sends a request and waits for its answer.
    ///
    /// The caller still owns `descriptors`, and owns the descriptors in the answer.
    func request<Part>(
        _ part: WritableKeyPath<SandboxRequest, Part?>, _ value: Part, descriptors: [FileDescriptor] = []
    ) async throws(SandboxError) -> Answer {
        let identifier = state.withLock { state in
            defer { state.nextIdentifier += 1 }
            return state.nextIdentifier
        }
        let line = SandboxLine.encode(
            SandboxRequest(id: identifier, descriptors: descriptors.count, part, value))
        guard line.count <= SandboxProtocol.longestLine else {
            throw .configuration("a request is longer than \(SandboxProtocol.longestLine) bytes")
        }
        let result: Result<Answer, SandboxError> = await withCheckedContinuation { continuation in
            let end: SandboxError? = state.withLock { state in
                if state.end == nil { state.pending[identifier] = Pending(continuation: continuation) }
                return state.end
            }
            if let end {
                continuation.resume(returning: .failure(end))
            } else {
                // A closed socket means that the sandbox has ended, which the reading thread reports.
                sending.withLock { _ in
                    _ = try? SandboxChannel.send(line, descriptors: descriptors, to: socket)
                }
            }
        }
        return try result.get()
    }

    /// Starts a program that belongs to the sandbox, but runs in this process's networks.
    func accompany(_ arguments: [String], environment: [String: String]) throws(Errno) -> SandboxCompanion {
        let users = try open("user")
        defer { try? users.close() }
        let processes = try open("pid")
        defer { try? processes.close() }
        return try SandboxCompanion(
            arguments, keeper: initializer, environment: environment, users: users, processes: processes)
    }

    private func open(_ namespace: String) throws(Errno) -> FileDescriptor {
        let path = FilePath("/proc/\(processID)/ns/\(namespace)")
        return try withErrno { try FileDescriptor.open(path, .readOnly, options: .closeOnExec) }
    }

    /// Kills the whole sandbox, without waiting for its end.
    ///
    /// It may be called at any time, and more than once.
    func kill(because problem: SandboxError? = nil) {
        state.withLock { if $0.problem == nil { $0.problem = problem } }
        _ = headwind_pidfd_send_signal(process.rawValue, SIGKILL)
    }

    /// Waits until no process of the sandbox is left.
    func waitForEnd() async { await ended.value }

    /// Why the sandbox has ended; `nil` while it runs.
    var end: SandboxError? { state.withLock(\.end) }

    /// Closes the descriptors that it owns.
    ///
    /// The sandbox must have ended.
    func close() {
        try? process.close()
        try? socket.close()
    }

    /// The thread's work: reads until the sandbox closes its end, and waits for its end.
    func run() {
        var channel = SandboxChannel(socket)
        var silence = SandboxSilence(patience: patience)
        do {
            // One thread watches all requests: a timer for each would exist until it fires, long after the answer.
            try SandboxChannel.limitWaits(for: socket, to: patience / 8)
            while true {
                do {
                    guard let line = try channel.nextLine() else { break }
                    let reply = try SandboxLine.decode(SandboxReply.self, from: line)
                    deliver(reply, try channel.takeDescriptors(reply.descriptors ?? 0))
                } catch Errno.resourceTemporarilyUnavailable {}
                let (oldest, processes) = state.withLock { ($0.pending.values.map(\.since).min(), $0.processes) }
                if silence.isTooLong(since: oldest, processes) { kill(because: .silent(patience)) }
            }
        } catch let error as SandboxLineError {
            kill(because: .misunderstood(error.description))
        } catch {
            kill(because: .failed(attempted: "be heard", error as? Errno ?? .ioError))
        }
        finish(SandboxExit.Status(waitStatus: waitStatus()))
    }

    /// Waits until no process of the sandbox is left, and returns the status of the first one.
    ///
    /// It is 0 if the system keeps none, because this process inherited an ignored SIGCHLD.
    private func waitStatus() -> Int32 {
        var event = pollfd(fd: process.rawValue, events: Int16(POLLIN), revents: 0)
        while unsafe poll(&event, 1, -1) < 0, errno == EINTR {}
        var status: Int32 = 0
        unsafe waitpid(processID, &status, WNOHANG)
        return status
    }

    private func deliver(_ reply: SandboxReply, _ descriptors: [FileDescriptor]) {
        if let ended = reply.ended {
            let status = ended.signal.map(SandboxExit.Status.signaled) ?? .exited(ended.status ?? 0)
            let process = state.withLock { $0.processes.removeValue(forKey: ended.spawn) }
            process?.ended.open(.success(SandboxExit(status: status, endedNanoseconds: ended.at)))
            return
        }
        guard let identifier = reply.id, let pending = state.withLock({ $0.pending.removeValue(forKey: identifier) })
        else {
            for descriptor in descriptors { try? descriptor.close() }
            // A sandbox that fails at once may report that before the request that it answers.
            if let failure = reply.failure {
                state.withLock { $0.problem = $0.problem ?? SandboxError(failure, programs: nil) }
            }
            return
        }
        var process: SandboxProcess?
        if let spawned = reply.spawned, let descriptor = descriptors.first {
            let started = SandboxProcess(
                processIDInside: spawned.process, descriptor: descriptor)
            state.withLock { $0.processes[identifier] = started }
            process = started
        }
        pending.continuation.resume(
            returning: .success(Answer(reply: reply, descriptors: descriptors, process: process)))
    }

    private func finish(_ death: SandboxExit.Status) {
        let (end, pending, processes) = state.withLock { state in
            let end = state.problem ?? .died(death)
            state.end = end
            defer { (state.pending, state.processes) = ([:], [:]) }
            return (end, state.pending, state.processes)
        }
        for one in pending.values { one.continuation.resume(returning: .failure(end)) }
        for process in processes.values { process.ended.open(.failure(end)) }
        ended.open(())
    }
}

/// Measures how long a sandbox has owed a message: an answer, or the report that a program has ended.
struct SandboxSilence {
    let patience: Duration
    /// When this process first saw that a program had ended, for programs whose end the sandbox has not reported.
    private var ended: [Int: ContinuousClock.Instant] = [:]

    init(patience: Duration) { self.patience = patience }

    /// Whether a message is overdue by more than the patience: an answer since `oldest`, or the end of one of
    /// `processes`.
    mutating func isTooLong(since oldest: ContinuousClock.Instant?, _ processes: [Int: SandboxProcess]) -> Bool {
        ended = ended.filter { processes[$0.key] != nil }
        for (number, process) in processes where ended[number] == nil && process.hasEnded { ended[number] = .now }
        guard let since = (ended.values + [oldest].compactMap { $0 }).min() else { return false }
        return since.duration(to: .now) > patience
    }
}
