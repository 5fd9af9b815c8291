extension Profile {
    /// A hash of what the link does, the same on every machine; names, titles and sources are not in it.
    package var fingerprint: UInt64 {
        var hash = SipHash(key0: 0, key1: 3)
        conditions.combine(into: &hash)
        hash.combine(UInt64(changes.count))
        for change in changes {
            hash.combine(change.at)
            change.conditions.combine(into: &hash)
        }
        hash.combine(repeatsEvery ?? .zero)
        hash.combine(stall?.period ?? .zero)
        hash.combine(stall?.length ?? .zero)
        for direction in Direction.allCases {
            let milliseconds = trace(direction)?.milliseconds ?? []
            hash.combine(UInt64(milliseconds.count))
            for moment in milliseconds { hash.combine(UInt64(moment)) }
        }
        return hash.finish()
    }
}

extension LinkConditions {
    fileprivate func combine(into hash: inout SipHash) {
        for direction in Direction.allCases { self[direction].combine(into: &hash) }
        hash.combine(offline.flatMap { OfflineKind.allCases.firstIndex(of: $0) }.map { UInt64($0) + 1 } ?? 0)
        hash.combine(isHeld ? 1 : 0)
        hash.combine(dnsDelay)
        hash.combine(UInt64(mtu))
    }
}

extension Conditions {
    fileprivate func combine(into hash: inout SipHash) {
        hash.combine(UInt64(bitPattern: rate?.bitsPerSecond ?? 0))
        hash.combine(delay)
        hash.combine(jitter?.amount ?? .zero)
        hash.combine(jitter?.distribution == .normal ? 1 : 0)
        switch loss {
        case nil: hash.combine(0)
        case .random(let ratio):
            hash.combine(1)
            hash.combine(ratio)
        case .gilbertElliott(let model):
            hash.combine(2)
            for ratio in [model.goodToBad, model.badToGood, model.lossInBad, model.lossInGood] { hash.combine(ratio) }
        }
        for ratio in [duplicate, reorder, corrupt] { hash.combine(ratio) }
        switch queue {
        case nil: hash.combine(0)
        case .bytes(let count):
            hash.combine(1)
            hash.combine(UInt64(bitPattern: count.bytes))
        case .packets(let count):
            hash.combine(2)
            hash.combine(UInt64(count))
        }
    }
}

extension SipHash {
    fileprivate mutating func combine(_ duration: Duration) { combine(UInt64(bitPattern: duration.nanoseconds)) }
    fileprivate mutating func combine(_ ratio: Ratio) { combine(UInt64(bitPattern: ratio.partsPerBillion)) }
}
