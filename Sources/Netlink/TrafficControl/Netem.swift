import CNetlink

/// The parameters of `netem`; see tc-netem(8).
///
/// Each message has all of them, because the kernel keeps what a change leaves out.
package struct Netem: Hashable, Sendable {
    package enum Loss: Hashable, Sendable {
        /// Each packet by itself.
        case random(Probability)
        /// `gemodel`: the chances to go from the good state to the bad and back, and of a loss in each.
        case gilbertElliott(goodToBad: Probability, badToGood: Probability, inBad: Probability, inGood: Probability)

        /// The share of packets lost in the long run, 0…1.
        package var mean: Double {
            switch self {
            case .random(let probability): return probability.fraction
            case .gilbertElliott(let goodToBad, let badToGood, let inBad, let inGood):
                let changes = goodToBad.fraction + badToGood.fraction
                // It begins in the good state, and stays there.
                guard changes > 0 else { return inGood.fraction }
                return (goodToBad.fraction * inBad.fraction + badToGood.fraction * inGood.fraction) / changes
            }
        }
    }

    /// The most packets that it may hold, delayed ones included.
    package var limit: UInt32
    /// In nanoseconds.
    package var delay: Int64 = 0
    /// In nanoseconds; at most 2.1 s, see ``greatestJitter``.
    package var jitter: Int64 = 0
    /// The shape of the jitter.
    ///
    /// It is not sent if there is no jitter. The kernel keeps the last one until it gets another.
    package var distribution = DelayDistribution.uniform
    package var loss = Loss.random(.never)
    package var duplicate = Probability.never
    package var corrupt = Probability.never
    /// The share of packets that are not delayed.
    package var reorder = Probability.never
    /// Packets follow each other at this rate, and never overtake each other, whatever the jitter; nil: they may.
    package var rate: ByteRate?
    /// The seed of its random numbers; nil: the kernel chooses.
    ///
    /// Linux before 6.6 always does.
    package var seed: UInt64?

    package init(limit: UInt32) {
        self.limit = limit
    }

    /// The longest jitter in nanoseconds, to which the kernel silently cuts a longer one.
    package static let greatestJitter: Int64 = 2_147_483_647
    /// The rate by which packets keep their order and lose no time: 1 Tbit/s.
    package static let orderly = ByteRate(bytesPerSecond: 125_000_000_000)

    /// `struct tc_netem_qopt`, followed by attributes that are not nested.
    var options: [UInt8] {
        let gap: UInt32 = reorder == .never ? 0 : 1
        let (latency, deviation) = (SchedulerClock.ticks(nanoseconds: delay), SchedulerClock.ticks(nanoseconds: jitter))
        return [UInt8](native: [latency, limit, randomLoss.share, gap, duplicate.share, deviation]) + attributes.bytes
    }

    private var attributes: NetlinkAttributes {
        var attributes = NetlinkAttributes()
        attributes.add(Int(TCA_NETEM_REORDER), Self.uncorrelated(reorder))
        attributes.add(Int(TCA_NETEM_CORRUPT), Self.uncorrelated(corrupt))
        // `struct tc_netem_rate`: no overhead, no cells.
        attributes.add(Int(TCA_NETEM_RATE), [UInt8](native: [rate?.short ?? 0, 0, 0, 0]))
        if let long = rate?.long { attributes.add(Int(TCA_NETEM_RATE64), long) }
        // In nanoseconds, and up to 292 years; since Linux 4.15.
        attributes.add(Int(TCA_NETEM_LATENCY64), delay)
        attributes.add(Int(TCA_NETEM_JITTER64), jitter)
        if case .gilbertElliott(let goodToBad, let badToGood, let inBad, let inGood) = loss {
            // The kernel has the chance *not* to be lost in the bad state.
            let parts = [goodToBad, badToGood, inBad.complement, inGood]
            attributes.nest(Int(TCA_NETEM_LOSS)) { $0.add(Int(NETEM_LOSS_GE), Self.bytes(parts)) }
        }
        if jitter > 0 { attributes.add(Int(TCA_NETEM_DELAY_DIST), distribution.bytes) }
        if let seed { attributes.add(Int(HEADWIND_TCA_NETEM_PRNG_SEED), seed) }
        return attributes
    }

    private var randomLoss: Probability {
        if case .random(let probability) = loss { probability } else { .never }
    }

    /// A probability with a correlation of 0: it does not depend on the packet before.
    private static func uncorrelated(_ probability: Probability) -> [UInt8] { bytes([probability, .never]) }

    private static func bytes(_ probabilities: [Probability]) -> [UInt8] { [UInt8](native: probabilities.map(\.share)) }

    /// The differences of a netem that the kernel reports from this one; it does not report tables.
    func differences(from options: ReceivedBytes, of name: String) -> [Difference] {
        guard let found = Netem(options) else {
            return Difference.between("the kernel's report on \(name)", "a netem's", nil)
        }
        // A kernel before 6.6 reports no seed, and chooses its own.
        let seeds = zip([seed].compactMap(\.self), [found.seed].compactMap(\.self))
            .flatMap { Difference.between("the seed of \(name)", $0, $1) }
        return Difference.between("the limit of \(name)", limit, found.limit)
            + Difference.between("the delay of \(name) in ns", delay, found.delay)
            + Difference.between("the jitter of \(name) in ns", jitter, found.jitter)
            + Difference.between("the loss of \(name)", loss, found.loss)
            + Difference.between("the duplication of \(name)", duplicate, found.duplicate)
            + Difference.between("the corruption of \(name)", corrupt, found.corrupt)
            + Difference.between("the reordering of \(name)", reorder, found.reorder)
            + Difference.between("the rate of \(name)", rate?.bytesPerSecond ?? 0, found.rate?.bytesPerSecond ?? 0)
            + seeds
    }

    /// Reads the options that the kernel reports; nil if they are too short.
    package init?(_ options: ReceivedBytes) {
        guard let limit = options.integer(at: 4, as: UInt32.self), let loss = options.integer(at: 8, as: UInt32.self),
            let duplicate = options.integer(at: 16, as: UInt32.self)
        else { return nil }
        let attributes = ReceivedAttributes(options.dropFirst(Self.fixedSize))
        self.init(limit: limit)
        delay = attributes[Int(TCA_NETEM_LATENCY64)]?.integer() ?? Self.nanoseconds(options, at: 0)
        jitter = attributes[Int(TCA_NETEM_JITTER64)]?.integer() ?? Self.nanoseconds(options, at: 20)
        self.loss = .random(Probability(share: loss))
        self.duplicate = Probability(share: duplicate)
        func probability(_ type: Int) -> Probability { Probability(share: attributes[type]?.integer() ?? 0) }
        reorder = probability(Int(TCA_NETEM_REORDER))
        corrupt = probability(Int(TCA_NETEM_CORRUPT))
        let short: UInt32 = attributes[Int(TCA_NETEM_RATE)]?.integer() ?? 0
        let long: UInt64 = attributes[Int(TCA_NETEM_RATE64)]?.integer() ?? UInt64(short)
        rate = long > 0 ? ByteRate(bytesPerSecond: long) : nil
        seed = attributes[Int(HEADWIND_TCA_NETEM_PRNG_SEED)]?.integer()
        guard let bursts = attributes.nested(Int(TCA_NETEM_LOSS))[Int(NETEM_LOSS_GE)] else { return }
        func chance(_ place: Int) -> Probability { Probability(share: bursts.integer(at: place * 4) ?? 0) }
        self.loss = .gilbertElliott(
            goodToBad: chance(0), badToGood: chance(1), inBad: chance(2).complement, inGood: chance(3))
    }

    private static let fixedSize = 24

    private static func nanoseconds(_ options: ReceivedBytes, at offset: Int) -> Int64 {
        Int64(options.integer(at: offset, as: UInt32.self) ?? 0) * SchedulerClock.nanosecondsPerTick
    }
}

extension Netem {
    /// The parameters in the notation of tc(8).
    var parameters: String {
        var text = " limit \(limit) delay \(delay)ns"
        if jitter > 0 { text += " \(jitter)ns of \(distribution.entries.count)" }
        switch loss {
        case .random(.never): break
        case .random(let probability): text += " loss \(probability)"
        case .gilbertElliott(let goodToBad, let badToGood, let inBad, let inGood):
            text += " loss gemodel \(goodToBad) \(badToGood) \(inBad) \(inGood)"
        }
        if duplicate != .never { text += " duplicate \(duplicate)" }
        if reorder != .never { text += " reorder \(reorder)" }
        if corrupt != .never { text += " corrupt \(corrupt)" }
        if let rate { text += " rate \(rate)" }
        if let seed { text += " seed \(seed)" }
        return text
    }
}

/// The shape of a jitter, as the table that netem draws from; each entry is as likely as any other.
///
/// It is computed and not read from a file, because the places and names of such files differ between systems.
package struct DelayDistribution: Hashable, Sendable {
    /// Deviations from the delay, in 1/8192 of the jitter.
    package let entries: [Int16]

    /// The table of a distribution, from its quantile function in jitters.
    ///
    /// It has `count` entries (default: 4096), each in the middle of its share.
    package init(count: Int = 4096, quantile: (Double) -> Double) {
        precondition((1...Int(NETEM_DIST_MAX)).contains(count), "netem takes 1 to 16,384 entries")
        entries = (0..<count).map { index in
            let value = quantile((Double(index) + 0.5) / Double(count)) * Self.scale
            return Int16(min(max(value.rounded(), Double(Int16.min)), Double(Int16.max)))
        }
    }

    /// Evenly from one jitter below the delay to one above.
    package static let uniform = DelayDistribution { 2 * $0 - 1 }

    var bytes: [UInt8] { [UInt8](native: entries) }

    private static let scale = Double(NETEM_DIST_SCALE)
}
