import SandboxMessages
import SystemPackage

extension SandboxError {
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
