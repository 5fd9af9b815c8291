import LinkModel

/// Generates candidates: single faults first, then pairs, then variations of candidates that showed new behaviour.
///
/// Between single faults come usual second faults and, as soon as a client has tried again, failures in a row.
struct Generator {
    let packs: [HuntPack]
    let knowsDigest: Bool
    /// The kinds of faults to try.
    let kinds: [HuntFault.Kind]
    var random: SeededGenerator
    /// What an earlier hunt kept, single faults, and candidates that could not be judged; the last one comes first.
    var queue: [Candidate] = []
    /// Candidates with a second fault behind a single one, which take turns with the queue; the last one comes first.
    var seconds: [Candidate] = []
    /// Candidates that explore new behaviours.
    var explored: [Candidate] = []
    private var turn = 0
    /// Whether an attempt had a second request for a pack, or for a range of it.
    var hasTriedAgain = false
    /// Whether an attempt with one fault, in the middle of the pack, had a later request for a range.
    var hasResumed = false
    /// The kinds of faults that were queued together behind a single fault, in their order.
    var queuedSeconds: Set<[HuntFault.Kind]> = []
    /// The kinds of failures with whose pauses a change was queued, and the kind of that change.
    var queuedInPause: Set<[HuntFault.Kind]> = []
    /// Pairs of kinds not yet tried together, and whether the second applies to the request that follows the first.
    private var pairs: [(first: HuntFault.Kind, second: HuntFault.Kind, isLater: Bool)] = []
    /// The requests for ranges that the client has under way side by side.
    private(set) var ranges: [InterestingPlaces.Request] = []
    /// The hashes of the candidates that were tried: a long hunt tries millions, and 64 bits tell them apart.
    private var tried: Set<Int> = []
    /// The single faults at the places of the attempt without faults.
    private(set) var singles: Set<Candidate> = []
    /// The pairs of different kinds that a fair candidate can have.
    private(set) var fairPairs: Set<Set<HuntFault.Kind>> = []

    /// How many candidates wait to explore new behaviours.
    var waiting: Int { explored.count }

    /// After this many draws without a new candidate the hunt ends: everything has been tried.
    private static let mostDraws = 2000
    /// The most candidates that wait to explore new behaviours; if every attempt looks new, others are left out.
    static let mostWaiting = 10_000
    /// One candidate in so many is drawn, although others wait to explore new behaviours; one in so many is a series.
    private static let drawEvery = 4

    init(_ packs: [HuntPack], kinds: [HuntFault.Kind], knowsDigest: Bool, seed: UInt64) {
        (self.packs, self.kinds, self.knowsDigest) = (packs, kinds, knowsDigest)
        random = SeededGenerator(seed: seed)
    }

    /// Queues the candidates that an earlier hunt kept, then all single faults at the places of an attempt without
    /// faults, and between them one kind at two ranges.
    mutating func begin(_ places: InterestingPlaces, with kept: [Candidate]) {
        let singles = places.singles(of: kinds).map { Candidate([$0]) }
        let moments = Set(places.moments.map(\.pack))
        let wanted = kept.filter {
            $0.faults.allSatisfy { fault in
                if case .client = fault.pack.medium, !moments.contains(fault.pack) { return false }
                return kinds.contains(fault.kind)
            }
        }
        self.singles = Set(singles.filter { $0.isFair(knowsDigest: knowsDigest) })
        ranges = places.requests.filter { $0.pack.rangeStart != nil && $0.number == 1 }
        // Each pair of kinds is tried once at one request. It is tried once at two requests if there are two, or if the
        // first fault causes another request. The seed decides the order.
        let hasSeveral = places.requests.contains { $0.number > 1 || $0.pack.rangeStart != nil }
        let together = kinds.indices.flatMap { index in kinds[index...].dropFirst().map { (kinds[index], $0, false) } }
        fairPairs = Set(together.map { [$0.0, $0.1] }.filter(isFair))
        let later = kinds.filter { hasSeveral || $0.row.demand != .bears }.flatMap { first in
            kinds.map { (first, $0, true) }
        }
        pairs = (together + later).shuffled(using: &random)
        let alike = alikeAtTwoRanges()
        let mixed = singles.enumerated().flatMap { [$1] + alike.dropFirst($0).prefix(1) }
        queue = Array((wanted + mixed).reversed())
    }

    /// Candidates with one kind of fault in the middle of two of several ranges: a client may mix up what it keeps of
    /// them.
    ///
    /// They come between the single faults, and no longer among the pairs.
    private mutating func alikeAtTwoRanges() -> [Candidate] {
        guard ranges.count > 1 else { return [] }
        pairs.removeAll { $0.isLater && $0.first == $0.second }
        return kinds.shuffled(using: &random).compactMap { kind in
            let faults = ranges.shuffled(using: &random).prefix(2).compactMap { range in
                range.middle(of: kind.row).map {
                    HuntFault(kind, of: range.pack, request: range.number, offset: $0)
                }
            }
            return faults.count == 2 ? Candidate(faults) : nil
        }
    }

    /// Whether a fair candidate can have both kinds, at one request or at two.
    private func isFair(_ pair: Set<HuntFault.Kind>) -> Bool {
        guard let pack = packs.first, let one = pair.first, let other = pair.dropFirst().first else { return false }
        return [(1, 1), (1, 2), (2, 1)].contains { first, second in
            Candidate([HuntFault(one, of: pack, request: first), HuntFault(other, of: pack, request: second)])
                .isFair(knowsDigest: knowsDigest)
        }
    }

    /// The next candidate that was not tried; nil if none is left.
    ///
    /// Some are drawn although others wait, so that neither starves.
    mutating func next(_ corpus: Corpus) -> Candidate? {
        turn += 1
        if hasTriedAgain, turn % Self.drawEvery == 1, let candidate = series(), isNew(candidate) { return candidate }
        for queue in turn.isMultiple(of: 2) ? [\Self.seconds, \.queue] : [\.queue, \.seconds] {
            while let candidate = self[keyPath: queue].popLast() {
                if isNew(candidate) { return candidate }
            }
        }
        if !turn.isMultiple(of: Self.drawEvery), let candidate = nextExplored() { return candidate }
        for _ in 0..<Self.mostDraws {
            if let candidate = draw(corpus), isNew(candidate) { return candidate }
        }
        return nextExplored()
    }

    private mutating func nextExplored() -> Candidate? {
        // In their order, all pairs would be tried before the first three faults.
        while let index = explored.indices.randomElement(using: &random) {
            explored.swapAt(index, explored.count - 1)
            let candidate = explored.removeLast()
            if isNew(candidate) { return candidate }
        }
        return nil
    }

    /// Queues a candidate again that could not be judged.
    mutating func retry(_ candidate: Candidate) {
        tried.remove(candidate.hashValue)
        queue.append(candidate)
    }

    private mutating func isNew(_ candidate: Candidate) -> Bool {
        candidate.isFair(knowsDigest: knowsDigest) && tried.insert(candidate.hashValue).inserted
    }

    private mutating func draw(_ corpus: Corpus) -> Candidate? {
        if Bool.random(using: &random), let pair = pairs.popLast() { return together(pair) }
        guard let entry = corpus.draw(&random) else { return nil }
        switch Int.random(in: 0..<4, using: &random) {
        case 0, 1: return extended(entry)
        case 2: return mutated(entry)
        default: return crossed(entry, corpus)
        }
    }

    /// Adds a fault at a place that the entry's attempt reached.
    private mutating func extended(_ entry: Corpus.Entry) -> Candidate? {
        guard entry.candidate.faults.count < Candidate.mostFaults,
            let request = entry.places.flatMap({ ($0.requests + $0.moments).randomElement(using: &random) }),
            let kind = kinds.randomElement(using: &random), let fault = fault(kind, at: request)
        else { return nil }
        return Candidate(entry.candidate.faults + [fault])
    }

    /// Makes a candidate of a pair of kinds, each at a random place.
    private mutating func together(_ pair: (first: HuntFault.Kind, second: HuntFault.Kind, isLater: Bool)) -> Candidate?
    {
        guard let pack = packs.randomElement(using: &random) else { return nil }
        let own = ranges.filter { $0.pack.identifier == pack.identifier }
        if let request = own.randomElement(using: &random) { return together(pair, at: request) }
        guard let one = fault(pair.first, at: request(1, for: pack)) else { return nil }
        let start = one.kind.row.layer == .packet ? 0 : one.offset
        let second = pair.isLater ? request(2, for: pack, from: start) : request(1, for: pack)
        guard let other = fault(pair.second, at: second) else { return nil }
        return Candidate([one, other])
    }

    /// A request of a client that resumes: it asks for the bytes behind those that it has.
    func request(_ number: Int, for pack: HuntPack, from start: Int64 = 0) -> InterestingPlaces.Request {
        .init(
            pack: pack, number: number, offsets: InterestingPlaces.offsets(from: start, upTo: pack.size),
            connectionOffsets: InterestingPlaces.offsets(from: 0, upTo: pack.size - start), isOfRange: number > 1)
    }

    /// Makes a candidate of a pair of kinds at one of several ranges, the second kind at another one if it is later.
    private mutating func together(
        _ pair: (first: HuntFault.Kind, second: HuntFault.Kind, isLater: Bool), at request: InterestingPlaces.Request
    ) -> Candidate? {
        let other = pair.isLater ? ranges.filter { $0 != request }.randomElement(using: &random) : request
        guard let other, let one = fault(pair.first, at: request), let two = fault(pair.second, at: other) else {
            return nil
        }
        return Candidate([one, two])
    }

    private mutating func mutated(_ entry: Corpus.Entry) -> Candidate? {
        var faults = entry.candidate.faults
        guard let index = faults.indices.randomElement(using: &random) else { return extended(entry) }
        let old = faults[index]
        switch Int.random(in: 0..<4, using: &random) {
        case 0:
            let steps: [Int64] = [-64 << 10, -4096, -1448, -1, 1, 1448, 4096, 64 << 10]
            let step = steps.randomElement(using: &random) ?? 1
            faults[index] = old.changed { $0.offset += step }
        case 1:
            let offset = Int64.random(in: 0...old.pack.size, using: &random)
            faults[index] = old.changed { $0.offset = offset }
        case 2:
            let step = Bool.random(using: &random) ? 1 : -1
            faults[index] = old.changed { $0.request += step }
        default:
            guard let kind = kinds.randomElement(using: &random), old.pack.allows(kind) else { return nil }
            faults[index] = HuntFault(
                kind, of: old.pack, request: old.request, offset: old.offset, wait: old.wait)
        }
        return Candidate(faults)
    }

    private mutating func crossed(_ entry: Corpus.Entry, _ corpus: Corpus) -> Candidate? {
        guard let other = corpus.draw(&random) else { return nil }
        let all = (entry.candidate.faults + other.candidate.faults).shuffled(using: &random)
        let count = Int.random(in: 1...Candidate.mostFaults, using: &random)
        return all.isEmpty ? nil : Candidate(all.prefix(count))
    }

    mutating func fault(_ kind: HuntFault.Kind, at request: InterestingPlaces.Request) -> HuntFault? {
        let row = kind.row
        guard let offset = request.places(of: row).randomElement(using: &random) else { return nil }
        return HuntFault(
            kind, of: request.pack, request: request.number, offset: offset,
            milliseconds: row.milliseconds.randomElement(using: &random))
    }
}
