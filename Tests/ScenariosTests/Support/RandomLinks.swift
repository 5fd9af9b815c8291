import LinkModel

/// Random links of all kinds that a profile can describe, the same for the same seed.
struct RandomLinks {
    private var random: SplitMix64

    init(seed: UInt64) { random = SplitMix64(state: seed) }

    mutating func profile() -> Profile {
        var profile = Profile(name: "p", title: text(), summary: coin() ? text() : "", source: text())
        profile.conditions = conditions()
        if coin() { profile.downlinkTrace = trace() }
        if coin() { profile.uplinkTrace = trace() }
        for direction in Direction.allCases where profile.trace(direction) != nil {
            profile.conditions[direction].rate = nil
        }
        var end = Duration.zero
        for _ in 0..<integer(in: 0...4) {
            end += .nanoseconds(integer(in: 1...1_000_000_000_000))
            let others = conditions()
            // About half of the changes alter only a small part of the link.
            let changed = coin() ? mixed(profile.conditions, others) : others
            profile.changes.append(.init(at: end, conditions: changed))
        }
        if !profile.changes.isEmpty, coin() { profile.repeatsEvery = end + .seconds(1) }
        if coin() {
            let period = integer(in: 10_000_000...86_400_000_000_000)
            let length = integer(in: 1...(period - 1))
            profile.stall = .init(period: .nanoseconds(period), length: .nanoseconds(length))
        }
        return profile
    }

    mutating func conditions() -> LinkConditions {
        var link = LinkConditions()
        if coin() { link.mtu = Int(integer(in: 576...65_535)) }
        link.downlink = direction(link.mtu)
        link.uplink = direction(link.mtu)
        if coin() { link.offline = element(of: OfflineKind.allCases) }
        if coin() { link.dnsDelay = delay() }
        link.isHeld = coin()
        return link
    }

    private mutating func direction(_ mtu: Int) -> Conditions {
        var conditions = Conditions()
        if coin() { conditions.rate = BitRate(bitsPerSecond: magnitude(upTo: 1_000_000_000_000)) }
        if coin() {
            conditions.delay = delay()
            let amount = Duration.nanoseconds(integer(in: 1...conditions.delay.nanoseconds))
            if coin() { conditions.jitter = Jitter(amount: amount, distribution: element(of: [.uniform, .normal])) }
        }
        if coin() { conditions.loss = loss() }
        if coin() { conditions.duplicate = ratio() }
        if coin() { conditions.reorder = ratio() }
        if coin() { conditions.corrupt = ratio() }
        if coin() { conditions.queue = .packets(Int(magnitude(upTo: 1_000_000))) }
        if coin() { conditions.queue = .bytes(ByteCount(max(Int64(mtu), magnitude(upTo: 1 << 40)))) }
        return conditions
    }

    private mutating func loss() -> Loss {
        guard coin() else { return .random(ratio()) }
        var model = GilbertElliott(goodToBad: ratio(), badToGood: ratio())
        if coin() { model.lossInBad = ratio() }
        if coin() { model.lossInGood = ratio() }
        return .gilbertElliott(model)
    }

    /// One link with a part of another.
    private mutating func mixed(_ one: LinkConditions, _ other: LinkConditions) -> LinkConditions {
        var mixed = one
        switch integer(in: 0...3) {
        case 0: mixed.offline = other.offline
        case 1: mixed.downlink.rate = other.downlink.rate
        case 2: mixed.uplink.loss = other.uplink.loss
        default: mixed.downlink.queue = coin() ? .packets(7) : nil
        }
        return mixed
    }

    private mutating func trace() -> DeliveryTrace? {
        var text = ""
        var moment: Int64 = 0
        for _ in 0...integer(in: 0...8) {
            moment += integer(in: 0...500)
            text += "\(moment)\n"
        }
        return try? DeliveryTrace(mahimahi: "\(text)\(moment + 1)")
    }

    private mutating func text() -> String {
        var text = "t"
        for _ in 0..<integer(in: 0...5) { text += element(of: Self.pieces) }
        return "\(text)."
    }

    private static let pieces = [
        "a", "3g", ": ", " # ", "\"", "\\", "\n", "\u{1B}", "é", "🚂", "{", "[", "'", "null", "- ", "&", "*",
    ]

    private mutating func delay() -> Duration { .nanoseconds(magnitude(upTo: 3_600_000_000_000)) }

    private mutating func ratio() -> Ratio { Ratio(partsPerBillion: magnitude(upTo: 1_000_000_000)) }

    /// A random number from 1 to `most`, of any magnitude, round or not.
    private mutating func magnitude(upTo most: Int64) -> Int64 {
        var number = integer(in: 1...most)
        for _ in 0..<integer(in: 0...12) where number >= 10 { number /= 10 }
        for _ in 0..<integer(in: 0...6) where number <= most / 10 { number *= 10 }
        return number
    }

    private mutating func coin() -> Bool { Bool.random(using: &random) }

    private mutating func element<Value>(of values: [Value]) -> Value {
        values[Int(random.next() % UInt64(values.count))]
    }

    private mutating func integer(in range: ClosedRange<Int64>) -> Int64 { .random(in: range, using: &random) }
}
