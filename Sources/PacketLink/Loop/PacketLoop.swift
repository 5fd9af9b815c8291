internal import LinkModel

/// A link at work, without its descriptors and its clock: packets and moments go in, packets and deadlines come out.
///
/// A packet is read into a slot from ``takeSlot()`` and handed in with ``receive(_:length:from:at:)``. What is due is
/// asked for with ``next(to:at:)`` and, once written, given back with ``finish(_:to:at:)``. Time does not go backwards.
struct PacketLoop: ~Copyable {
    let configuration: PacketLinkConfiguration
    let start: Instant
    /// The stream of packets that belong to no flow.
    let stray: UInt64

    var slab: PacketSlab
    var table: FlowTable
    var pipes: Pipes
    /// Packets that do not wait for anything any more.
    var ready = PerDirection(both: SlotQueue())
    /// References to slots that a pipe has.
    var inPipe = PerDirection(both: 0)
    var held: [HeldQuery] = []
    /// Answers that the next hop has not given yet, the oldest first.
    var answers: [LateAnswer] = []

    /// What holds now.
    var conditions: LinkConditions
    var generation = 0
    /// Whether a direction lets everything pass at once, as soon as its pipe is empty.
    var isUnshaped = PerDirection(both: false)
    /// A profile that was set while the link was up, and since when.
    var liveProfile: (profile: Profile, start: Instant)?
    /// Whether the profile that the link came up with no longer holds.
    var isOverridden = false
    var nextChange: Instant?

    /// What the pipes have not seen.
    var direct = PerDirection(both: DirectionCounters())
    var totals = PerDirection(both: PacketTotals())
    var counters = PacketLinkCounters()
    var meter = Meter<PerDirection<PacketTotals>>()
    /// When flows and the meter are reported on; nil while there is no traffic.
    var reportAt: Instant?
    var hasTraffic = false
    var dirty: [Int32] = []
    var ordinals = PerDirection(both: Int64(0))
    /// Events that the caller has not taken yet.
    var events: [LinkEvent] = []
    var recorder: (any PacketRecording)?
    /// What was decided about packets.
    var decided: FaultRecord

    static let strayName = "stray"
    /// Shortest time between two reports on one direction of a flow.
    static let reportTime = Duration.milliseconds(10)

    /// A query that waits for the DNS delay.
    struct HeldQuery {
        var release: Instant
        var received: Instant
        var slot: Int32
        var place: PacketPlace
    }

    /// An answer of the next hop's, which takes a moment.
    struct LateAnswer {
        var release: Instant
        var slot: Int32
        var direction: Direction
    }

    /// Makes a link that follows its profile from `start` on; throws where there is no memory for packets.
    init(
        _ configuration: PacketLinkConfiguration, start: Instant, recorder: (any PacketRecording)? = nil
    ) throws(PacketLinkError) {
        let profile = configuration.profile
        let largest = configuration.limits.largestPacket ?? profile.largestMTU
        slab = try PacketSlab(packetBytes: largest, bytes: configuration.limits.packetBytes)
        self.configuration = configuration
        self.start = start
        self.recorder = recorder
        let schedule = configuration.schedule
        let random = KeyedRandom(seed: configuration.seed, playing: schedule)
        decided = FaultRecord(seed: random.seed, profile: profile.fingerprint)
        stray = random.streamKey(Self.strayName)
        table = FlowTable(limit: configuration.limits.flows, random: random)
        let conditions = profile.conditions(at: .zero)
        self.conditions = conditions
        pipes = Pipes { direction in
            PacketPipe(
                direction, conditions: conditions, trace: profile.trace(direction), random: random, start: start,
                schedule: schedule, recordsDecisions: true)
        }
        nextChange = profile.nextChange(after: .zero).map { start + $0 }
        emit(.conditions(conditions: conditions, generation: 0), flow: 0, at: start)
        adoptShape()
    }

    /// A slot to read a packet into; nil where all memory is in use.
    mutating func takeSlot() -> Int32? { slab.take() }

    /// Where to read the packet to.
    func room(_ slot: Int32) -> UnsafeMutableRawBufferPointer { unsafe slab.room(slot) }

    /// Gives a slot back into which nothing was read.
    mutating func giveBack(_ slot: Int32) { slab.release(slot) }

    /// Takes in the packet in `slot`, which the device of one end has sent.
    mutating func receive(_ slot: Int32, length: Int, from end: End, at now: Instant) {
        let direction = end.sends
        if length == slab.slotBytes {
            refuseCut(slot, direction)
            return
        }
        let place = identify(slot, length: length, direction, at: now)
        if length > conditions.mtu, refuseLarge(slot, direction, at: now) { return }
        if direction == .uplink, conditions.dnsDelay > .zero, isNameQuery(slot) {
            hold(slot, place, at: now)
        } else {
            admit(slot, place, direction, received: now, at: now)
        }
    }

    /// Notes a packet for which there was no slot.
    mutating func overflow(from end: End) {
        direct[end.sends].offeredPackets += 1
        direct[end.sends].droppedPackets += 1
        counters.overflowedPackets += 1
    }

    /// Does what is due by `now` without any packet coming in.
    mutating func advance(to now: Instant) {
        while let change = nextChange, change <= now { followProfile(to: change) }
        while let first = held.first, first.release <= now {
            held.removeFirst()
            admit(first.slot, first.place, .uplink, received: first.received, at: first.release)
        }
        releaseAnswers(at: now)
        if let reportAt, reportAt <= now { report(at: now) }
    }

    /// When something is due next, packets aside; nil while nothing is.
    @inline(__always) var nextDuty: Instant? {
        earlier(answers.first?.release, earlier(held.first?.release, earlier(nextChange, reportAt)))
    }

    /// When a packet for an end is due next; nil while none is under way.
    @inline(__always) func nextDeadline(to end: End) -> Instant? {
        let direction = end.peer.sends
        return ready[direction].isEmpty ? pipes[direction].nextDeadline : start
    }

    /// Whether what an end sends goes out at once, so that it is better not read while it cannot be written.
    @inline(__always) func isDirect(from end: End) -> Bool { isUnshaped[end.sends] && inPipe[end.sends] == 0 }

    /// Whether the client has a way to anywhere.
    @inline(__always) var hasRoute: Bool {
        if case .noRoute? = conditions.offline { false } else { true }
    }

    /// Whether packets wait for their moment, by a rate or a delay.
    @inline(__always) var isPaced: Bool { inPipe.downlink > 0 || inPipe.uplink > 0 }

    @inline(__always) private func earlier(_ left: Instant?, _ right: Instant?) -> Instant? {
        guard let left, let right else { return left ?? right }
        return min(left, right)
    }

    mutating func emit(_ kind: LinkEvent.Kind, flow: Int, at: Instant) {
        events.append(LinkEvent(at: at, connection: flow, kind: kind))
    }
}

extension Profile {
    /// The largest MTU that ever holds.
    fileprivate var largestMTU: Int {
        changes.reduce(conditions.mtu) { max($0, $1.conditions.mtu) }
    }
}

/// Packets in order, linked through their notes.
struct SlotQueue {
    private var first: Int32 = -1
    private var last: Int32 = -1

    var isEmpty: Bool { first < 0 }

    mutating func append(_ slot: Int32, in slab: inout PacketSlab) {
        slab[slot].next = -1
        if last >= 0 { slab[last].next = slot } else { first = slot }
        last = slot
    }

    mutating func popFirst(in slab: inout PacketSlab) -> Int32? {
        guard first >= 0 else { return nil }
        let slot = first
        first = slab[slot].next
        if first < 0 { last = -1 }
        return slot
    }
}

/// The pipes of both directions, each in one place for as long as the link is up.
///
/// They are large, so a copy of one for a question to it would cost an allocation; an address costs nothing.
@safe struct Pipes: ~Copyable {
    /// In the order of ``LinkModel/Direction``'s cases.
    private let pipes: UnsafeMutablePointer<PacketPipe>

    init(_ pipe: (Direction) -> PacketPipe) {
        unsafe pipes = .allocate(capacity: 2)
        unsafe pipes.initialize(to: pipe(.downlink))
        unsafe (pipes + 1).initialize(to: pipe(.uplink))
    }

    deinit {
        unsafe pipes.deinitialize(count: 2)
        unsafe pipes.deallocate()
    }

    subscript(direction: Direction) -> PacketPipe {
        unsafeAddress { unsafe UnsafePointer(address(direction)) }
        nonmutating unsafeMutableAddress { unsafe address(direction) }
    }

    private func address(_ direction: Direction) -> UnsafeMutablePointer<PacketPipe> {
        unsafe direction == .downlink ? pipes : pipes + 1
    }
}

/// What records packets of both ends; see ``CaptureWriter``.
protocol PacketRecording: AnyObject, Sendable {
    /// A packet as the device of `end` has sent or been given it.
    func record(_ packet: Span<UInt8>, at end: End, isInbound: Bool, time: Instant, comment: String?)
}

/// Bytes that were delivered in one direction, of all flows.
struct PacketTotals: Sendable, Hashable {
    /// Of IP packets.
    var wire: Int64 = 0
    /// Payload that receivers have, but for lookups of names: of TCP without gaps, and once.
    var payload: Int64 = 0
}

extension MeterSample<PerDirection<PacketTotals>> {
    /// The same of payload alone.
    var payload: MeterSample<PerDirection<Int64>> { .init(at: at, totals: totals.map(\.payload)) }
}
