import Glibc
package import Results

/// What a client did in an attempt, in a form that is equal for attempts that behave alike.
///
/// It has the order of the requests with status, place and end, the errors, the states of the files, and how the client
/// ended. Counts are in powers of two. Times are left out, because they differ in every attempt.
package struct Behaviour: Hashable, Sendable {
    /// The hash of all that: a long hunt sees thousands, and 64 bits tell them apart.
    private let hash: Int

    /// The most requests, and the most connections, that are listed one by one; of more, only the rounded number
    /// counts.
    private static let mostRequests = 12

    package init(of cell: CellResult) {
        var words: [String] = []
        for attempt in cell.countedAttempts {
            let fetches = attempt.conduct?.fetches ?? []
            words += fetches.prefix(Self.mostRequests).map(Self.word)
            if fetches.count > Self.mostRequests { words.append("more=\(Self.bucket(fetches.count))") }
            words += Self.words(attempt.conduct?.connections ?? [])
            words += attempt.requests.map { request in
                let error = [request.domain, request.code.map(String.init)].compactMap { $0 }.joined(separator: " ")
                return "\(request.id)=\(request.result.rawValue) \(error)"
            }
            if let end = attempt.clientEnd {
                words.append(end.wasStopped ? "stopped" : end.signal.map { "signal \($0)" } ?? "exited")
            }
            words += (attempt.conduct?.starts ?? []).count > 1 ? ["starts=\(attempt.conduct?.starts?.count ?? 0)"] : []
            words.append("connections=\(Self.bucket(Set(fetches.compactMap(\.connection)).count))")
        }
        words += cell.findings.filter { $0.attribution.row.subject == .client }.map(\.attribution.rawValue)
        words += (cell.diagnoses ?? []).map(\.bug.rawValue)
        hash = words.hashValue
    }

    private static func word(_ fetch: ConductRecord.Fetch) -> String {
        let place =
            switch fetch.askedFrom {
            case nil: "last"
            case 0?: "0"
            case let from? where from <= HuntFault.tail: "near 0"
            case .some: "part"
            }
        return "\(fetch.pack)@\(place) \(fetch.status.map(String.init) ?? "none") \(fetch.end.rawValue)"
            + (fetch.isWhole ? "" : " short")
    }

    /// How connections to another host end, and how many bytes they carry in each direction.
    private static func words(_ connections: [ConductRecord.Connection]) -> [String] {
        var words = connections.prefix(mostRequests).map {
            "\($0.name) \($0.end ?? "open") \(bucket(Int($0.downlinkBytes))) \(bucket(Int($0.uplinkBytes)))"
        }
        if connections.count > mostRequests { words.append("more=\(bucket(connections.count))") }
        return words
    }

    private static func bucket(_ count: Int) -> Int { count == 0 ? 0 : Int(log2(Double(count))) + 1 }
}
