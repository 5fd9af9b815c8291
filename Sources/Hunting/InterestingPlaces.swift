import LinkModel
package import Results

/// The places at which faults are likely to show something, derived from an attempt's own requests.
package struct InterestingPlaces: Sendable {
    /// A request, and the bytes at which faults are placed.
    package struct Request: Hashable, Sendable {
        package var pack: HuntPack
        package var number: Int
        /// Bytes of the pack, ascending, within the requested range.
        package var offsets: [Int64]
        /// Whether it asked for only a part of the pack.
        package var isOfRange: Bool
    }

    package let requests: [Request]

    /// The most requests or connections of an attempt that faults are placed at.
    static let mostRequests = 8

    /// The places of an attempt's requests; if it had none, those of the first request of each pack.
    package init(of attempt: AttemptRecord, packs: [HuntPack]) {
        if let connections = attempt.conduct?.connections {
            requests = Self.requests(of: connections)
            return
        }
        let known = Dictionary(packs.map { ($0.identifier, $0) }) { first, _ in first }
        let found = (attempt.conduct?.fetches ?? []).prefix(Self.mostRequests).compactMap { fetch -> Request? in
            guard var pack = known[fetch.pack] else { return nil }
            if fetch.numberOfRange != nil { pack.rangeStart = fetch.askedFrom }
            let end = fetch.isOfRange && fetch.isWhole ? fetch.range.upperBound : pack.size
            return Request(
                pack: pack, number: fetch.numberOfRange ?? fetch.number,
                offsets: Self.offsets(from: fetch.answeredFrom, upTo: end), isOfRange: fetch.isOfRange)
        }
        let asked = Set(found.map(\.pack.identifier))
        let others = packs.filter { !asked.contains($0.identifier) }.map {
            Request(pack: $0, number: 1, offsets: Self.offsets(from: 0, upTo: $0.size), isOfRange: false)
        }
        requests = found + (found.isEmpty ? others : [])
    }

    /// The first and last bytes, multiples of common buffer sizes, the middle, the tail, and the end; ascending.
    static func offsets(from first: Int64, upTo size: Int64) -> [Int64] {
        let marks = [
            first, first + 1, first + 1448, first + (16 << 10), first + (64 << 10), first + (size - first) / 2,
            size - (64 << 10), size - HuntFault.tail, size - 1, size,
        ]
        return Set(marks.filter { first <= $0 && $0 <= size }).sorted()
    }
}

extension ConductRecord.Fetch {
    fileprivate var isOfRange: Bool { (askedFrom ?? 1) > 0 || status == 206 }
}

extension InterestingPlaces {
    /// Every single fault of these layers at every place.
    ///
    /// Kinds take turns, so that a short hunt tries some of each. Faults with the same lines are listed once.
    package func singles(of layers: Set<HuntFault.Layer>) -> [HuntFault] {
        var byKind: [HuntFault.Kind: [HuntFault]] = [:]
        for kind in HuntFault.Kind.allCases where layers.contains(kind.row.layer) {
            byKind[kind] = requests.flatMap { faults(of: kind, at: $0) }
        }
        var singles: [HuntFault] = []
        var turn = 0
        while true {
            let next = HuntFault.Kind.allCases.compactMap { kind in
                byKind[kind].flatMap { turn < $0.count ? $0[turn] : nil }
            }
            if next.isEmpty { break }
            singles += next
            turn += 1
        }
        var known: Set<[FaultSchedule.Line]> = []
        return singles.filter { known.insert($0.lines).inserted }
    }

    private func faults(of kind: HuntFault.Kind, at request: Request) -> [HuntFault] {
        let row = kind.row
        if row.isFirstOnly, request.number != 1 { return [] }
        if row.isOfRange, !request.isOfRange { return [] }
        let offsets = row.hasPlace ? Self.middleFirst(request.offsets) : [0]
        let lengths = row.milliseconds.isEmpty ? [0] : row.milliseconds
        return offsets.flatMap { offset in
            lengths.map {
                HuntFault(kind, of: request.pack, request: request.number, offset: offset, milliseconds: $0)
            }
        }
    }

    /// The middle offset first, since most clients spend most of their time there; then the others from both ends.
    private static func middleFirst(_ offsets: [Int64]) -> [Int64] {
        var rest = offsets[...]
        var ordered: [Int64] = []
        if rest.count > 2 {
            let middle = rest.index(rest.startIndex, offsetBy: rest.count / 2)
            ordered.append(rest[middle])
        }
        while let last = rest.popLast() {
            ordered.append(last)
            if let first = rest.popFirst() { ordered.append(first) }
        }
        var known: Set<Int64> = []
        return ordered.filter { known.insert($0).inserted }
    }
}
