extension Generator {
    /// How many kinds an entry with two faults gets.
    private static let someKinds = 12

    /// Notes whether the client tries again, and queues second faults behind a single fault in the middle of a pack.
    ///
    /// They come next of all: once behind each kind of fault, the loss and the delay of the next answer. As soon as the
    /// client resumes, each fault of a range comes, too. They do not wait for a new behaviour: another fault may have
    /// shown the same one.
    mutating func queueSecondFaults(after candidate: Candidate, at places: InterestingPlaces) {
        if places.requests.contains(where: { $0.number > 1 }) { hasTriedAgain = true }
        guard candidate.faults.count == 1, let fault = candidate.faults.first, fault.isInMiddleHalf,
            let next = places.next(after: candidate)
        else { return }
        loseAndDelay(next, after: fault)
        if next.isOfRange, next.number > 1, !hasResumed {
            hasResumed = true
            let ofRanges = kinds.filter(\.row.isOfRange).shuffled(using: &random)
            queue += ofRanges.compactMap { self.fault($0, at: next) }.map { Candidate([fault, $0]) }
        }
    }

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
        if known.count == 1, known[0].kind.row.demand == .retries { exploreForms(of: next, after: entry.candidate) }
    }

    /// Queues candidates in which the next answer is late, or lost before its first byte, once for each kind of first
    /// fault.
    ///
    /// A client may wait for its second answer in another way than for its first one. If an answer is lost, the client
    /// knows its head, and has nothing of its body.
    private mutating func loseAndDelay(_ next: InterestingPlaces.Request, after first: HuntFault) {
        for kind in [HuntFault.Kind.lateHead, .cut] where kinds.contains(kind) {
            guard let offset = next.places(of: kind.row).first else { continue }
            let candidate = Candidate([first, HuntFault(kind, of: next.pack, request: next.number, offset: offset)])
            if candidate.isFair(knowsDigest: knowsDigest), queuedSeconds.insert([first.kind, kind]).inserted {
                queue.append(candidate)
            }
        }
    }

    /// Queues candidates in which more or less of the pack is missing when its rest is requested.
    private mutating func exploreRests(after first: HuntFault, with fault: HuntFault) {
        guard first.kind.row.hasPlace else { return }
        for part in [1, 2, 3] as [Int64] where waiting < Self.mostWaiting {
            explored.append(Candidate([first.changed { $0.offset = $0.pack.size / 4 * part }, fault]))
        }
    }

    /// Queues candidates in which the next answer has an unusual form, and ends early as well.
    ///
    /// A form that a client bears shows no new behaviour, so it would not be kept to add another fault to it.
    private mutating func exploreForms(of next: InterestingPlaces.Request, after candidate: Candidate) {
        let kinds = kinds.filter { $0.row.layer == .host }
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

extension InterestingPlaces {
    /// The first request after the last one that a fault of the candidate affects; nil if there is none.
    fileprivate func next(after candidate: Candidate) -> Request? {
        let latest = requests.lastIndex { request in
            // A connection carries another number of bytes in each attempt.
            candidate.faults.contains { $0.pack.lineName == request.pack.lineName && $0.request == request.number }
        }
        return latest.flatMap { requests.dropFirst($0 + 1).first }
    }
}

extension HuntFault {
    /// Whether it happens in the second or third quarter of the pack, in a range of it, or at no byte.
    fileprivate var isInMiddleHalf: Bool {
        !kind.row.hasPlace || pack.rangeStart != nil || (pack.size / 4...pack.size - pack.size / 4).contains(offset)
    }
}
