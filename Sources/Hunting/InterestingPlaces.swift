import LinkModel
package import Results

/// The places at which faults are likely to show something, derived from an attempt's own requests.
package struct InterestingPlaces: Sendable {
    /// A request, and the bytes at which faults are placed.
    package struct Request: Hashable, Sendable {
        package var pack: HuntPack
        package var number: Int
        /// Bytes of the pack, ascending, within the requested range; the last one is its end.
        package var offsets: [Int64]
        /// Bytes of its connection, ascending; empty if the connection's name in a schedule is not that of the request.
        package var connectionOffsets: [Int64]
        /// Whether it asked for only a part of the pack.
        package var isOfRange: Bool
        /// Whether a fault of the link can wait for its bytes.
        var isCountable = true
        /// The byte at which its answer ended.
        var end: Int64 = 0
        /// How long the client paused after it failed, in milliseconds; 0 if it did not fail, or did not try again.
        var pause: Int64 = 0

        /// The places of a kind of fault, ascending; empty if the fault cannot happen at this request.
        func places(of row: HuntFault.Row) -> [Int64] {
            if row.isFirstOnly, number != 1 { return [] }
            if row.isOfRange, !isOfRange { return [] }
            if case .client = pack.medium { return row.isOfMoment ? [0] : [] }
            guard row.hasPlace else { return [0] }
            // The host has no byte at the end, so nothing can happen there.
            let inner: [Int64] = offsets.count > 1 ? offsets.dropLast() : offsets
            return switch row.layer {
            case .packet: connectionOffsets
            case .host: inner
            case .link, .client: isCountable ? offsets.last == pack.size ? offsets : inner : []
            }
        }

        /// The place in the middle.
        func middle(of row: HuntFault.Row) -> Int64? { InterestingPlaces.middleFirst(places(of: row)).first }
    }

    package let requests: [Request]
    /// What the client reported: each callback, and the report of progress before it.
    package let moments: [Request]

    /// The most requests or connections of an attempt that faults are placed at.
    static let mostRequests = 8

    /// The places of an attempt's requests; if it had none, those of the first request of each pack.
    package init(of attempt: AttemptRecord, packs: [HuntPack]) {
        let known = Dictionary(packs.map { ($0.identifier, $0) }) { first, _ in first }
        moments = Self.moments(of: attempt.conduct)
        if let connections = attempt.conduct?.connections {
            requests = Self.requests(of: connections, known)
            return
        }
        var ways = RequestWays()
        let fetches = attempt.conduct?.fetches ?? []
        let found = fetches.prefix(Self.mostRequests).enumerated().compactMap { index, fetch -> Request? in
            let way = ways.take(fetch)
            guard var pack = known[fetch.pack] else { return nil }
            if fetch.numberOfRange != nil { pack.rangeStart = fetch.askedFrom }
            let end = fetch.isOfRange && fetch.isWhole ? fetch.range.upperBound : pack.size
            var request = Request(
                pack: pack, number: fetch.ordinal,
                offsets: Self.offsets(from: fetch.answeredFrom, upTo: end),
                connectionOffsets: way.isNamed ? Self.offsets(from: 0, upTo: fetch.bytes) : [],
                isOfRange: fetch.isOfRange, isCountable: pack.rangeStart == nil ? way.isInOrder : way.isNamed)
            request.end = fetch.range.upperBound
            // The pause counts from the last byte, so the answer must have ended with it.
            let lastByte = fetch.lastByteSeconds ?? fetch.endedSeconds
            let isPrompt = fetch.status != nil && fetch.endedSeconds - lastByte < 0.1
            if fetch.hasFailed, isPrompt, request.isCountable, pack.rangeStart == nil,
                let next = fetches.dropFirst(index + 1).first(where: { $0.pack == fetch.pack })
            {
                request.pause = max(0, Int64((next.beganSeconds - fetch.endedSeconds) * 1000))
            }
            return request
        }
        let asked = Set(found.map(\.pack.identifier))
        let others = packs.filter { !asked.contains($0.identifier) }.map {
            let offsets = Self.offsets(from: 0, upTo: $0.size)
            return Request(pack: $0, number: 1, offsets: offsets, connectionOffsets: offsets, isOfRange: false)
        }
        requests = found + (found.isEmpty ? others : [])
    }

    /// Each callback, and the last report of progress of its request, in the order of the requests.
    ///
    /// The record of a command has its end in the place of a callback, so it has none here.
    private static func moments(of conduct: ConductRecord?) -> [Request] {
        func request(_ moment: FaultSchedule.ClientMoment, _ number: Int) -> Request {
            Request(pack: HuntPack(moment), number: number, offsets: [0], connectionOffsets: [], isOfRange: false)
        }
        var reports = 0
        let called = (conduct?.requests ?? []).filter { $0.calledBackSeconds != nil }.prefix(mostRequests)
        let isCommand = conduct?.isCommand ?? true
        return called.enumerated().flatMap { index, one -> [Request] in
            let own = one.progress?.reports ?? 0
            reports += own
            return (own > 0 ? [request(.progress, reports)] : [])
                + (isCommand ? [] : [request(.callback, index + 1)])
        }
    }

    /// The first and last bytes, multiples of common buffer sizes, the middle, one within the tail, and the end;
    /// ascending.
    static func offsets(from first: Int64, upTo size: Int64) -> [Int64] {
        let marks = [
            first, first + 1, first + 1448, first + (16 << 10), first + (64 << 10), first + (size - first) / 2,
            size - (64 << 10), size - HuntFault.tail / 2, size - 1, size,
        ]
        return Set(marks.filter { first <= $0 && $0 <= size }).sorted()
    }
}

/// How the requests of an attempt use connections, and in which order they fetch bytes.
private struct RequestWays {
    private var connections: Set<Int> = []
    /// The connections whose first request was for a pack, or for a range of it.
    private var opened: [String: Int] = [:]
    private var fetched: [String: Int64] = [:]
    private var moved: Set<String> = []

    /// Takes the next request.
    ///
    /// `isNamed`: a schedule calls its connection by its pack and number. `isInOrder`: it fetches the bytes that follow
    /// those fetched before, so that counting bytes of the pack finds its places.
    mutating func take(_ fetch: ConductRecord.Fetch) -> (isNamed: Bool, isInOrder: Bool) {
        let isFirst = fetch.connection.map { connections.insert($0).inserted } ?? true
        let name = fetch.numberOfRange == nil ? fetch.pack : "\(fetch.pack)@\(fetch.askedFrom ?? 0)"
        // After a redirect the path is another one.
        let isNamed = isFirst && !moved.contains(fetch.pack) && opened[name, default: 0] + 1 == fetch.ordinal
        if isFirst { opened[name, default: 0] += 1 }
        if fetch.status.map((300..<400).contains) == true { moved.insert(fetch.pack) }
        // A refused request fetches nothing of the pack.
        let isInOrder = abs(fetched[fetch.pack, default: 0] - fetch.answeredFrom) < Self.tolerance
        fetched[fetch.pack, default: 0] += fetch.bytes
        return (isNamed, isInOrder)
    }

    /// The heads and short bodies of other answers, which are counted, too.
    private static let tolerance: Int64 = 4096
}

extension ConductRecord.Fetch {
    /// Which request of its name it is, from 1.
    fileprivate var ordinal: Int { numberOfRange ?? number }

    fileprivate var isOfRange: Bool { (askedFrom ?? 1) > 0 || status == 206 }
}

extension InterestingPlaces {
    /// Every single fault of these kinds at every place.
    ///
    /// The loss of the first connection comes first at each place, because many clients resume wrongly. Then kinds take
    /// turns, so that a short hunt tries some of each. Faults with the same lines are listed once.
    package func singles(of kinds: [HuntFault.Kind]) -> [HuntFault] {
        let byKind = kinds.map { kind in (requests + moments).flatMap { faults(of: kind, at: $0) } }
        var singles: [HuntFault] = []
        if let loss = kinds.first(where: \.losesConnection), let first = requests.first {
            singles = faults(of: loss, at: first)
        }
        var turn = 0
        while true {
            let next = byKind.compactMap { turn < $0.count ? $0[turn] : nil }
            if next.isEmpty { break }
            singles += next
            turn += 1
        }
        var known: Set<[FaultSchedule.Line]> = []
        return singles.filter { known.insert($0.lines).inserted }
    }

    private func faults(of kind: HuntFault.Kind, at request: Request) -> [HuntFault] {
        let row = kind.row
        let offsets = Self.middleFirst(request.places(of: row))
        let lengths = row.milliseconds.isEmpty ? [0] : row.milliseconds
        return offsets.flatMap { offset in
            lengths.map {
                HuntFault(kind, of: request.pack, request: request.number, offset: offset, milliseconds: $0)
            }
        }
    }

    /// The middle offset first, since most clients spend most of their time there; then the others from both ends.
    fileprivate static func middleFirst(_ offsets: [Int64]) -> [Int64] {
        guard let first = offsets.first, let last = offsets.last else { return [] }
        let middle = first + (last - first) / 2
        guard let nearest = offsets.min(by: { abs($0 - middle) < abs($1 - middle) }) else { return [] }
        var ordered = [nearest]
        var rest = offsets.filter { $0 != nearest }[...]
        while let last = rest.popLast() {
            ordered.append(last)
            if let first = rest.popFirst() { ordered.append(first) }
        }
        return ordered
    }
}
