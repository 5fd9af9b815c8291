import LinkModel

/// Reads the arguments of tc(8) for one queueing discipline, word by word: tc-netem(8), tc-tbf(8), tc-htb(8).
struct QueueArguments {
    private var words: ArraySlice<String>
    private(set) var conditions: Conditions
    private(set) var notes: [String] = []

    init(_ words: ArraySlice<String>, _ conditions: Conditions) { (self.words, self.conditions) = (words, conditions) }

    /// Reads all words of a queueing discipline of this kind; returns the problem, or nil if there is none.
    mutating func read(_ kind: String) -> String? {
        while let word = words.popFirst() {
            let isRight: Bool =
                switch kind {
                case "netem": netem(word)
                case "tbf": tbf(word)
                default: htb(word)
                }
            guard isRight else {
                let value = words.startIndex > 0 ? " \(words.first ?? "")" : ""
                return "'\(kind) … \((word + value).abbreviated)' is not a supported link setting"
            }
        }
        return nil
    }

    private mutating func netem(_ word: String) -> Bool {
        switch word {
        case "delay", "latency": return delay()
        case "loss", "drop": return loss()
        case "rate": return rate() && skipNumbers("the overheads of 'rate'")
        case "corrupt": return share(\.corrupt)
        case "duplicate": return share(\.duplicate)
        case "reorder": return share(\.reorder)
        case "limit":
            guard let count = words.popFirst().flatMap(Int.init), LinkBounds.queuePackets.contains(count) else {
                return false
            }
            conditions.queue = .packets(count)
        case "distribution":
            guard let shape = words.popFirst(), conditions.jitter != nil else { return false }
            switch shape {
            case "normal", "uniform": conditions.jitter?.distribution = Jitter.Distribution(rawValue: shape) ?? .normal
            default:
                conditions.jitter?.distribution = .normal
                notes.append("the distribution '\(shape.abbreviated)' became 'normal'")
            }
        case "gap", "seed":
            notes.append("'\(word)' of netem was left out")
            return words.popFirst() != nil
        case "ecn": notes.append("'ecn' of netem was left out: packets are lost, not marked")
        case "slot":
            notes.append("'slot' of netem was left out")
            words = words.drop { Self.settings.contains($0) == false }
        default: return false
        }
        return true
    }

    private static let settings: Set = [
        "delay", "latency", "loss", "drop", "rate", "corrupt", "duplicate", "reorder", "limit", "ecn", "gap", "seed",
    ]

    /// `delay TIME [JITTER [CORRELATION]] [distribution NAME]`; jitter is uniform if no distribution is named.
    private mutating func delay() -> Bool {
        guard let delay = time() else { return false }
        conditions.delay = delay
        guard startsWithDigit else { return true }
        guard let jitter = time() else { return false }
        if jitter > .zero { conditions.jitter = Jitter(amount: jitter) }
        return skipNumbers("the correlation of the jitter")
    }

    /// `loss [random] SHARE [CORRELATION]`, or `loss gemodel P [R [1-H [1-K]]]`.
    private mutating func loss() -> Bool {
        switch words.first {
        case "gemodel":
            words = words.dropFirst()
            var shares: [Ratio] = []
            while startsWithDigit, shares.count < 4, let word = words.popFirst() {
                guard let share = ToolQuantity.percent(word) else { return false }
                shares.append(share)
            }
            guard let first = shares.first else { return false }
            conditions.loss = .gilbertElliott(
                GilbertElliott(
                    goodToBad: first,
                    badToGood: shares.count > 1
                        ? shares[1] : Ratio(partsPerBillion: 1_000_000_000 - first.partsPerBillion),
                    lossInBad: shares.count > 2 ? shares[2] : .one, lossInGood: shares.count > 3 ? shares[3] : .zero))
            return true
        case "state": return false
        case "random": words = words.dropFirst()
        default: break
        }
        guard let share = words.popFirst().flatMap(ToolQuantity.percent) else { return false }
        conditions.loss = share == .zero ? nil : .random(share)
        return skipNumbers("the correlation of the loss")
    }

    private mutating func share(_ property: WritableKeyPath<Conditions, Ratio>) -> Bool {
        guard let share = words.popFirst().flatMap(ToolQuantity.percent) else { return false }
        conditions[keyPath: property] = share
        return skipNumbers("a correlation")
    }

    private mutating func tbf(_ word: String) -> Bool {
        switch word {
        case "rate": return rate()
        case "limit":
            guard let size = words.popFirst().flatMap(ToolQuantity.size) else { return false }
            conditions.queue = .bytes(size)
            return true
        case "latency":
            guard let time = time() else { return false }
            // The bytes that wait for this long at the rate, which must be given before.
            guard let rate = conditions.rate else { return false }
            let bytes = Double(rate.bitsPerSecond) / 8 * time.seconds
            conditions.queue = .bytes(ByteCount(Int64(max(1500, min(bytes, Double(LinkBounds.queueBytes))))))
            return true
        case "burst", "buffer", "maxburst", "mtu", "minburst", "peakrate":
            notes.append("'\(word)' of tbf was left out: a rate here allows no burst")
            return words.popFirst() != nil
        default: return false
        }
    }

    /// A class gets its ceiling, up to which it may borrow, or its rate if it has none.
    private mutating func htb(_ word: String) -> Bool {
        switch word {
        case "rate":
            guard words.contains("ceil") else { return rate() }
            return words.popFirst() != nil
        case "ceil": return rate()
        case "default", "r2q", "burst", "cburst", "prio", "quantum", "mtu", "overhead", "mpu", "linklayer":
            return words.popFirst() != nil
        default: return false
        }
    }

    private mutating func rate() -> Bool {
        let rate = words.popFirst().flatMap { ToolQuantity.rate($0, ToolQuantity.trafficControlRates) }
        return rate.map { conditions.rate = $0 } != nil
    }

    private mutating func time() -> Duration? {
        words.popFirst().flatMap { ToolQuantity.time($0, ToolQuantity.trafficControlTimes) }
    }

    private var startsWithDigit: Bool { words.first?.first.map { $0.isASCII && $0.isNumber } ?? false }

    /// Skips the numbers that follow, and adds a note that says what they are.
    private mutating func skipNumbers(_ what: String) -> Bool {
        guard startsWithDigit else { return true }
        words = words.drop { $0.first.map { $0.isASCII && $0.isNumber } ?? false }
        notes.append("\(what) was left out")
        return true
    }
}
