import Glibc
package import Results

/// What a client did in an attempt, as far as it matters for telling one behaviour from another.
///
/// The order of its requests with status, place and end, its errors, the states of its files, how it ended, and counts in powers
/// of two. Times are not in it: they differ in every attempt.
package struct Behaviour: Hashable, Sendable {
    package let text: String

    /// The most requests that are told apart.
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
        text = words.joined(separator: "; ")
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

    /// Connections to another host: how they end, and how much they bring.
    private static func words(_ connections: [ConductRecord.Connection]) -> [String] {
        var words = connections.prefix(mostRequests).map {
            "\($0.name) \($0.end ?? "open") \(bucket(Int($0.downlinkBytes))) \(bucket(Int($0.uplinkBytes)))"
        }
        if connections.count > mostRequests { words.append("more=\(bucket(connections.count))") }
        return words
    }

    private static func bucket(_ count: Int) -> Int { count == 0 ? 0 : Int(log2(Double(count))) + 1 }
}
