package import LinkModel

/// What a ``PacketLink`` is: its profile, its seed and its bounds.
package struct PacketLinkConfiguration: Sendable {
    /// What holds on the link, and how it changes.
    package var profile: Profile
    /// The seed of all random decisions, such as losses and jitter: the same seed makes the same decisions.
    package var seed: UInt64
    /// Played in the place of all that is random but jitter; nil (the default): chance decides.
    package var schedule: FaultSchedule?
    package var limits: PacketLimits
    /// Where both ends are recorded; nil (the default): nowhere.
    package var capture: PacketCapture?
    /// Whether somebody else moves the packets, as the kernel does: the descriptors are then sockets of packet(7) that show what
    /// has left the link, and nothing is done but to keep account of it.
    ///
    /// No by default. Conditions other than an open link's, and captures, have no place in it.
    package var watches = false

    package init(
        profile: Profile,
        seed: UInt64 = 0,
        schedule: FaultSchedule? = nil,
        limits: PacketLimits = PacketLimits(),
        capture: PacketCapture? = nil
    ) {
        self.profile = profile
        self.seed = seed
        self.schedule = schedule
        self.limits = limits
        self.capture = capture
    }
}

/// Bounds on what traffic can make a link spend.
package struct PacketLimits: Sendable, Hashable {
    /// Memory for packets that wait or travel, 256 MiB by default; used only as far as needed.
    ///
    /// A packet beyond it is dropped.
    package var packetBytes = 256 << 20
    /// Largest packet in bytes; by default the largest MTU of the profile.
    ///
    /// A larger one is dropped.
    package var largestPacket: Int?
    /// Flows that are told apart at one time, 4096 by default; the least recently used one makes room.
    package var flows = 4096
    /// Queries to name servers that are held for the profile's DNS delay at one time, 1024 by default.
    package var heldQueries = 1024
    /// Events that wait for their reader, 65,536 by default; later ones are counted and not kept.
    package var events = 65_536

    package init() {}
}
