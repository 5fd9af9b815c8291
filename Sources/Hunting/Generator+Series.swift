import LinkModel

extension Generator {
    /// Makes a candidate of failures in a row: the client tries again after each one, and meets the next one.
    ///
    /// A client may bear each failure alone, and still fail when it counts them. In half of all cases the failures are
    /// of one kind. In half of all cases the last fault is of any kind, or of one that needs a range. For a client that
    /// requests ranges side by side, each fault is at any of these ranges.
    mutating func series() -> Candidate? {
        // A connection ends with its first failure, and the name of the next one is not known.
        guard let pack = packs.filter({ $0.medium == .file }).randomElement(using: &random) else { return nil }
        let own = ranges.filter { $0.pack.identifier == pack.identifier }
        var faults: [HuntFault] = []
        var numbers: [Int64?: Int] = [:]
        var start: Int64 = 0
        for kind in kindsOfSeries() {
            let range = own.randomElement(using: &random)
            let number = numbers[range?.pack.rangeStart, default: 0] + 1
            numbers[range?.pack.rangeStart] = number
            var request = range ?? request(number, for: pack, from: start)
            request.number = number
            addPlaces(to: &request)
            guard let fault = fault(kind, at: request) else { continue }
            faults.append(fault)
            if range == nil, kind.row.layer != .packet, kind.row.hasPlace { start = fault.offset }
        }
        return faults.count > 1 ? Candidate(faults) : nil
    }

    private mutating func kindsOfSeries() -> [HuntFault.Kind] {
        // A client with a timeout tries again after a stall, too.
        let failures = kinds.filter { $0.row.demand == .retries || $0 == .stallForGood }
        let usual = Bool.random(using: &random) ? failures.randomElement(using: &random) : nil
        var series = (0..<Int.random(in: 2...Candidate.mostFaults, using: &random)).compactMap { _ in
            usual ?? failures.randomElement(using: &random)
        }
        if Bool.random(using: &random) {
            let isForRange = Bool.random(using: &random)
            let last = isForRange ? kinds.filter(\.row.isOfRange) : kinds
            series = series.dropLast() + [last.randomElement(using: &random)].compactMap { $0 }
        }
        return series
    }

    /// Adds as many random bytes as the request has places, between its first and last ones.
    private mutating func addPlaces(to request: inout InterestingPlaces.Request) {
        guard let first = request.offsets.first, let last = request.offsets.last else { return }
        request.offsets += request.offsets.map { _ in Int64.random(in: first...last, using: &random) }
        request.offsets.sort()
    }
}
