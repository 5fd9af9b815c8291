import CNetlink

extension Netem {
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
