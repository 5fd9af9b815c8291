package import LinkModel

/// The configuration of a ``PacketLink``: its profile, seed and bounds.
package struct PacketLinkConfiguration: Sendable {
    /// The conditions of the link, and how they change.
    package var profile: Profile
    /// The seed of all random decisions, such as losses and jitter (default: 0).
    ///
    /// The same seed makes the same decisions.
    package var seed: UInt64
    /// Faults that are played instead of all random decisions but jitter; nil (the default): decisions are random.
    package var schedule: FaultSchedule?
    package var limits: PacketLimits
    /// The capture of both ends' packets; nil (the default): there is none.
    package var capture: PacketCapture?
    /// Whether the link only counts packets that another component, such as the kernel, moves; false by default.
    ///
    /// The descriptors are then sockets of packet(7) that show the packets that have left the link. The conditions must
    /// be those of an open link, and there must be no capture.
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

/// Bounds on the resources that traffic can make a link use.
package struct PacketLimits: Sendable, Hashable {
    /// The most bytes of memory for packets that wait or travel, 256 MiB by default; used only as far as needed.
    ///
    /// A packet beyond it is dropped.
    package var packetBytes = 256 << 20
    /// The largest packet in bytes; nil (the default): the largest MTU of the profile.
    ///
    /// A larger one is dropped.
    package var largestPacket: Int?
    /// The most flows that are known at one time, 4096 by default; a new one replaces the least recently used.
    package var flows = 4096
    /// The most queries to name servers that are held for the DNS delay at one time, 1024 by default; more are dropped.
    package var heldQueries = 1024
    /// The most events that wait for their reader, 65,536 by default; later ones are counted and not kept.
    package var events = 65_536

    package init() {}
}
