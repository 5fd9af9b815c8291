internal import LinkModel

/// A link that is up, without its descriptors and clock: packets and times go in, packets and deadlines come out.
///
/// A packet is read into a slot of ``slab``, and passed to ``receive(_:length:from:at:)``. ``next(to:at:)``
/// returns a packet that is due; after it is written, ``finish(_:to:at:)`` releases it. Times must not decrease.
struct PacketLoop: ~Copyable {
    let configuration: PacketLinkConfiguration
    let start: Instant
    /// The stream key of packets that belong to no flow.
    let stray: UInt64

    var slab: PacketSlab
    var table: FlowTable
    var pipes: Pipes
    /// Packets that may be written at once.
    var ready = PerDirection(both: SlotQueue())
    /// The number of packets in each pipe, copies included.
    var inPipe = PerDirection(both: 0)
    var held: [HeldQuery] = []
    /// Answers of the next hop that are not yet due, the oldest first.
    var answers: [LateAnswer] = []

    /// The conditions that hold now.
    var conditions: LinkConditions
    var generation = 0
    /// Whether packets of a direction pass at once when its pipe is empty.
    var isUnshaped = PerDirection(both: false)
    /// What decides the conditions.
    var source: ConditionSource
    var nextChange: Instant?

    var totals = PerDirection(both: PacketTotals())
    var counters = PacketLinkCounters()
    var meter = Meter<PerDirection<PacketTotals>>()
    /// The time of the next report on flows and the meter; nil while there is no traffic.
    var reportAt: Instant?
    var hasTraffic = false
    var dirty: [Int32] = []
    var ordinals = PerDirection(both: Int64(0))
    /// Events that the caller has not taken yet.
    var events: [LinkEvent] = []
    var recorder: (any PacketRecording)?
    /// The decisions about packets.
    var decided: FaultRecord

    static let strayName = "stray"
    /// The shortest time between two reports on one direction of a flow: 10 ms.
    static let reportTime = Duration.milliseconds(10)

    /// A query that waits for the DNS delay.
    struct HeldQuery {
        var release: Instant
        var received: Instant
        var slot: Int32
        var place: PacketPlace
    }

    /// An answer of the next hop, which is due later.
    struct LateAnswer {
        var release: Instant
        var slot: Int32
        var direction: Direction
    }

    /// Makes a link that follows its profile from `start` on; throws if it cannot reserve memory for packets.
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
        source = ConditionSource(profile, start: start)
        let conditions = source.conditions(at: start)
        self.conditions = conditions
        pipes = Pipes { direction in
            PacketPipe(
                direction, conditions: conditions, trace: profile.trace(direction), random: random, start: start,
                schedule: schedule, recordsDecisions: true)
        }
        nextChange = source.nextChange(after: start)
        emit(.conditions(conditions: conditions, generation: 0), flow: 0, at: start)
        adoptShape()
    }

    /// Takes the packet in `slot`, which the device of one end has sent.
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

    /// Counts a packet for which there was no slot.
    mutating func overflow(from end: End) {
        noteDropped(end.sends)
        counters.overflowedPackets += 1
    }

    /// Counts a packet that was dropped and did not enter its pipe.
    mutating func noteDropped(_ direction: Direction) {
        pipes[direction].counters.offeredPackets += 1
        pipes[direction].counters.droppedPackets += 1
    }

    /// Does all that is due by `now`, apart from packets in the pipes.
    mutating func advance(to now: Instant) {
        while let change = nextChange, change <= now { adopt(at: change) }
        while let first = held.first, first.release <= now {
            held.removeFirst()
            admit(first.slot, first.place, .uplink, received: first.received, at: first.release)
        }
        releaseAnswers(at: now)
        if let reportAt, reportAt <= now { report(at: now) }
    }

    /// When something other than a packet is due next; nil if nothing is.
    @inline(__always) var nextDuty: Instant? {
        earlier(answers.first?.release, earlier(held.first?.release, earlier(nextChange, reportAt)))
    }

    /// When a packet for an end is due next; nil if none is on its way.
    @inline(__always) func nextDeadline(to end: End) -> Instant? {
        let direction = end.peer.sends
        return ready[direction].isEmpty ? pipes[direction].nextDeadline : start
    }

    /// Whether an end's packets pass at once, so that they should not be read while they cannot be written.
    @inline(__always) func isDirect(from end: End) -> Bool { isUnshaped[end.sends] && inPipe[end.sends] == 0 }

    /// Whether the client has a route; false while the link is offline with `noRoute`.
    @inline(__always) var hasRoute: Bool {
        if case .noRoute? = conditions.offline { false } else { true }
    }

    /// Whether packets wait for a rate or a delay.
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
    /// The largest MTU of all its conditions, in bytes.
    fileprivate var largestMTU: Int {
        changes.reduce(conditions.mtu) { max($0, $1.conditions.mtu) }
    }
}

/// Packets in order, as a linked list through their notes.
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

/// The pipes of both directions, each at a fixed address while the link is up.
///
/// They are large, so to copy one in order to read from it would cost an allocation.
@safe struct Pipes: ~Copyable {
    /// The two pipes, in the order of ``LinkModel/Direction``'s cases.
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

/// Records packets of both ends; see ``CaptureWriter``.
protocol PacketRecording: AnyObject, Sendable {
    /// Records a packet as the device of `end` has sent it, or received it if `isInbound`.
    func record(_ packet: Span<UInt8>, at end: End, isInbound: Bool, time: Instant, comment: String?)
}

/// The bytes of all flows that were delivered in one direction.
struct PacketTotals: Sendable, Hashable {
    /// The bytes of IP packets.
    var wire: Int64 = 0
    /// Payload bytes that receivers have, without name lookups; of TCP those without gaps, and once.
    var payload: Int64 = 0
}

extension MeterSample<PerDirection<PacketTotals>> {
    /// The sample of payload alone.
    var payload: MeterSample<PerDirection<Int64>> { .init(at: at, totals: totals.map(\.payload)) }
}
