package import LinkModel
package import Netlink

/// Why a ``KernelLink`` cannot do what was asked.
package enum KernelLinkError: LinkError, Hashable, Sendable {
    /// The kernel's queues do not support properties of the profile.
    case inexpressible([UnsupportedProperty])
    /// Conditions need a queue that the link has not come up with.
    case unforeseen(Direction)
    /// Another program has put a queue on an interface.
    case occupied(NetworkInterface, kind: String)
    /// The kernel has refused.
    case refused(NetlinkError)
    /// The kernel has accepted the request, but reports something else.
    case differs(NetworkInterface, [Difference])
    /// The link has been taken down.
    case closed

    package var description: String {
        switch self {
        case .inexpressible(let all): all.map(\.description).joined(separator: " ")
        case .unforeseen(let direction):
            "Could not change the \(direction.rawValue) of the link: the new conditions need another queue, and "
                + "waiting packets would be lost. Add the conditions to the profile's changes."
        case .occupied(let interface, let kind):
            "Could not shape interface \(interface): another program has put a \(kind) queue there. "
                + "Remove it with 'tc qdisc del dev \(interface) root', or use another interface."
        case .refused(let error): error.description
        case .differs(let interface, let differences):
            "Could not shape interface \(interface): the kernel accepted the request, but "
                + differences.map(\.description).joined(separator: "; ")
                + ". See 'tc -s qdisc show dev \(interface)', and check whether another program changes it."
        case .closed: "Could not reach the link: it has been taken down."
        }
    }
}
