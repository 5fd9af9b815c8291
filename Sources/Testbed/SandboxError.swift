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
    ///
    /// The status is that of its first process: 125 if it failed itself, 128 plus the signal if the sandbox's program was
    /// killed.
    case died(SandboxExit.Status)
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
            "A sandbox ended too early: \(Self.cause(death)). All of its programs ended with it. Look for who killed it "
                + "with 'dmesg' (out of memory?), and run again."
        case .misunderstood(let problem):
            problem
        }
    }

    private static func cause(_ death: SandboxExit.Status) -> String {
        switch death {
        case .signaled(let signal): "signal \(signal) ended its first process"
        case .exited(let status) where status > 128: "signal \(status - 128) ended its program headwind-sandbox"
        case .exited(let status): "headwind-sandbox ended with status \(status)"
        }
    }

    /// The error for a failure that a sandbox reports while it starts.
    init(
        _ failure: SandboxReply.Failure, programs: SandboxConfiguration.Programs?,
        readings: SandboxReadings = .current()
    ) {
        switch SandboxStage(rawValue: failure.stage) {
        case .executeInit:
            self = .noProgram(path: programs?.initializer ?? "headwind-init", failure.error)
        case .executeSandbox:
            self = .noProgram(path: programs?.sandbox ?? "headwind-sandbox", failure.error)
        case .protocolVersion:
            self = .misunderstood(failure.detail ?? "A sandbox did not understand its configuration.")
        case let stage?:
            self.init(stage, failure.error, detail: failure.detail, readings: readings)
        case nil:
            self = .misunderstood("A sandbox failed at the unknown stage '\(failure.stage)'.")
        }
    }

    /// The error for an answer of the kernel at a stage: a refusal with its cause, if that is known.
    init(_ stage: SandboxStage, _ error: Errno, detail: String? = nil, readings: SandboxReadings = .current()) {
        if let refusal = SandboxRefusal(stage, error, readings: readings) {
            self = .refused(refusal)
        } else if stage == .route, error == .invalidArgument || error == .noSuchFileOrDirectory {
            self = .configuration(
                "this kernel does not offer the congestion control '\(detail ?? "")'; see "
                    + "/proc/sys/net/ipv4/tcp_available_congestion_control, or load it with 'modprobe tcp_\(detail ?? "")'"
            )
        } else {
            self = .failed(attempted: stage.attempted + (detail.map { " (\($0))" } ?? ""), error)
        }
    }
}

extension SandboxStage {
    /// The attempted action, as it follows "could not".
    var attempted: String {
        switch self {
        case .clone: "clone a process in namespaces of its own"
        case .maps: "write the user and group maps"
        case .descriptors: "take over its descriptors"
        case .executeInit: "execute headwind-init"
        case .executeSandbox: "execute headwind-sandbox"
        case .protocolVersion: "understand the request"
        case .privileges: "administer its networks"
        case .scratch: "mount its scratch directory"
        case .storage: "mount its device storage"
        case .network: "make a network namespace"
        case .netlink: "open a netlink socket"
        case .tunOpen: "open the TUN device"
        case .tunAttach: "make a TUN interface"
        case .cable: "make the interfaces of the link"
        case .watch: "watch the packets of the link"
        case .link: "configure an interface"
        case .address: "give an interface its address"
        case .route: "make the route over the link"
        case .resolver: "open the resolver's sockets"
        case .socket: "open a socket"
        case .bind: "bind a socket"
        case .listen: "listen on a socket"
        case .fork: "make a process"
        case .enterNetwork: "enter a network namespace"
        case .numbers: "give the program its descriptors"
        case .terminal: "give the program its terminal"
        case .directory: "change to the program's directory"
        case .drop: "drop all privileges"
        case .execute: "execute the program"
        case .attach: "find the interface to this machine's networks"
        case .forwarding: "forward packets"
        }
    }
}
