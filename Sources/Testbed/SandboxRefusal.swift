package import SystemPackage

/// What this machine does not allow, with its cause and a remedy.
package struct SandboxRefusal: Error, Equatable, CustomStringConvertible {
    package enum Kind: String, Sendable, CaseIterable {
        /// No more namespaces may be made. The kernel says "No space left on device", which is no full disk.
        case limit = "namespace-limit"
        /// A filter of system calls, as of a container, forbids user namespaces.
        case seccomp
        /// AppArmor forbids user namespaces, or what they are for, to programs that it does not know.
        case appArmor = "apparmor"
        /// User namespaces are switched off for everybody but root.
        case switchedOff = "unprivileged-userns-clone"
        /// The kernel has been built without a namespace that is needed.
        case notBuilt = "no-namespaces"
        /// Something else forbids user namespaces.
        case forbidden
        /// There is no /dev/net/tun, or nothing behind it.
        case noTUN = "no-tun"
        /// /dev/net/tun may not be opened.
        case tunMode = "tun-mode"
        /// The kernel has no cables between networks.
        case noCables = "no-veth"
        /// The kernel shows no packets to programs.
        case noPacketSockets = "no-packet-sockets"
        /// Networks may not be administered in the user namespace.
        case noNetworkAdministration = "no-cap-net-admin"
    }

    package let kind: Kind
    /// What was attempted, as it goes after "could not".
    package let attempted: String
    /// What the system said.
    package let error: Errno
    /// Why, as a clause.
    package let cause: String
    /// What to do about it, as a sentence without its end.
    package let remedy: String

    package var description: String {
        "A sandbox could not \(attempted): \(cause). (The system says: \(error).) \(remedy)."
    }
}
