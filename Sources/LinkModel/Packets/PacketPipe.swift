internal import DequeModule

/// One direction of a link: loss, then a queue, then the rate, then the delay (the order of dummynet and tc-netem(8)).
///
/// It does no I/O and reads no clock: the caller passes the time, offers packets, and polls for those that have
/// arrived. ``set(_:followsTrace:live:at:)`` says what a change of conditions does to packets inside.
package struct PacketPipe: Sendable {
    package let direction: Direction
    /// A link adds packets that did not enter the pipe.
    package var counters = DirectionCounters()
    /// The next moment at which there is something to poll or to move on; nil while nothing is under way.
    ///
    /// It is stored, because reading a computed property from another module would copy the whole pipe.
    package private(set) var nextDeadline: Instant?

    let random: KeyedRandom
    /// Plays the faults of a schedule instead of random ones; nil: faults are random.
    var player: FaultPlayer?
    /// Until when a schedule stalls streams, by their numbers.
    var stalls: [UInt64: Instant] = [:]
    let recordsDecisions: Bool
    var decisions = Deque<PacketDecision>()
    private(set) var conditions: Conditions
    private var isOnline: Bool
    private var isHeld: Bool
    private var queueBytes: Int?
    private var queuePackets: Int?
    private var clock: TransmissionClock
    private var queue = FairQueue()
    /// The packet that is being transmitted, and when its last bit has left.
    private var transmitting: (item: FairQueue.Item, finish: Instant)?
    private var travelling = TravellingPackets()
    private var lastArrival: Instant
    private var evicted = Deque<UInt64>()

    /// Makes a direction that holds no packet.
    ///
    /// A `schedule` replaces all random decisions except jitter, which stays keyed by `random`. Give it the seed of the
    /// schedule if that has one, see ``KeyedRandom/init(seed:playing:)``. With `recordsDecisions` (default: false),
    /// ``pollDecision()`` returns every decision that had an effect.
    package init(
        _ direction: Direction,
        conditions: LinkConditions,
        trace: DeliveryTrace? = nil,
        random: KeyedRandom,
        start: Instant,
        schedule: FaultSchedule? = nil,
        recordsDecisions: Bool = false
    ) {
        self.direction = direction
        self.random = random
        self.recordsDecisions = recordsDecisions
        player = schedule.map { FaultPlayer($0.packetFaults, direction: direction, random: random) }
        self.conditions = conditions[direction]
        isOnline = Self.carriesPackets(conditions)
        isHeld = conditions.isHeld
        queueBytes = conditions.queueBytes(direction)
        clock = TransmissionClock(rate: conditions[direction].rate, trace: trace, start: start)
        lastArrival = start
        adoptQueue(conditions)
    }

    /// Passes a packet to the link, and returns what became of it.
    package mutating func offer(_ packet: Packet, at now: Instant) -> PacketOffer {
        advance(to: now)
        counters.offeredPackets += 1
        guard isOnline else {
            counters.offlinePackets += 1
            return .offline
        }
        player?.match(packet)
        if let removal = removal(of: packet, at: now) {
            counters.lostPackets += 1
            return removal
        }
        guard makeRoom(for: packet) else {
            counters.droppedPackets += 1
            return .full
        }
        let (item, copies) = item(for: packet, at: now)
        if copies == 1, queue.isEmpty, transmitting == nil, !isHeld {
            transmit(item)
        } else {
            for _ in 0..<copies { queue.append(item, flow: packet.flow) }
        }
        advance(to: now)
        return .accepted(copies: copies)
    }

    /// The next packet that has arrived by `now`; nil if there is none.
    package mutating func poll(at now: Instant) -> PacketDelivery? {
        advance(to: now)
        guard let first = travelling.popFirst(by: now) else { return nil }
        findDeadline()
        counters.deliveredPackets += 1
        return PacketDelivery(token: first.token, at: first.arrival, corruptAt: first.corruptAt)
    }

    /// The token of the next packet that was accepted and then dropped, to make room or because the link went offline;
    /// nil if there is none.
    package mutating func pollEvicted() -> UInt64? { evicted.popFirst() }

    /// The next decision that had an effect on a packet, in order; nil if there is none, or if decisions are not
    /// recorded.
    package mutating func pollDecision() -> PacketDecision? { decisions.popFirst() }

    /// How many faults of the schedule no packet has met yet; 0 without a schedule.
    package var unmetFaults: Int { player?.unmet ?? 0 }

    /// Applies other conditions from `now` on.
    ///
    /// Rate: the packet being transmitted finishes at the old rate, waiting ones use the new one. Delay and jitter: for
    /// packets that leave from now on, and none overtakes an earlier one. Loss, duplicate, reorder, corrupt: for
    /// packets offered from now on. Queue: packets beyond a smaller limit stay. Trace: if it is not followed, its time
    /// goes on; a `live` one replaces it and the rate. Offline: waiting packets are dropped, travelling ones arrive.
    /// Held: the packet being transmitted finishes, no other starts.
    package mutating func set(
        _ conditions: LinkConditions, followsTrace: Bool = true, live: LiveTrace? = nil, at now: Instant
    ) {
        advance(to: now)
        self.conditions = conditions[direction]
        clock.set(rate: self.conditions.rate, followsTrace: followsTrace, live: live)
        isOnline = Self.carriesPackets(conditions)
        if isHeld { clock.hold(until: now) }
        isHeld = conditions.isHeld
        adoptQueue(conditions)
        if !isOnline {
            let dropped = queue.removeAll()
            counters.offlinePackets += dropped.count
            evicted.append(contentsOf: dropped)
        }
        advance(to: now)
    }

    private static func carriesPackets(_ conditions: LinkConditions) -> Bool {
        switch conditions.offline {
        case .noRoute, .silent: false
        case .refused, .noName, nil: true
        }
    }

    private mutating func adoptQueue(_ conditions: LinkConditions) {
        if case .packets(let count) = conditions[direction].queue {
            (queueBytes, queuePackets) = (nil, count)
        } else {
            (queueBytes, queuePackets) = (conditions.queueBytes(direction), nil)
        }
    }

    private func hasRoom(for packet: Packet) -> Bool {
        if let queuePackets { return queue.packets < queuePackets }
        guard let queueBytes else { return true }
        return queue.bytes + packet.size <= queueBytes
    }

    private mutating func makeRoom(for packet: Packet) -> Bool {
        while !hasRoom(for: packet) {
            guard let victim = queue.evict(inFavourOf: packet.flow) else { return false }
            counters.droppedPackets += 1
            evicted.append(victim)
        }
        return true
    }

    /// Moves packets from the queue to the transmitter, and from there to those that travel.
    private mutating func advance(to now: Instant) {
        move(to: now)
        findDeadline()
    }

    private mutating func findDeadline() {
        nextDeadline = travelling.nextArrival
        guard let finish = transmitting?.finish else { return }
        nextDeadline = nextDeadline.map { min($0, finish) } ?? finish
    }

    private mutating func move(to now: Instant) {
        while true {
            if let (item, finish) = transmitting {
                guard finish <= now else { return }
                transmitting = nil
                counters.sentPackets += 1
                counters.wireBytes += Int64(item.size)
                depart(item, at: finish)
            }
            guard !isHeld, let next = queue.popFirst() else { return }
            transmit(next)
        }
    }

    private mutating func transmit(_ item: FairQueue.Item) {
        transmitting = (item, clock.finish(bytes: item.size, ready: item.ready))
    }

    private mutating func depart(_ item: FairQueue.Item, at departure: Instant) {
        var travel = TravellingPackets.Item(arrival: departure, token: item.token, corruptAt: item.corruptAt)
        if item.skipsDelay, item.lateness <= .zero, item.heldUntil == nil {
            travelling.insert(travel)
            return
        }
        travel.arrival = max(lastArrival, departure + conditions.delay(at: item.jitter))
        if item.lateness > .zero || item.heldUntil != nil {
            let release = item.heldUntil.map { $0 + conditions.delay(at: item.jitter) } ?? travel.arrival
            travel.arrival = max(travel.arrival, release) + item.lateness
            travelling.insert(travel)
        } else {
            lastArrival = travel.arrival
            travelling.append(travel)
        }
    }
}

/// What has happened in one direction of a link since it came up.
package struct DirectionCounters: Sendable, Hashable {
    package var offeredPackets = 0
    /// Dropped by the loss process or by a schedule.
    package var lostPackets = 0
    /// Refused or dropped because the queue was full.
    package var droppedPackets = 0
    /// Refused or dropped because the link was offline.
    package var offlinePackets = 0
    /// Transmitted, in packets and in bytes on the wire.
    package var sentPackets = 0
    package var wireBytes: Int64 = 0
    package var deliveredPackets = 0
    /// Bytes that have arrived in order at the receiver, of all streams; the link counts them, not the pipe.
    package var payload: Int64 = 0

    package init() {}
}
