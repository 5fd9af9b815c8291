extension Generator {
    /// How many kinds an entry with two faults gets.
    private static let someKinds = 12

    /// Queues candidates that explore a new behaviour: they add a fault at the first request after the entry's last
    /// fault.
    ///
    /// An entry with one fault gets every kind of fault; one with two faults gets ``someKinds`` of them. If that
    /// request is for a range, the kinds that need one come first.
    mutating func explore(_ entry: Corpus.Entry) {
        let known = entry.candidate.faults
        guard (1...2).contains(known.count), let next = entry.places?.next(after: entry.candidate) else { return }
        var kinds = kinds.shuffled(using: &random)
        if next.isOfRange { kinds = kinds.filter(\.row.isOfRange) + kinds.filter { !$0.row.isOfRange } }
        for kind in kinds.prefix(known.count == 1 ? kinds.count : Self.someKinds) where waiting < Self.mostWaiting {
            guard let fault = fault(kind, at: next) else { continue }
            explored.append(Candidate(known + [fault]))
            if kind.row.isOfRange, known.count == 1 { exploreRests(after: known[0], with: fault) }
        }
        if known.count == 1, known[0].kind.row.demand == .retries {
            explored += formsCutShort(of: next, after: entry.candidate).prefix(max(0, Self.mostWaiting - waiting))
        }
    }

    /// Queues candidates in which more or less of the pack is missing when its rest is requested.
    private mutating func exploreRests(after first: HuntFault, with fault: HuntFault) {
        guard first.kind.row.hasPlace else { return }
        for part in [1, 2, 3] as [Int64] where waiting < Self.mostWaiting {
            explored.append(Candidate([first.changed { $0.offset = $0.pack.size / 4 * part }, fault]))
        }
    }
}
