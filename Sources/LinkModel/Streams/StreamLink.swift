internal import DequeModule
internal import HeapModule

/// TCP streams that share one link: the part of a bad network that a proxy of streams can imitate.
///
/// Each stream runs a model of TCP (handshake, slow start, cubic, selective acknowledgements, timeouts) over two
/// ``PacketPipe``s. So programs meet loss as with real TCP: as a stall while the bytes are sent again, never as missing
/// bytes. Streams take turns at the transmitter. Only counts pass through here; the caller holds the bytes.
///
/// It does no I/O and reads no clock. Call ``poll(at:)`` until it returns nil at ``nextDeadline``, before and after
/// each input. An input that comes before earlier events are polled is handled as if it had come a little late.
package struct StreamLink: Sendable {
    /// The conditions that hold now.
    package internal(set) var conditions: LinkConditions
    package let profile: Profile
    /// The seed of all random decisions: that of the schedule if it has one.
    package let seed: UInt64

    let parameters: TransportParameters
    let start: Instant
    let random: KeyedRandom
    /// The two directions.
    var pipes: PerDirection<PacketPipe>
    /// The streams by slot; those in ``freeSlots`` are vacant.
    ///
    /// They are no optionals: the compiler copies a whole optional to read one of its properties.
    var streams: [Stream] = []
    private var freeSlots = Heap<Int>()
    var transit = Transit()
    var timers = Heap<Timer>()
    var events = Deque<StreamEvent>()
    var cuts: StreamCuts
    /// Names that have been looked up, so that they need no further lookup; a bounded number.
    var resolvedNames: Set<String> = []
    private var generation: UInt32 = 0
    /// What decides the conditions.
    package internal(set) var source: ConditionSource
    var nextChange: Instant?
    var payload = PerDirection<Int64>(both: 0)

    /// Makes a link that follows `profile` from `start` on.
    ///
    /// A `schedule` replaces all random decisions except jitter. Its lines about the link as a whole and about the host
    /// are played elsewhere, and its duplicates have no effect, because a stream does not notice packets that come
    /// twice.
    package init(
        profile: Profile,
        seed: UInt64,
        start: Instant,
        schedule: FaultSchedule? = nil,
        parameters: TransportParameters = TransportParameters()
    ) {
        self.profile = profile
        self.parameters = parameters
        self.start = start
        let random = KeyedRandom(seed: seed, playing: schedule)
        self.random = random
        self.seed = random.seed
        cuts = StreamCuts(schedule)
        let noticed = schedule.map(Self.noticed(of:))
        source = ConditionSource(profile, start: start)
        conditions = source.conditions(at: start)
        let shaped = Self.streamConditions(conditions, parameters)
        pipes = PerDirection { direction in
            PacketPipe(
                direction,
                conditions: shaped,
                trace: profile.trace(direction),
                random: random,
                start: start,
                schedule: noticed,
                recordsDecisions: true
            )
        }
        nextChange = source.nextChange(after: start)
    }

    /// Starts to connect from the client, and returns the new stream.
    ///
    /// `key` names the stream for random decisions. `lookup` is a name that must be resolved first; each name needs
    /// only one lookup, up to ``TransportParameters/mostResolvedNames`` names. The outcome is ``StreamEvent/connected(_:at:)`` or ``StreamEvent/failed(_:_:at:)``.
    package mutating func open(key: String, lookup: String? = nil, at now: Instant) -> StreamID {
        generation &+= 1
        let slot = freeSlots.popMin() ?? streams.endIndex
        let id = StreamID(slot: slot, generation: generation)
        let segmentBytes = parameters.segmentBytes(mtu: conditions.mtu)
        let stream = Stream(
            id: id,
            key: key,
            hash: random.streamKey(key),
            lookup: lookup.flatMap { resolvedNames.contains($0) ? nil : $0 },
            segmentBytes: segmentBytes,
            parameters: parameters
        )
        if slot == streams.endIndex { streams.append(stream) } else { streams[slot] = stream }
        streams[slot].cut = cuts.places(of: [key])
        connect(slot, at: now)
        return id
    }

    /// Writes `count` bytes, as the program at one end.
    package mutating func send(_ count: Int, from end: End, on id: StreamID, at now: Instant) {
        guard let slot = slot(of: id), count > 0 else { return }
        streams[slot][end].sender.write(count)
        pump(slot, end, at: now)
    }

    /// Ends the writing of the program at one end: FIN follows what it wrote.
    package mutating func finish(from end: End, on id: StreamID, at now: Instant) {
        guard let slot = slot(of: id) else { return }
        streams[slot][end].sender.finish()
        pump(slot, end, at: now)
    }

    /// Aborts the stream as the program at one end: RST is sent to the other.
    package mutating func reset(from end: End, on id: StreamID, at now: Instant) {
        guard let slot = slot(of: id), streams[slot].phase != .dead else { return }
        offer(.reset, slot: slot, from: end, size: parameters.headerBytes, at: now)
        streams[slot].phase = .dead
    }

    /// Sets whether the program at one end reads; if it does not, the window for new bytes is closed.
    package mutating func setReceiving(_ receiving: Bool, at end: End, on id: StreamID, at now: Instant) {
        guard let slot = slot(of: id) else { return }
        streams[slot][end.peer].sender.isReceiving = receiving
        pump(slot, end.peer, at: now)
    }

    /// Resets every open stream at both ends; the link itself stays as it is.
    package mutating func resetStreams(at now: Instant) { resetAll(at: now) }

    /// Removes a stream; its packets under way still take their time on the link.
    package mutating func close(_ id: StreamID) {
        guard let slot = slot(of: id) else { return }
        streams[slot] = .vacant(parameters)
        freeSlots.insert(slot)
    }

    /// Bytes that the program at one end has written and that have not been sent yet.
    package func backlog(from end: End, on id: StreamID) -> Int {
        guard let slot = slot(of: id) else { return 0 }
        return streams[slot][end].sender.backlog
    }

    /// What has crossed the link since it came up.
    package var counters: LinkCounters {
        var counters = pipes.map(\.counters)
        for direction in Direction.allCases { counters[direction].payload = payload[direction] }
        return counters
    }

    /// How many packet faults of the schedule no packet has met yet; 0 without a schedule.
    package var unmetFaults: Int { pipes.downlink.unmetFaults + pipes.uplink.unmetFaults + cuts.unmet }

    /// When something is due next; nil while nothing is under way.
    package var nextDeadline: Instant? {
        if !events.isEmpty { return start }
        var next = timers.min?.at
        for candidate in [pipes.downlink.nextDeadline, pipes.uplink.nextDeadline, nextChange] {
            if let candidate { next = next.map { min($0, candidate) } ?? candidate }
        }
        return next
    }

    /// The next event that has happened by `now`, in order of time; nil if there is none.
    package mutating func poll(at now: Instant) -> StreamEvent? {
        while true {
            if let event = events.popFirst() { return event }
            guard let due = nextDeadline, due <= now else { return nil }
            step(to: due)
        }
    }

    /// Does what is due at one moment.
    private mutating func step(to now: Instant) {
        if let change = nextChange, change <= now { adopt(at: change) }
        for direction in Direction.allCases {
            while let delivery = pipes[direction].poll(at: now) { arrive(delivery, direction) }
        }
        while let timer = timers.min, timer.at <= now {
            _ = timers.popMin()
            fire(timer)
        }
    }

    /// The index of a stream in ``streams``; nil if it has been closed.
    func slot(of id: StreamID) -> Int? {
        guard id.slot < streams.count, streams[id.slot].id == id else { return nil }
        return id.slot
    }

    /// Sets a timer, unless one of the same kind fires earlier; that one checks again when it does.
    mutating func schedule(_ kind: TimerKind, slot: Int, at moment: Instant) {
        if kind != .handshake, let scheduled = streams[slot].scheduled[kind.index], scheduled <= moment { return }
        streams[slot].scheduled[kind.index] = moment
        timers.insert(Timer(at: moment, stream: streams[slot].id, kind: kind))
    }

    /// Sets the timers that a half of a stream needs.
    mutating func watch(_ slot: Int, _ end: End) {
        if let deadline = streams[slot][end].sender.deadline {
            schedule(.retransmission(end), slot: slot, at: deadline)
        }
        if let deadline = streams[slot][end].sender.reorderDeadline {
            schedule(.reordering(end), slot: slot, at: deadline)
        }
        if let deadline = streams[slot][end].receiver.acknowledgementDeadline {
            schedule(.acknowledgement(end), slot: slot, at: deadline)
        }
    }

    /// Handles a timer, unless its stream is gone or another timer has replaced it.
    mutating func fire(_ timer: Timer) {
        guard let slot = slot(of: timer.stream), streams[slot].scheduled[timer.kind.index] == timer.at else { return }
        streams[slot].scheduled[timer.kind.index] = nil
        guard streams[slot].phase != .dead else { return }
        switch timer.kind {
        case .handshake: handshakeTimerFired(slot, at: timer.at)
        case .answer: answerQuery(slot, at: timer.at)
        case .retransmission, .reordering, .acknowledgement:
            transferTimerFired(timer.kind, slot: slot, at: timer.at)
        }
    }
}
