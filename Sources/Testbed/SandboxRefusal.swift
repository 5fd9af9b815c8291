package import SystemPackage

/// A restriction of this machine that prevents sandboxes, with its cause and a remedy.
package struct SandboxRefusal: Error, Equatable, CustomStringConvertible {
    package enum Kind: String, Sendable, CaseIterable {
        /// No more namespaces may be made: the kernel says "No space left on device", but no disk is full.
        case limit = "namespace-limit"
        /// A filter of system calls, such as a container's, forbids user namespaces.
        case seccomp
        /// AppArmor forbids user namespaces, or the privileges in them, to programs that have no profile.
        case appArmor = "apparmor"
        /// User namespaces are switched off for all users except root.
        case switchedOff = "unprivileged-userns-clone"
        /// The kernel has been built without a namespace that is needed.
        case notBuilt = "no-namespaces"
        /// Something else forbids user namespaces.
        case forbidden
        /// There is no /dev/net/tun, or no driver behind it.
        case noTUN = "no-tun"
        /// /dev/net/tun may not be opened.
        case tunMode = "tun-mode"
        /// The kernel has no cables (veth) between networks.
        case noCables = "no-veth"
        /// The kernel has no packet sockets.
        case noPacketSockets = "no-packet-sockets"
        /// Networks may not be administered in the user namespace.
        case noNetworkAdministration = "no-cap-net-admin"
    }

    package let kind: Kind
    /// The attempted action, as it follows "could not".
    package let attempted: String
    /// The error that the system reported.
    package let error: Errno
    /// The cause, as a clause.
    package let cause: String
    /// The remedy, as a sentence without its full stop.
    package let remedy: String

    package var description: String {
        "A sandbox could not \(attempted): \(cause). (The system says: \(error).) \(remedy)."
    }
}
