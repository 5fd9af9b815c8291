import CLinux
import Glibc
import LinuxSupport
import SystemPackage

/// The start of one guard.
///
/// It closes or hands over all that it opens, also after an error.
struct GuardLaunch: ~Copyable {
    private let command: GuardedCommand
    private let program: FilePath
    private let starter: GuardStarter
    /// Descriptors that only the guard and its program need: always closed.
    private var theirs: [FileDescriptor] = []
    /// Descriptors that the harness keeps: closed if the guard does not start.
    private var ours: [FileDescriptor] = []
    /// Descriptors to pass to the guard and its program, with their numbers there.
    private var passed: [(descriptor: FileDescriptor, number: Int32)] = []

    init(_ command: GuardedCommand, program: FilePath, by starter: GuardStarter) {
        self.command = command
        self.program = program
        self.starter = starter
    }

    deinit {
        for descriptor in theirs + ours {
            try? descriptor.close()
        }
    }

    /// Starts the guard, which starts the program.
    consuming func start() async throws -> GuardedProcess {
        try command.checkStrings()
        let lifeline = try openPipe(toThem: true)
        let report = try openPipe(toThem: false)
        let output = try open(command.output, as: STDOUT_FILENO)
        let errors = try open(command.errors, as: STDERR_FILENO)
        try open(command.input)
        let numbers = freeNumbers(beside: [lifeline.reading, report.writing])
        passed += [(lifeline.reading, numbers.lifeline), (report.writing, numbers.report)]
        let arguments = command.guardArguments(program: program, lifeline: numbers.lifeline, report: numbers.report)
        let started = try await starter.start(
            GuardStarter.Request(
                program: program, arguments: arguments, environment: command.guardEnvironment, descriptors: passed))
        ours = []
        let descriptors = GuardDescriptors(
            process: started.descriptor, lifeline: lifeline.writing, report: report.reading,
            output: output, errors: errors)
        return GuardedProcess(command: command, started: started, descriptors: descriptors)
    }

    /// The two lowest numbers that none of the guard's descriptors has in this process, so that none replaces another.
    ///
    /// Their numbers in this process may be above the guard's limit, as this process may have raised its own limit.
    private func freeNumbers(beside others: [FileDescriptor]) -> (lifeline: Int32, report: Int32) {
        let taken = Set((passed.map(\.0) + others).map(\.rawValue) + (command.foreground ?? []))
        let first = STDERR_FILENO + 1
        let free = (first...first + Int32(taken.count) + 1).filter { !taken.contains($0) }
        return (free[0], free[1])
    }

    /// Opens a pipe that the harness writes to, or that it reads without blocking.
    private mutating func openPipe(toThem: Bool) throws(GuardError) -> (
        reading: FileDescriptor, writing: FileDescriptor
    ) {
        do {
            let pipe = try makePipe()
            theirs.append(toThem ? pipe.reading : pipe.writing)
            ours.append(toThem ? pipe.writing : pipe.reading)
            if !toThem { try pipe.reading.setNonBlocking() }
            return pipe
        } catch {
            throw .noResources(attempted: "open a pipe to a program", error)
        }
    }

    /// Opens the destination of one stream of the program; returns the end that the harness reads, if it is streamed.
    private mutating func open(_ output: GuardedCommand.Output, as number: Int32) throws(GuardError) -> FileDescriptor?
    {
        switch output {
        case .inherited:
            return nil
        case .discarded:
            try open("/dev/null", .writeOnly, [], as: number)
            return nil
        case .file(let path):
            try open(path, .writeOnly, [.create, .truncate], as: number)
            return nil
        case .streamed:
            let pipe = try openPipe(toThem: false)
            passed.append((pipe.writing, number))
            return pipe.reading
        }
    }

    private mutating func open(_ input: GuardedCommand.Input) throws(GuardError) {
        switch input {
        case .inherited: break
        case .null: try open("/dev/null", .readOnly, [], as: STDIN_FILENO)
        case .file(let path): try open(path, .readOnly, [], as: STDIN_FILENO)
        }
    }

    private mutating func open(
        _ path: FilePath, _ mode: FileDescriptor.AccessMode, _ options: FileDescriptor.OpenOptions, as number: Int32
    ) throws(GuardError) {
        do {
            let descriptor = try FileDescriptor.open(
                path, mode, options: options.union(.closeOnExec),
                permissions: [.ownerReadWrite, .groupRead, .otherRead])
            theirs.append(descriptor)
            passed.append((descriptor, number))
        } catch {
            throw .noFile(path: path, error as? Errno ?? .ioError)
        }
    }
}

/// The harness's descriptors of a guard and its program.
struct GuardDescriptors: Sendable {
    /// The guard's process.
    var process: FileDescriptor
    /// The writing end of the lifeline; it closes when the harness dies, and the guard sees that at the other end.
    var lifeline: FileDescriptor
    /// The pipe on which the guard's report arrives.
    ///
    /// It is non-blocking.
    var report: FileDescriptor
    /// The pipes on which streamed output and errors arrive.
    ///
    /// They are non-blocking, and owned by their readers.
    var output: FileDescriptor?
    var errors: FileDescriptor?

    func close() {
        for descriptor in [process, lifeline, report] {
            try? descriptor.close()
        }
    }
}
