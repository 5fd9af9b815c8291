import ArgumentParser
import Harness

/// What puts a program behind a link.
enum ExecBackend: String, ExpressibleByArgument, CaseIterable {
    /// A sandbox, whose every packet crosses the link.
    case packet
    /// A sandbox with a router, whose queues are the link.
    case kernel
    /// A proxy, for programs that heed the variables for one.
    case proxy

    /// The same, as runs call it.
    var link: LinkBackend {
        switch self {
        case .packet: .packet
        case .kernel: .kernel
        case .proxy: .proxy
        }
    }
}
