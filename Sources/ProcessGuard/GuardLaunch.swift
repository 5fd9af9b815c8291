import CLinux
import Glibc
import SystemPackage

/// The start of one guard.
///
/// What it opens is closed or handed over, whatever happens.
struct GuardLaunch: ~Copyable {
    private let command: GuardedCommand
    private let program: FilePath
    /// What only the guard and its program need: closed in any case.
    private var theirs: [FileDescriptor] = []
    /// What the harness keeps: closed if they do not run.
    private var ours: [FileDescriptor] = []
    /// What they find under which number.
    private var passed: [(FileDescriptor, Int32)] = []

    init(_ command: GuardedCommand, program: FilePath) {
        self.command = command
        self.program = program
    }

    deinit {
        for descriptor in theirs + ours {
            try? descriptor.close()
        }
    }

    /// Starts the guard, which starts the program.
    consuming func start() throws(GuardError) -> GuardedProcess {
        try command.checkStrings()
        let lifeline = try openPipe(toThem: true)
        let report = try openPipe(toThem: false)
        let output = try open(command.output, as: STDOUT_FILENO)
        let errors = try open(command.errors, as: STDERR_FILENO)
        try open(command.input)
        passed += [(lifeline.reading, lifeline.reading.rawValue), (report.writing, report.writing.rawValue)]
        let arguments = command.guardArguments(program: program, lifeline: lifeline.reading, report: report.writing)
        let processID: pid_t
        do {
            processID = try spawn(
                program, arguments: arguments, environment: command.guardEnvironment, descriptors: passed)
        } catch {
            throw .noGuard(path: program, error)
        }
        let process = headwind_pidfd_open(processID)
        guard process >= 0 else {
            // Without a lifeline the guard ends by itself, before it has begun or soon after.
            let error = Errno(rawValue: errno)
            try? lifeline.writing.close()
            ours.removeAll { $0 == lifeline.writing }
            waitpid(processID, nil, 0)
            throw .noResources(attempted: "watch the process guard by pidfd_open(2), which needs Linux 5.3", error)
        }
        ours = []
        let descriptors = GuardDescriptors(
            process: FileDescriptor(rawValue: process), lifeline: lifeline.writing, report: report.reading,
            output: output, errors: errors)
        return GuardedProcess(command: command, guardProcessID: processID, descriptors: descriptors)
    }

    /// Opens a pipe that the harness writes to, or that it reads without waiting.
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

    /// Opens where one stream of the program goes; answers the end that the harness reads, if it does.
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
