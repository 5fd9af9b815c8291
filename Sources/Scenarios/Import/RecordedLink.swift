package import LinkModel

/// What a real link was seen to do, stretch by stretch, and the profile that it makes.
package struct RecordedLink: Hashable, Sendable {
    /// A part of the recording, in which the link was as it was.
    package struct Stretch: Hashable, Sendable {
        /// Since the recording began.
        package var from: Duration
        /// Since the recording began.
        package var to: Duration
        /// Bits of payload a second; nil where it was not measured.
        package var rate: Double?
        /// The round trip without a queue; nil where it was not measured.
        package var roundTrip: Duration?
        /// How the link was offline; nil where it was online.
        package var offline: OfflineKind?

        package init(
            from: Duration, to: Duration, rate: Double? = nil, roundTrip: Duration? = nil, offline: OfflineKind? = nil
        ) {
            (self.from, self.to, self.rate, self.roundTrip, self.offline) = (from, to, rate, roundTrip, offline)
        }

        /// Whether the two differ by less than what is worth a line: a tenth of the rate, and of the round trip 2 ms or a
        /// tenth.
        fileprivate func isLike(_ other: Stretch) -> Bool {
            if offline != nil || other.offline != nil { return offline == other.offline }
            let rates = (rate ?? 0, other.rate ?? 0)
            let trips = (roundTrip ?? .zero, other.roundTrip ?? .zero)
            return abs(rates.0 - rates.1) <= max(rates.0, rates.1) / 10
                && abs(trips.0.seconds - trips.1.seconds) <= max(0.002, max(trips.0, trips.1).seconds / 10)
        }
    }

    /// In order of time, without gaps.
    package var stretches: [Stretch]

    package init(stretches: [Stretch]) { self.stretches = stretches }

    /// What a full packet takes on the wire for each byte of payload: 1500 of IPv4, of which TCP with timestamps (RFC 7323)
    /// leaves 1448.
    private static let headers = 1500.0 / 1448

    /// The profile: the rate of the downlink with headers, half the round trip as the delay of each direction, and how the
    /// link was offline; the changes start again when the recording is over.
    ///
    /// Stretches that are nearly alike are one. nil where the link was never online with a rate.
    package func profile(name: String, source: String) -> Profile? {
        let stretches = joined
        guard let first = stretches.first(where: { $0.offline == nil && $0.rate != nil }), let end = stretches.last?.to
        else { return nil }
        // What a stretch does not say is as it was before; at the beginning, as it is found first.
        var conditions = LinkConditions()
        Self.apply(first, to: &conditions)
        var base = conditions
        var changes: [Profile.Change] = []
        for stretch in stretches {
            Self.apply(stretch, to: &conditions)
            if stretch.from == .zero {
                base = conditions
            } else if conditions != changes.last?.conditions ?? base {
                changes.append(Profile.Change(at: stretch.from, conditions: conditions))
            }
        }
        let online = stretches.compactMap { $0.offline == nil ? $0.rate : nil }
        let texts = [online.min(), online.max()].compactMap { $0.map { Self.rate($0).text } }
        return Profile(
            name: name, title: name,
            summary: "A connection recorded for \(Self.rounded(end).text): \(texts.joined(separator: " to ")).",
            source: Diagnostic.printable(source), conditions: base, changes: changes,
            repeatsEvery: changes.isEmpty ? nil : Self.rounded(end))
    }

    private var joined: [Stretch] {
        var result: [Stretch] = []
        for stretch in stretches where stretch.to > stretch.from {
            if let last = result.last, last.isLike(stretch) {
                let (old, new) = ((last.to - last.from).seconds, (stretch.to - stretch.from).seconds)
                func mean(_ one: Double?, _ other: Double?) -> Double? {
                    guard let one, let other else { return one ?? other }
                    return (one * old + other * new) / (old + new)
                }
                result[result.count - 1].rate = mean(last.rate, stretch.rate)
                result[result.count - 1].roundTrip = mean(last.roundTrip?.seconds, stretch.roundTrip?.seconds)
                    .map { .seconds($0) }
                result[result.count - 1].to = stretch.to
            } else {
                result.append(stretch)
            }
        }
        for index in result.indices {
            result[index].from = Self.rounded(result[index].from)
            result[index].to = Self.rounded(result[index].to)
        }
        // What is shorter than that is none.
        result.removeAll { $0.to == $0.from }
        return result
    }

    /// Sets what the stretch has; of one that is offline, or has no rate, the rest stays as it is.
    private static func apply(_ stretch: Stretch, to conditions: inout LinkConditions) {
        conditions.offline = stretch.offline
        if let rate = stretch.rate { conditions.downlink.rate = Self.rate(rate) }
        if let trip = stretch.roundTrip {
            let delay = min(trip / 2, LinkBounds.delay.upperBound)
            conditions.downlink.delay = .nanoseconds((delay.nanoseconds + 50_000) / 100_000 * 100_000)
            conditions.uplink.delay = conditions.downlink.delay
        }
    }

    /// The rate on the wire to three digits, between 1 bit/s and what a profile takes.
    private static func rate(_ payload: Double) -> BitRate {
        let wire = min(max(payload * headers, 1), 1e12)
        var unit: Int64 = 1
        while wire / Double(unit) >= 1000 { unit *= 10 }
        return BitRate(bitsPerSecond: max(1, Int64((wire / Double(unit)).rounded()) * unit))
    }

    /// To hundredths of a second.
    private static func rounded(_ time: Duration) -> Duration {
        .milliseconds((time.nanoseconds + 5_000_000) / 10_000_000 * 10)
    }
}
