package import SandboxMessages
package import SystemPackage

/// Why a sandbox cannot be made, or does not do what was requested.
package enum SandboxError: Error, Equatable, CustomStringConvertible {
    /// This machine does not allow it.
    case refused(SandboxRefusal)
    /// A program of the sandbox cannot be executed.
    case noProgram(path: FilePath, Errno)
    /// A value of the configuration is not possible.
    case configuration(String)
    /// This process cannot get a resource.
    case noResources(attempted: String, Errno)
    /// The sandbox failed to do something.
    case failed(attempted: String, Errno)
    /// A program cannot be started.
    case notStarted(command: String, SandboxStage, Errno)
    /// The sandbox did not start in time.
    case late(Duration)
    /// The sandbox has not answered for this time.
    case silent(Duration)
    /// A process of the sandbox was killed or has failed, so the whole sandbox has ended.
    case died(SandboxDeath)
    /// The sandbox sent a message that cannot be understood.
    case misunderstood(String)

    package var description: String {
        switch self {
        case .refused(let refusal):
            refusal.description
        case .noProgram(let path, let error):
            "Could not start '\(path)', a part of every sandbox: \(error). It belongs beside the headwind program and must be "
                + "readable by the user who runs it; build it with 'swift build'."
        case .configuration(let problem):
            "Could not set up a sandbox: \(problem)."
        case .noResources(let attempted, let error):
            "Could not \(attempted) for a sandbox: \(error). Close other programs, or raise the limits that 'ulimit -a' shows."
        case .failed(let attempted, let error):
            "A sandbox could not \(attempted): \(error)."
        case .notStarted(let command, let stage, let error):
            "Could not start '\(command)' in a sandbox, at '\(stage.rawValue)': \(error)."
        case .late(let deadline):
            "A sandbox did not come up within \(deadline). Run fewer at once, or look for what keeps this machine busy."
        case .silent(let patience):
            "A sandbox did not answer for \(patience), and was ended: one of its programs may have stopped headwind-sandbox (SIGSTOP), "
                + "or this machine is too busy."
        case .died(let death):
            "A sandbox ended too early: \(death). All of its programs ended with it. Look for who killed it "
                + "with 'dmesg' (out of memory?), and run again."
        case .misunderstood(let problem):
            problem
        }
    }
}
