package import LinkModel

/// Measurements of a real link, stretch by stretch, and the profile that is made from them.
package struct RecordedLink: Hashable, Sendable {
    /// A part of the recording in which the link did not change.
    package struct Stretch: Hashable, Sendable {
        /// The begin, since the start of the recording.
        package var from: Duration
        /// The end, since the start of the recording.
        package var to: Duration
        /// The rate in bits of payload per second; nil if it was not measured.
        package var rate: Double?
        /// The round-trip time without queueing; nil if it was not measured.
        package var roundTrip: Duration?
        /// How the link was offline; nil if it was online.
        package var offline: OfflineKind?

        package init(
            from: Duration, to: Duration, rate: Double? = nil, roundTrip: Duration? = nil, offline: OfflineKind? = nil
        ) {
            (self.from, self.to, self.rate, self.roundTrip, self.offline) = (from, to, rate, roundTrip, offline)
        }

        /// Whether two stretches are nearly the same: rates within a tenth, and round-trip times within 2 ms or a
        /// tenth.
        fileprivate func isLike(_ other: Stretch) -> Bool {
            if offline != nil || other.offline != nil { return offline == other.offline }
            let rates = (rate ?? 0, other.rate ?? 0)
            let trips = (roundTrip ?? .zero, other.roundTrip ?? .zero)
            return abs(rates.0 - rates.1) <= max(rates.0, rates.1) / 10
                && abs(trips.0.seconds - trips.1.seconds) <= max(0.002, max(trips.0, trips.1).seconds / 10)
        }
    }

    /// The stretches in order of time, without gaps.
    package var stretches: [Stretch]

    package init(stretches: [Stretch]) { self.stretches = stretches }

    /// The bytes on the wire for each byte of payload: TCP over IPv4 with timestamps (RFC 7323) puts 1448 into 1500.
    private static let headers = 1500.0 / 1448

    /// The profile of the recording, whose changes repeat after its end; nil if the link was never online with a rate.
    ///
    /// The downlink's rate includes headers. The delay of each direction is half the round-trip time. Stretches that
    /// are nearly the same are merged.
    package func profile(name: String, source: String) -> Profile? {
        let stretches = joined
        guard let first = stretches.first(where: { $0.offline == nil && $0.rate != nil }), let end = stretches.last?.to
        else { return nil }
        // A value that a stretch lacks stays as before; before the first stretch, it is that of the first with a rate.
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
        // Stretches that round to no length are dropped.
        result.removeAll { $0.to == $0.from }
        return result
    }

    /// Applies the stretch's values; those that it lacks, such as the rate while offline, stay unchanged.
    private static func apply(_ stretch: Stretch, to conditions: inout LinkConditions) {
        conditions.offline = stretch.offline
        if let rate = stretch.rate { conditions.downlink.rate = Self.rate(rate) }
        if let trip = stretch.roundTrip {
            let delay = min(trip / 2, LinkBounds.delay.upperBound)
            conditions.downlink.delay = .nanoseconds((delay.nanoseconds + 50_000) / 100_000 * 100_000)
            conditions.uplink.delay = conditions.downlink.delay
        }
    }

    /// The rate on the wire, rounded to three digits, from 1 bit/s to 1 Tbit/s, a profile's limit.
    private static func rate(_ payload: Double) -> BitRate {
        let wire = min(max(payload * headers, 1), 1e12)
        var unit: Int64 = 1
        while wire / Double(unit) >= 1000 { unit *= 10 }
        return BitRate(bitsPerSecond: max(1, Int64((wire / Double(unit)).rounded()) * unit))
    }

    /// Rounds to hundredths of a second.
    private static func rounded(_ time: Duration) -> Duration {
        .milliseconds((time.nanoseconds + 5_000_000) / 10_000_000 * 10)
    }
}
