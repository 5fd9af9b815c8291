/// Random decisions that depend only on their subject, and not on anything that happened before.
///
/// A decision is the keyed hash of seed, rule, stream, direction, slot and transmission. An additional retransmission
/// changes no other decision, so the same seed loses the same slots again, see ``LossProcess``.
package struct KeyedRandom: Sendable, Hashable {
    /// The kind of decision.
    ///
    /// Runs are repeatable only as long as these numbers never change.
    package enum Rule: UInt64, Sendable {
        case loss = 1
        case lossState = 2
        case duplicate = 3
        case reorder = 4
        case corrupt = 5
        case jitter = 6
        case toxicity = 8
        case toxicLatency = 9
        case toxicSlice = 10
        case toxicLoss = 11
        case lossBetweenStarts = 12
    }

    /// The packet that a decision is about.
    package struct Subject: Sendable, Hashable {
        /// The number of the stream, see ``KeyedRandom/streamKey(_:)``.
        package var stream: UInt64
        package var direction: Direction
        /// The place in the stream: the number of a slot, or the first offset of the packet.
        package var slot: Int64
        /// 1 for the first time that these bytes are sent.
        package var transmission: Int

        package init(stream: UInt64, direction: Direction, slot: Int64, transmission: Int) {
            self.stream = stream
            self.direction = direction
            self.slot = slot
            self.transmission = transmission
        }
    }

    package let seed: UInt64

    package init(seed: UInt64) {
        self.seed = seed
    }

    /// The decisions of a link that plays `schedule`, if any; the schedule's seed overrides `seed`.
    package init(seed: UInt64, playing schedule: FaultSchedule?) {
        self.init(seed: schedule?.seed ?? seed)
    }

    /// The number of a stream from its name: its first request's path, or its place in the order of accepted
    /// connections.
    package func streamKey(_ name: String) -> UInt64 {
        SipHash.hash(key0: seed, key1: 0, bytes: Array(name.utf8))
    }

    /// 64 evenly distributed bits.
    package func bits(_ rule: Rule, _ subject: Subject) -> UInt64 {
        var hash = SipHash(key0: seed, key1: rule.rawValue)
        hash.combine(subject.stream)
        hash.combine(subject.direction == .downlink ? 0 : 1)
        hash.combine(UInt64(bitPattern: subject.slot))
        hash.combine(UInt64(subject.transmission))
        return hash.finish()
    }

    /// Whether something of this probability happens.
    package func happens(_ probability: Ratio, _ rule: Rule, _ subject: Subject) -> Bool {
        guard probability != .zero else { return false }
        return bits(rule, subject).multipliedFullWidth(by: 1_000_000_000).high < UInt64(probability.partsPerBillion)
    }

    /// An evenly distributed number, 0 or more and below 1.
    package func unit(_ rule: Rule, _ subject: Subject) -> Double {
        Double(bits(rule, subject) >> 11) * 0x1p-53
    }
}
