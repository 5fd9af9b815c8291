/// Makes one candidate after another: single faults, then pairs, and what grows out of new behaviour.
struct Generator {
    let packs: [HuntPack]
    let layers: Set<HuntFault.Layer>
    let knowsDigest: Bool
    private var random: SeededGenerator
    /// What is tried before anything is drawn; the last one first.
    private var queue: [Candidate] = []
    private var pairs: [(HuntFault.Kind, HuntFault.Kind)] = []
    private var tried: Set<Candidate> = []

    /// The most faults of a candidate.
    private static let mostFaults = 4
    /// So many draws that bring nothing new end a hunt: all has been tried.
    private static let mostDraws = 2000

    init(_ packs: [HuntPack], layers: Set<HuntFault.Layer>, knowsDigest: Bool, seed: UInt64) {
        (self.packs, self.layers, self.knowsDigest) = (packs, layers, knowsDigest)
        random = SeededGenerator(seed: seed)
        let kinds = HuntFault.Kind.allCases.filter { layers.contains($0.row.layer) }
        // Each pair of kinds once, in an order of the seed's.
        pairs = kinds.flatMap { first in kinds.map { (first, $0) } }.shuffled(using: &random)
    }

    /// Begins with what an earlier hunt kept, and with single faults at the places of an attempt in which nothing went wrong.
    mutating func begin(_ places: InterestingPlaces, with kept: [Candidate]) {
        let singles = places.singles(of: layers).map { Candidate([$0]) }
        queue = Array((kept + singles).reversed())
    }

    /// The next candidate that was not tried; nil where none is left.
    mutating func next(_ corpus: Corpus) -> Candidate? {
        for _ in 0..<Self.mostDraws {
            while let candidate = queue.popLast() {
                if isNew(candidate) { return candidate }
            }
            guard let candidate = draw(corpus), isNew(candidate) else { continue }
            return candidate
        }
        return nil
    }

    private mutating func isNew(_ candidate: Candidate) -> Bool {
        candidate.isFair(knowsDigest: knowsDigest) && tried.insert(candidate).inserted
    }

    /// Has new behaviour explored at once: single faults at the requests that it brought.
    mutating func explore(_ entry: Corpus.Entry) {
        guard let places = entry.places, entry.candidate.faults.count < 2, !entry.candidate.faults.isEmpty else {
            return
        }
        let latest = entry.candidate.faults.map(\.request).max() ?? 1
        let later = places.requests.filter { $0.number > latest }
        guard let first = later.first else { return }
        let kinds = HuntFault.Kind.allCases.filter { layers.contains($0.row.layer) }.shuffled(using: &random)
        // A few of each: the next behaviour that is new brings more.
        for kind in kinds.prefix(8) {
            guard let fault = fault(kind, at: first) else { continue }
            queue.insert(Candidate(entry.candidate.faults + [fault]), at: 0)
        }
    }

    private mutating func draw(_ corpus: Corpus) -> Candidate? {
        guard let entry = corpus.draw(&random) else { return nil }
        switch Int.random(in: 0..<10, using: &random) {
        case 0..<4: return extended(entry)
        case 4..<6: return pair(entry)
        case 6..<8: return mutated(entry)
        default: return crossed(entry, corpus)
        }
    }

    /// One more fault at a place that the entry's own attempt came to.
    private mutating func extended(_ entry: Corpus.Entry) -> Candidate? {
        guard entry.candidate.faults.count < Self.mostFaults,
            let request = entry.places?.requests.randomElement(using: &random),
            let kind = kind(), let fault = fault(kind, at: request)
        else { return nil }
        return Candidate(entry.candidate.faults + [fault])
    }

    /// The next pair of kinds that was not together yet.
    private mutating func pair(_ entry: Corpus.Entry) -> Candidate? {
        guard let (first, second) = pairs.popLast(), let pack = packs.randomElement(using: &random) else { return nil }
        func place(_ number: Int) -> InterestingPlaces.Request {
            .init(
                pack: pack, number: number, offsets: InterestingPlaces.offsets(from: 0, upTo: pack.size),
                isOfRange: number > 1)
        }
        let isSecond = first.row.demand != .bears || Bool.random(using: &random)
        guard let one = fault(first, at: place(1)), let other = fault(second, at: place(isSecond ? 2 : 1)) else {
            return nil
        }
        return Candidate([one, other])
    }

    private mutating func mutated(_ entry: Corpus.Entry) -> Candidate? {
        var faults = entry.candidate.faults
        guard let index = faults.indices.randomElement(using: &random) else { return extended(entry) }
        let old = faults[index]
        switch Int.random(in: 0..<4, using: &random) {
        case 0:
            let steps: [Int64] = [-64 << 10, -4096, -1448, -1, 1, 1448, 4096, 64 << 10]
            let offset = old.offset + (steps.randomElement(using: &random) ?? 1)
            faults[index] = HuntFault(old.kind, of: old.pack, request: old.request, offset: offset)
        case 1:
            let offset = Int64.random(in: 0...old.pack.size, using: &random)
            faults[index] = HuntFault(old.kind, of: old.pack, request: old.request, offset: offset)
        case 2:
            let request = old.request + (Bool.random(using: &random) ? 1 : -1)
            faults[index] = HuntFault(old.kind, of: old.pack, request: request, offset: old.offset)
        default:
            guard let kind = kind() else { return nil }
            faults[index] = HuntFault(kind, of: old.pack, request: old.request, offset: old.offset)
        }
        return Candidate(faults)
    }

    private mutating func crossed(_ entry: Corpus.Entry, _ corpus: Corpus) -> Candidate? {
        guard let other = corpus.draw(&random) else { return nil }
        let all = (entry.candidate.faults + other.candidate.faults).shuffled(using: &random)
        let count = Int.random(in: 1...Self.mostFaults, using: &random)
        return all.isEmpty ? nil : Candidate(all.prefix(count))
    }

    private mutating func kind() -> HuntFault.Kind? {
        HuntFault.Kind.allCases.filter { layers.contains($0.row.layer) }.randomElement(using: &random)
    }

    private mutating func fault(_ kind: HuntFault.Kind, at request: InterestingPlaces.Request) -> HuntFault? {
        let row = kind.row
        if row.isFirstOnly, request.number != 1 { return nil }
        if row.isOfRange, !request.isOfRange { return nil }
        let offset = row.hasPlace ? request.offsets.randomElement(using: &random) ?? 0 : 0
        return HuntFault(
            kind, of: request.pack, request: request.number, offset: offset,
            milliseconds: row.milliseconds.randomElement(using: &random))
    }
}

/// Random numbers that depend on a seed alone.
///
/// SplitMix64: G. Steele, D. Lea and C. Flood, 2014.
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
