package import LinkModel
package import Netlink

/// What a ``KernelLink`` is: its profile, its seed and its two ends.
package struct KernelLinkConfiguration: Sendable {
    /// What holds at first, and all that can hold later.
    package var profile: Profile
    /// What random numbers start from, on kernels since 6.6; nil (the default): the kernel chooses.
    package var seed: UInt64?
    /// The interface by which packets leave to the client.
    package var downlink: InterfaceName
    /// The interface by which packets leave to the host.
    package var uplink: InterfaceName

    package init(profile: Profile, seed: UInt64? = nil, downlink: InterfaceName, uplink: InterfaceName) {
        (self.profile, self.seed, self.downlink, self.uplink) = (profile, seed, downlink, uplink)
    }

    /// The same by the names of the interfaces that lead to the client and to the host, as ip-link(8) has them.
    ///
    /// Throws what is wrong with a name.
    package init(profile: Profile, seed: UInt64? = nil, toClient: String, toHost: String) throws {
        self.init(
            profile: profile, seed: seed, downlink: try InterfaceName(toClient), uplink: try InterfaceName(toHost))
    }
}
