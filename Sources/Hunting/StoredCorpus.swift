import LinkModel
import Results

/// Faults worth trying again, as a file for later hunts: `corpus.json`.
package struct StoredCorpus: Codable, Sendable {
    package static let currentSchema = 1
    package static let fileName = "corpus.json"
    /// The largest file that is read, in bytes.
    package static let mostBytes = 32 << 20
    /// The most candidates that are kept or read.
    private static let mostCandidates = 100_000

    private struct Fault: Codable, Hashable {
        var kind: String
        var pack: String
        var request: Int
        /// Nil for faults that are not limited to a range.
        var rangeStart: Int64?
        var offset: Int64
        var milliseconds: Int64
        /// Nil if it is 0.
        var wait: Int64?

        private enum CodingKeys: String, SnakeCaseKey {
            case kind, pack, request, offset, milliseconds, wait, rangeStart
        }
    }

    package private(set) var schema = Self.currentSchema
    private var candidates: [[Fault]]

    /// Keeps the candidates of a hunt, and then those of `earlier` that are not among them.
    package init(_ candidates: some Sequence<Candidate>, beside earlier: StoredCorpus? = nil) {
        self.candidates = candidates.map { candidate in
            candidate.faults.map {
                Fault(
                    kind: $0.kind.rawValue, pack: $0.pack.identifier, request: $0.request,
                    rangeStart: $0.pack.rangeStart, offset: $0.offset, milliseconds: $0.milliseconds,
                    wait: $0.wait > 0 ? $0.wait : nil)
            }
        }
        let own = Set(self.candidates)
        self.candidates += (earlier?.candidates ?? []).filter { !own.contains($0) }
        self.candidates.removeLast(max(0, self.candidates.count - Self.mostCandidates))
    }

    /// The text that `encode` makes of it; the last candidates are dropped until it has fewer than `most` bytes.
    package func fitting<Text: Collection>(
        into most: Int = Self.mostBytes, _ encode: (Self) throws -> Text
    ) rethrows -> Text {
        var corpus = self
        while true {
            let text = try encode(corpus)
            guard text.count >= most, !corpus.candidates.isEmpty else { return text }
            corpus.candidates.removeLast(max(1, corpus.candidates.count / 10))
        }
    }

    /// The stored candidates that can be tried with these packs.
    ///
    /// Leaves out candidates with faults of other packs or unknown kinds, with invalid values, or with more faults than
    /// a hunt puts together.
    package func candidates(of packs: [HuntPack]) -> [Candidate] {
        let moments = FaultSchedule.ClientMoment.allCases.map { HuntPack($0) }
        let known = Dictionary((packs + moments).map { ($0.identifier, $0) }) { first, _ in first }
        return candidates.prefix(Self.mostCandidates).compactMap { faults in
            let read = faults.compactMap { fault -> HuntFault? in
                guard let kind = HuntFault.Kind(rawValue: fault.kind), var pack = known[fault.pack],
                    (1...1000).contains(fault.request), (0...3_600_000).contains(fault.milliseconds),
                    pack.allows(kind), (0...HuntFault.longestWait).contains(fault.wait ?? 0),
                    fault.rangeStart.map({ (0..<pack.size).contains($0) }) ?? true
                else { return nil }
                pack.rangeStart = fault.rangeStart
                return HuntFault(
                    kind, of: pack, request: fault.request, offset: fault.offset, milliseconds: fault.milliseconds,
                    wait: fault.wait ?? 0)
            }
            guard read.count == faults.count, (1...Candidate.mostFaults).contains(read.count) else { return nil }
            return Candidate(read)
        }
    }

    private enum CodingKeys: String, CodingKey {
        case candidates
        case schema = "schema_version"
    }
}
