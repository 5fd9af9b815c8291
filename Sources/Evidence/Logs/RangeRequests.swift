import PackHost

/// The requests of an attempt for ranges, and whether they were made side by side.
struct RangeRequests {
    /// A request for a range.
    struct Request {
        /// The first byte of the range.
        var start: Int64
        /// Which request of the pack for a range from this byte on it is, from 1.
        var number: Int
        /// Whether the client had another connection open whose latest request was for a range of the pack without a
        /// byte in common, as a client has that divides a download among connections.
        ///
        /// Such requests arrive in any order. A client that gives up a request and resumes makes none: the rest that it
        /// requests is a part of the range that it gave up.
        var isParallel = false
    }

    private struct Identity: Hashable {
        var pack: String
        /// Which request for the pack it is, from 1.
        var number: Int
    }

    /// The most open connections among which ranges are compared; a client with more floods its host.
    private static let mostOpen = 256

    private var requests: [Identity: Request] = [:]

    init(_ events: [HostEvent]) {
        var counts: [String: [Int64: Int]] = [:]
        var open: [Int: (identity: Identity, bytes: ClosedRange<Int64>)] = [:]
        for event in events {
            switch event.kind {
            case .closed: open[event.connection] = nil
            case .request(let request):
                open[event.connection] = nil
                guard request.method == "GET", let pack = request.pack, let number = request.number,
                    let bytes = request.requestedBytes
                else { continue }
                let identity = Identity(pack: pack, number: number)
                let nth = counts[pack, default: [:]][bytes.lowerBound, default: 0] + 1
                counts[pack, default: [:]][bytes.lowerBound] = nth
                let others =
                    open.count > Self.mostOpen
                    ? [] : open.values.filter { $0.identity.pack == pack && !$0.bytes.overlaps(bytes) }
                requests[identity] = Request(start: bytes.lowerBound, number: nth, isParallel: !others.isEmpty)
                for other in others { requests[other.identity]?.isParallel = true }
                open[event.connection] = (identity, bytes)
            default: continue
            }
        }
    }

    /// The request with this number for a pack; nil if it was for no range.
    subscript(pack: String, number: Int) -> Request? { requests[Identity(pack: pack, number: number)] }
}
