extension Generator {
    /// Notes whether the client tries again, and queues faults behind a single fault in the middle of a pack.
    ///
    /// They come once behind each kind of fault. They do not wait for a new behaviour: another fault may have shown the
    /// same one.
    mutating func queueSecondFaults(after candidate: Candidate, at places: InterestingPlaces) {
        if places.requests.contains(where: { $0.number > 1 }) { hasTriedAgain = true }
        guard candidate.faults.count == 1, let fault = candidate.faults.first, fault.isInMiddleHalf,
            let next = places.next(after: fault)
        else { return }
        loseAndDelay(next, after: fault)
        changeInPause(at: places, after: fault)
        failAgain(at: next, after: fault)
        refuseBetweenEditions(at: next, after: fault)
        if next.isOfRange, next.number > 1, !hasResumed {
            hasResumed = true
            // They are many, and so come last.
            seconds.insert(contentsOf: formsCutShort(of: next, after: candidate), at: 0)
            seconds += kinds.filter(\.row.isOfRange).shuffled(using: &random)
                .compactMap { self.fault($0, at: next) }.map { Candidate([fault, $0]) }
        }
    }

    /// Queues a candidate, unless one with these kinds of faults was queued before.
    private mutating func queueOnce(_ faults: [HuntFault]) {
        if queuedSeconds.insert(faults.map(\.kind)).inserted { seconds.append(Candidate(faults)) }
    }

    /// Queues candidates in which the next answer is late, or lost.
    ///
    /// A client may wait for its second answer in another way than for its first one. If the answer to a resumption is
    /// lost before its first byte, the client knows its head, and has nothing of its body.
    private mutating func loseAndDelay(_ next: InterestingPlaces.Request, after first: HuntFault) {
        for kind in [HuntFault.Kind.lateHead, .cut] where kinds.contains(kind) {
            let place = next.isOfRange ? next.places(of: kind.row).first : next.middle(of: kind.row)
            guard let offset = place else { continue }
            queueOnce([first, HuntFault(kind, of: next.pack, request: next.number, offset: offset)])
        }
    }

    /// Queues candidates in which the link or the client changes while the client pauses after a failure.
    ///
    /// They are many and slow, and so come last.
    private mutating func changeInPause(at places: InterestingPlaces, after first: HuntFault) {
        guard let failed = places.requests.first(where: { $0.pack == first.pack && $0.number == first.request }),
            Self.pauses.contains(failed.pause)
        else { return }
        // A round time is easier to read.
        let wait = max(100, failed.pause / 200 * 100)
        for kind in kinds where kind.row.isOfMoment {
            let change = HuntFault(
                kind, of: failed.pack, request: failed.number, offset: failed.end, milliseconds: 2 * failed.pause,
                wait: wait)
            // How a connection is lost makes no difference to the pause.
            let cause = first.kind.losesConnection ? .cut : first.kind
            if queuedInPause.insert([cause, kind]).inserted { seconds.insert(Candidate([first, change]), at: 0) }
        }
    }

    /// The pauses in which something changes, in milliseconds: in longer ones each attempt takes too long.
    private static var pauses: ClosedRange<Int64> { 200...20_000 }

    /// Queues candidates in which the same failure comes two and three times in a row: a client may count them.
    ///
    /// Each one comes closer to the end of the next answer.
    private mutating func failAgain(at next: InterestingPlaces.Request, after first: HuntFault) {
        let row = first.kind.row
        let offsets = row.layer == .packet ? next.connectionOffsets : next.offsets
        // Two cuts are queued above as well, at another byte, so the key is that of three failures.
        guard row.demand == .retries, next.pack == first.pack, let start = offsets.first, let end = offsets.last,
            queuedSeconds.insert([first.kind, first.kind, first.kind]).inserted
        else { return }
        for count in 2...3 {
            let others = (1..<count).map { index in
                first.changed {
                    $0.request += index
                    $0.offset = start + (end - start) * Int64(index) / Int64(count)
                }
            }
            seconds.append(Candidate([first] + others))
        }
    }

    /// Queues candidates in which a request fails between two editions of the pack: a client may forget there which
    /// one it has.
    private mutating func refuseBetweenEditions(at next: InterestingPlaces.Request, after first: HuntFault) {
        guard first.kind.row.traits.contains(.newEdition) else { return }
        for kind in kinds where kind.row.layer == .host && kind.row.demand == .retries && !kind.row.hasPlace {
            queueOnce([first, HuntFault(kind, of: next.pack, request: next.number)])
        }
    }

    /// Candidates in which the next answer has an unusual form, and ends early as well.
    ///
    /// A form that a client bears shows no new behaviour, so it would not be kept to add another fault to it.
    mutating func formsCutShort(of next: InterestingPlaces.Request, after candidate: Candidate) -> [Candidate] {
        let kinds = kinds.filter { $0.row.layer == .host }
        let forms = kinds.filter { $0.row.demand == .bears && !$0.row.hasPlace }.shuffled(using: &random)
        let ends = kinds.filter { $0.row.traits.contains(.endsEarly) && $0.row.demand == .retries }
        return forms.flatMap { form in
            ends.compactMap { end in
                guard let first = fault(form, at: next), let last = fault(end, at: next) else { return nil }
                return Candidate(candidate.faults + [first, last])
            }
        }
    }
}

extension InterestingPlaces {
    /// The next request for the same bytes, or the first one after it; nil if there is none.
    ///
    /// A client of several ranges requests each of them again on its own.
    fileprivate func next(after fault: HuntFault) -> Request? {
        let later = requests.first {
            $0.pack.lineName == fault.pack.lineName && $0.number == fault.request + 1
        }
        return later ?? next(after: Candidate([fault]))
    }

    /// The first request after the last one that a fault of the candidate affects; nil if there is none.
    func next(after candidate: Candidate) -> Request? {
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
