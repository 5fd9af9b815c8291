extension TrafficQueue: CustomStringConvertible {
    /// The queue in the notation of tc(8).
    package var description: String {
        let place = parent == .root ? "root" : parent == .ingress ? "ingress" : "parent \(parent)"
        let overhead = overhead.map { " overhead \($0)" } ?? ""
        return "qdisc \(discipline.kind) \(handle) \(place)\(discipline.parameters)\(overhead)"
    }
}

extension TrafficClass: CustomStringConvertible {
    package var description: String {
        "class htb \(handle) parent \(parent) rate \(rate) ceil \(ceiling) burst \(burst)b quantum \(quantum)b"
    }
}

extension TrafficFilter: CustomStringConvertible {
    package var description: String {
        let matches = matches.map { match in
            " match u32 0x\(String(match.value, radix: 16)) 0x\(String(match.mask, radix: 16)) at \(match.offset)"
        }
        let action =
            switch action {
            case .classify(let target): "flowid \(target)"
            case .redirect(let index): "action mirred egress redirect index \(index)"
            }
        return "filter parent \(parent) prio \(priority) protocol \(networkProtocol) u32\(matches.joined()) \(action)"
    }
}

extension ByteRate: CustomStringConvertible {
    /// In bits per second.
    package var description: String {
        let (bits, isOver) = bytesPerSecond.multipliedReportingOverflow(by: 8)
        return isOver ? "\(bytesPerSecond)B/s" : "\(bits)bit"
    }
}

extension QueueDiscipline {
    fileprivate var parameters: String {
        switch self {
        case .netem(let netem): netem.parameters
        case .tokenBucket(let bucket): " rate \(bucket.rate) burst \(bucket.burst)b limit \(bucket.limit)"
        case .hierarchy(let minor): " default 0x\(String(minor, radix: 16))"
        case .packetFIFO(let packets): packets.map { " limit \($0)p" } ?? ""
        case .byteFIFO(let bytes): " limit \(bytes)b"
        case .fairQueue(let queue): queue.limit.map { " limit \($0)p" } ?? ""
        case .ingress: ""
        }
    }
}

extension Netem {
    fileprivate var parameters: String {
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
