import FoundationEssentials
import Glibc
import KernelLink
import LinkModel
import Links
import LinuxSupport
import Synchronization
import SystemPackage
import Testbed
import Wording

/// Runs a program in a sandbox, where all its packets cross a link to this machine's networks.
struct PacketExec {
    let plan: ExecPlan
    let backend: LinkBackend
    let pasta: FilePath
    let context: ExecContext
    /// Whether the program may have started: then it must not be started again.
    private let mayHaveStarted = Flag()

    private final class Flag: Sendable {
        let isSet = Atomic(false)
    }

    /// The machine lacks something that a packet link needs; the program has not started.
    struct Unavailable: Error, CustomStringConvertible {
        let description: String
    }

    func run() async throws -> ExecOutcome {
        try context.descriptors.check(most: SandboxCommand.mostDescriptors)
        var configuration = SandboxConfiguration()
        configuration.mtu = plan.profile.conditions.mtu
        configuration.outside = SandboxAddresses.outside
        configuration.link = backend.provider.sandbox ?? .packets
        return try await inSandbox(configuration).get()
    }

    /// The result of the program; throws the error that kept it from starting.
    private func inSandbox(_ configuration: SandboxConfiguration) async throws -> Result<ExecOutcome, any Error> {
        do {
            return try await withSandbox(configuration) { sandbox in
                try await sandbox.withOutside(by: pasta) { companion in await result(in: sandbox, companion) }
            }
        } catch let error as SandboxError {
            throw Self.cause(error, mayHaveStarted: hasPossiblyStarted)
        } catch let error as SandboxOutsideError {
            throw Unavailable(description: error.description)
        }
    }

    /// Whether the program may have started.
    var hasPossiblyStarted: Bool { mayHaveStarted.isSet.load(ordering: .sequentiallyConsistent) }

    /// The error to throw: ``Unavailable``, after which another backend may be tried, only if the program cannot have
    /// started.
    static func cause(_ error: SandboxError, mayHaveStarted: Bool) -> any Error {
        switch error {
        case .died, .silent: error
        case _ where mayHaveStarted: error
        default: Unavailable(description: error.description)
        }
    }

    private func result(in sandbox: Testbed.Sandbox, _ companion: SandboxCompanion) async -> Result<
        ExecOutcome, any Error
    > {
        do {
            let outcome = try await run(in: sandbox)
            guard let end = companion.end else { return .success(outcome) }
            let status = ExecStatus(status: ExecStatus.ownFailure, cause: .headwind, message: end.consequence)
            return .success(ExecOutcome(status: status))
        } catch {
            return .failure(error)
        }
    }

    private func run(in sandbox: Testbed.Sandbox) async throws -> ExecOutcome {
        let place = LinkPlace.sandbox(sandbox, capture: plan.capture?.packets)
        do {
            let (outcome, use) = try await backend.provider.withLink(plan.link, at: place) { link, _ in
                let program = ProgramWatch(link, playing: plan.faults, isRecording: plan.isRecorded)
                let end = try await LoopbackForward.with(plan.forwards, of: sandbox) {
                    try await run(in: sandbox, behind: program)
                }
                let outcome = ExecOutcome(status: ExecStatus(end), record: try await program.end(end))
                // The capture is complete only after the link has closed.
                try await link.close()
                return (outcome, try await link.use())
            }
            try report(use, sandbox)
            return outcome
        } catch let error as KernelLinkError where !hasPossiblyStarted {
            throw Unavailable(description: error.description)
        }
    }

    /// Runs the program, and returns how it ended.
    func run(in sandbox: Testbed.Sandbox, behind program: ProgramWatch) async throws -> ProgramEnd {
        let hasTerminal = isatty(STDIN_FILENO) == 1 && !plan.isBesideOthers
        let terminal = hasTerminal ? try PseudoTerminal(like: .standardInput) : nil
        defer { terminal?.close() }
        let signals = context.signals
        let process = try await start(in: sandbox, terminal)
        let relay: ForegroundRelay
        do {
            relay = try ForegroundRelay(terminal) { signals.programInterrupted(by: $0) }
        } catch {
            process.signal(SIGKILL)
            throw error
        }
        signals.programStarted { signal in
            if ExecSignals.forwarded.contains(signal.number) {
                process.deliver(signal)
            } else {
                relay.follow(signal.number)
            }
        }
        let watch = ExecWatch(plan, program) { process.signalGroup($0) }
        let exit = try await ending {
            try await process.wait()
        } with: {
            signals.programEnded()
            await relay.end()
        }
        if await watch.end() { return .late }
        return switch exit.status {
        case .exited(let status): .exited(status)
        case .signaled(let signal): .signalled(signal)
        }
    }

    private func start(in sandbox: Testbed.Sandbox, _ terminal: PseudoTerminal?) async throws -> SandboxProcess {
        var environment = ProcessInfo.processInfo.environment
        LocalServers.pass(&environment)
        for (name, value) in plan.capture?.variables(in: sandbox) ?? [:] { environment[name] = value }
        var command = SandboxCommand(plan.words, environment: environment)
        let nothing = plan.isBesideOthers ? try FileDescriptor.open("/dev/null", .readOnly, options: .closeOnExec) : nil
        defer { try? nothing?.close() }
        for number in context.descriptors.forPrograms {
            if number == STDIN_FILENO, let nothing {
                command.descriptors.append((nothing, number))
                continue
            }
            let isOwn = number <= STDERR_FILENO && isatty(number) == 1
            let descriptor = isOwn ? terminal?.terminal : nil
            command.descriptors.append((descriptor ?? FileDescriptor(rawValue: number), number))
        }
        command.terminal = terminal == nil ? nil : STDIN_FILENO
        // Set it before, as the answer may be lost.
        mayHaveStarted.isSet.store(true, ordering: .sequentiallyConsistent)
        do {
            return try await sandbox.spawn(command)
        } catch {
            guard case .notStarted(let program, let stage, let errno) = error, stage == .execute else { throw error }
            throw ForegroundProcess.NotStarted(program: program, error: errno.rawValue)
        }
    }

    private func report(_ use: LinkUse, _ sandbox: Testbed.Sandbox) throws {
        let summary = PacketSummary(profile: plan.profile.name, use: use)
        for note in summary.notes { context.note("\(note)") }
        guard let capture = plan.capture else { return }
        if let failure = use.captureFailure { throw ExecError(failure) }
        try capture.addSecrets(of: sandbox)
        if let trouble = use.captureTrouble { context.note("\(trouble).") }
    }
}

extension SandboxProcess {
    /// Delivers a signal as if the program ran directly: a signal from the terminal goes to its whole group.
    fileprivate func deliver(_ sent: SignalPipe.Signal) {
        if sent.isSentByProcess { signal(sent.number) } else { signalGroup(sent.number) }
    }

    /// Sends a signal to the program and its process group.
    fileprivate func signalGroup(_ number: Int32) {
        var event = pollfd(fd: descriptor.rawValue, events: Int16(POLLIN), revents: 0)
        guard processIDOutside > 0, poll(&event, 1, 0) == 0 else { return }
        // The program leads its group.
        kill(-processIDOutside, number)
    }
}

/// One line about the traffic of a packet link.
struct PacketSummary {
    let profile: String
    let use: LinkUse

    /// Such as `3g: 1.2 MB down, 4.1 kB up, 3 flows, 712 kbit/s down on average over 13.4 s, 2 packets lost`.
    ///
    /// Packets that queues dropped follow: `4 dropped by queues`.
    var line: String {
        let link = use.model
        var parts = [LinkSummary(profile: profile, use: use).line(counting: "flow")]
        let lost = link.downlink.lostPackets + link.uplink.lostPackets
        let dropped = link.downlink.droppedPackets + link.uplink.droppedPackets
        if lost > 0 { parts.append("\(lost.counted("packet")) lost") }
        if dropped > 0 { parts.append("\(dropped) dropped by full queues") }
        let offline = link.downlink.offlinePackets + link.uplink.offlinePackets
        if offline > 0 { parts.append("\(offline) lost while offline") }
        return parts.joined(separator: ", ")
    }

    /// All lines for the user: the traffic, and reasons why it may mislead.
    var notes: [String] {
        let refusal = use.hasUnansweredPings ? PingGroups.current.refusal() : nil
        return [line, warning, refusal].compactMap(\.self)
    }

    /// A warning if the program sent nothing over the link; nil if it tried, even without success.
    var warning: String? {
        let taken = [use.model.downlink, use.model.uplink].reduce(0) {
            $0 + $1.lostPackets + $1.droppedPackets + $1.offlinePackets
        }
        guard use.connections == 0, taken == 0 else { return nil }
        return """
            WARNING: nothing crossed the link, so this run says nothing about a bad network. In a sandbox 127.0.0.1 is CMD's own: \
            reach this machine as \(SandboxAddresses.outside.hostName), or by --forward PORT.
            """
    }
}
