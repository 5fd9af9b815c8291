import CLinux
import Glibc
import LinuxSupport
import SandboxMessages
import SystemPackage

/// A program that runs in the sandbox.
struct Program {
    /// The identifier of the request that started it.
    let spawn: Int
    let processID: pid_t
    /// The process's descriptor, which becomes readable when the process ends.
    let descriptor: FileDescriptor

    /// Starts the program; the caller still owns `descriptors`.
    init(
        _ request: SandboxRequest.Spawn, spawn: Int, descriptors: [FileDescriptor], in network: FileDescriptor
    ) throws(SandboxReply.Failure) {
        let numbers = descriptors.map(\.rawValue)
        var stage = HEADWIND_LAUNCH_STARTED
        var pidfd: Int32 = -1
        var error: Int32 = 0
        processID = unsafe withCStrings(request.arguments) { arguments in
            unsafe withCStrings(request.environment) { environment in
                unsafe Self.withCString(request.directory) { directory in
                    unsafe numbers.withUnsafeBufferPointer { numbers in
                        unsafe request.numbers.withUnsafeBufferPointer { targets in
                            var launch = unsafe headwind_launch(
                                arguments: arguments, environment: environment, directory: directory,
                                network: network.rawValue, descriptors: numbers.baseAddress,
                                numbers: targets.baseAddress, descriptor_count: numbers.count,
                                terminal: request.terminal ?? -1, blocks_signals: request.blocksSignals ?? false)
                            let process = unsafe headwind_launch(&launch, &pidfd, &stage)
                            error = errno
                            return process
                        }
                    }
                }
            }
        }
        guard processID > 0 else {
            throw .init(Self.stage(stage), Errno(rawValue: error), detail: request.arguments.first)
        }
        self.spawn = spawn
        descriptor = FileDescriptor(rawValue: pidfd)
    }

    /// Collects the status of the program after it has ended.
    func end() -> SandboxReply.Ended {
        var status: Int32 = 0
        while unsafe waitpid(processID, &status, 0) < 0, errno == EINTR {}
        let time = MonotonicClock.now
        try? descriptor.close()
        let signal = status & 0x7f
        return SandboxReply.Ended(
            spawn: spawn, status: signal == 0 ? status >> 8 & 0xff : nil, signal: signal == 0 ? nil : signal,
            at: time)
    }

    private static func stage(_ stage: headwind_launch_stage) -> SandboxStage {
        switch stage {
        case HEADWIND_LAUNCH_NETWORK: .enterNetwork
        case HEADWIND_LAUNCH_DESCRIPTORS: .numbers
        case HEADWIND_LAUNCH_TERMINAL: .terminal
        case HEADWIND_LAUNCH_DIRECTORY: .directory
        case HEADWIND_LAUNCH_PRIVILEGES: .drop
        case HEADWIND_LAUNCH_EXECUTE: .execute
        default: .fork
        }
    }

    private static func withCString<Result>(_ string: String?, _ body: (UnsafePointer<CChar>?) -> Result) -> Result {
        guard let string else { return body(nil) }
        return unsafe string.withCString { unsafe body($0) }
    }
}
