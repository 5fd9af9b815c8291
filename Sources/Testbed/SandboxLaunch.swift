import CLinux
import Glibc
import LinuxSupport
import SandboxMessages
import SystemPackage

/// The start of one sandbox.
///
/// It closes or hands over all that it opens, also after an error.
struct SandboxLaunch: ~Copyable {
    private let configuration: SandboxConfiguration
    private var opened: [FileDescriptor] = []

    init(_ configuration: SandboxConfiguration) {
        self.configuration = configuration
    }

    deinit {
        for descriptor in opened { try? descriptor.close() }
    }

    /// Clones the sandbox's first process, writes its user and group maps, and lets it continue.
    consuming func start() throws(SandboxError) -> SandboxConnection {
        let programs = try programs
        for program in [programs.initializer, programs.sandbox] {
            guard unsafe access(program.string, X_OK) == 0 else {
                throw .noProgram(path: program, Errno(rawValue: errno))
            }
        }
        let (ours, theirs) = try openPair()
        let harness = try own(headwind_pidfd_open(getpid()), "watch this process by pidfd_open(2) (Linux 5.3 or later)")
        let gate = try openGate()
        let (processID, process) = try withProcess(
            programs, control: theirs, harness: harness, gate: gate.reading
        ) { processID, process throws(SandboxError) in
            do throws(SandboxError) { try SandboxMaps.write(for: processID) } catch {
                // A process that has ended has no maps. It has sent the reason, which the connection reads.
                guard Self.ends(process) else { throw error }
            }
            _ = try? gate.writing.writeAll([UInt8(ascii: "g")])
        }
        let connection = SandboxConnection(
            processID: processID, process: process, socket: ours, patience: configuration.patience,
            initializer: programs.initializer)
        do {
            try DedicatedThread.start { connection.run() }
        } catch {
            Self.end(processID)
            throw SandboxError.noResources(attempted: "start a thread", error)
        }
        opened.removeAll { $0 == ours || $0 == process }
        return connection
    }

    /// Whether a process ends within 100 ms.
    private static func ends(_ process: FileDescriptor) -> Bool {
        var event = pollfd(fd: process.rawValue, events: Int16(POLLIN), revents: 0)
        return unsafe poll(&event, 1, 100) > 0
    }

    private static func end(_ processID: pid_t) {
        kill(processID, SIGKILL)
        while waitpid(processID, nil, 0) < 0, errno == EINTR {}
    }

    private var programs: SandboxConfiguration.Programs {
        get throws(SandboxError) {
            if let programs = configuration.programs { return programs }
            return try .besideThisProgram()
        }
    }

    private mutating func own(_ descriptor: Int32, _ attempted: String) throws(SandboxError) -> FileDescriptor {
        guard descriptor >= 0 else { throw .noResources(attempted: attempted, Errno(rawValue: errno)) }
        opened.append(FileDescriptor(rawValue: descriptor))
        return FileDescriptor(rawValue: descriptor)
    }

    private mutating func openPair() throws(SandboxError) -> (ours: FileDescriptor, theirs: FileDescriptor) {
        var ends: [CInt] = [-1, -1]
        let result = unsafe headwind_socket_pair(&ends)
        let ours = try own(result < 0 ? -1 : ends[0], "open a socket")
        return (ours, try own(ends[1], "open a socket"))
    }

    private mutating func openGate() throws(SandboxError) -> (reading: FileDescriptor, writing: FileDescriptor) {
        do {
            let (reading, writing) = try FileDescriptor.pipe(options: .closeOnExec)
            opened += [reading, writing]
            return (reading, writing)
        } catch {
            throw .noResources(attempted: "open a pipe", error)
        }
    }

    /// Clones the process, which executes its program after `body`; if `body` throws, the process ends.
    private mutating func withProcess(
        _ programs: SandboxConfiguration.Programs, control: FileDescriptor, harness: FileDescriptor,
        gate: FileDescriptor, _ body: (pid_t, FileDescriptor) throws(SandboxError) -> Void
    ) throws(SandboxError) -> (pid_t, FileDescriptor) {
        // Only the variables that locate Swift's libraries.
        let names: [String] = ["PATH", "LD_LIBRARY_PATH"]
        let variables = names.compactMap { name in Environment.value(name).map { "\(name)=\($0)" } }
        let words = [programs.initializer.string, programs.sandbox.string]
        return try unsafe withCStrings(words) { arguments throws(SandboxError) in
            try unsafe withCStrings(variables) { environment throws(SandboxError) in
                var sandbox = unsafe headwind_sandbox()
                unsafe (sandbox.arguments, sandbox.environment) = (arguments, environment)
                unsafe (sandbox.control, sandbox.harness) = (control.rawValue, harness.rawValue)
                unsafe sandbox.gate = gate.rawValue
                return try unsafe withUnsafeMutablePointer(to: &sandbox) { sandbox throws(SandboxError) in
                    let processID = unsafe headwind_sandbox_begin(sandbox)
                    guard processID > 0 else { throw SandboxError(.clone, Errno(rawValue: errno)) }
                    defer { unsafe headwind_sandbox_end(sandbox) }
                    do throws(SandboxError) {
                        let process = try own(headwind_pidfd_open(processID), "watch a process")
                        try body(processID, process)
                        return (processID, process)
                    } catch {
                        Self.end(processID)
                        throw error
                    }
                }
            }
        }
    }
}
