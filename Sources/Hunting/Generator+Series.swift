import LinkModel

extension Generator {
    /// Makes a candidate of failures in a row: the client tries again after each one, and meets the next one.
    ///
    /// A client may bear each failure alone, and still fail when it counts them. In half of all cases the failures are of
    /// one kind, and in half of all cases the last one is of any kind, or of those that only a range can meet. For a client that requests ranges side by side,
    /// each failure is at any of these ranges.
    mutating func series() -> Candidate? {
        // A connection ends with its first failure, and the name of the next one is not known.
        guard let pack = packs.filter({ $0.medium == .file }).randomElement(using: &random) else { return nil }
        let own = ranges.filter { $0.pack.identifier == pack.identifier }
        let kinds = HuntFault.Kind.allCases.filter { layers.contains($0.row.layer) }
        // A client with a timeout tries again after a stall, too.
        let failures = kinds.filter { $0.row.demand == .retries || $0 == .stallForGood }
        let usual = Bool.random(using: &random) ? failures.randomElement(using: &random) : nil
        let count = Int.random(in: 2...Self.mostFaults, using: &random)
        var faults: [HuntFault] = []
        var numbers: [Int64?: Int] = [:]
        var start: Int64 = 0
        for place in 1...count {
            let isAny = place == count && Bool.random(using: &random)
            let isForRange = isAny && Bool.random(using: &random)
            let last = isForRange ? kinds.filter(\.row.isOfRange) : kinds
            let drawn = isAny ? last.randomElement(using: &random) : usual ?? failures.randomElement(using: &random)
            guard let kind = drawn else { return nil }
            let range = own.randomElement(using: &random)
            let number = numbers[range?.pack.rangeStart, default: 0] + 1
            numbers[range?.pack.rangeStart] = number
            var request = range ?? request(number, for: pack, from: start)
            request.number = number
            if !request.offsets.isEmpty, request.offsets[0] < pack.size {
                let last = request.offsets[request.offsets.count - 1]
                request.offsets += (0..<request.offsets.count).map { _ in
                    Int64.random(in: request.offsets[0]...last, using: &random)
                }
                request.offsets.sort()
            }
            guard let fault = fault(kind, at: request) else { continue }
            faults.append(fault)
            if range == nil, kind.row.layer != .packet, kind.row.hasPlace { start = fault.offset }
        }
        return faults.count > 1 ? Candidate(faults) : nil
    }
}
