extension Generator {
    /// How many kinds an entry with two faults gets.
    private static let someKinds = 12

    /// Queues candidates that explore a new behaviour: they add a fault at the first request after the entry's last
    /// fault.
    ///
    /// An entry with one fault gets every kind of fault; one with two faults gets ``someKinds`` of them. If that request
    /// is for a range, the kinds that need one come first.
    mutating func explore(_ entry: Corpus.Entry) {
        if entry.places?.requests.contains(where: { $0.number > 1 }) == true { hasTriedAgain = true }
        guard let places = entry.places, (1...2).contains(entry.candidate.faults.count) else { return }
        let latest = places.requests.lastIndex { request in
            // A connection carries another number of bytes in each attempt.
            entry.candidate.faults.contains {
                $0.pack.lineName == request.pack.lineName && $0.request == request.number
            }
        }
        guard let next = latest.flatMap({ places.requests.dropFirst($0 + 1).first }) else { return }
        var kinds = HuntFault.Kind.allCases.filter { layers.contains($0.row.layer) }.shuffled(using: &random)
        if next.isOfRange { kinds = kinds.filter(\.row.isOfRange) + kinds.filter { !$0.row.isOfRange } }
        for kind in kinds.prefix(entry.candidate.faults.count == 1 ? kinds.count : Self.someKinds) {
            guard waiting < Self.mostWaiting else { return }
            guard let fault = fault(kind, at: next) else { continue }
            explored.append(Candidate(entry.candidate.faults + [fault]))
            if kind.row.isOfRange { exploreRests(entry.candidate, with: fault) }
        }
        if entry.candidate.faults.count == 1, entry.candidate.faults[0].kind.row.demand == .retries {
            exploreForms(of: next, after: entry.candidate)
        }
    }

    /// Queues candidates in which more or less of the pack is missing when its rest is requested.
    private mutating func exploreRests(_ candidate: Candidate, with fault: HuntFault) {
        guard candidate.faults.count == 1, let first = candidate.faults.first, first.kind.row.hasPlace else { return }
        for part in [1, 2, 3] as [Int64] where waiting < Self.mostWaiting {
            let moved = HuntFault(
                first.kind, of: first.pack, request: first.request, offset: first.pack.size / 4 * part,
                milliseconds: first.milliseconds)
            explored.append(Candidate([moved, fault]))
        }
    }

    /// Queues candidates in which the next answer has an unusual form, and ends early as well.
    ///
    /// A form that a client bears shows no new behaviour, so it would not be kept to add another fault to it.
    private mutating func exploreForms(of next: InterestingPlaces.Request, after candidate: Candidate) {
        let kinds = HuntFault.Kind.allCases.filter { $0.row.layer == .host && layers.contains(.host) }
        let forms = kinds.filter { $0.row.demand == .bears && !$0.row.hasPlace }
        let ends = kinds.filter { $0.row.traits.contains(.endsEarly) && $0.row.demand == .retries }
        for form in forms.shuffled(using: &random) {
            for end in ends where waiting < Self.mostWaiting {
                guard let first = fault(form, at: next), let last = fault(end, at: next) else { continue }
                explored.append(Candidate(candidate.faults + [first, last]))
            }
        }
    }
}
