package import LinkModel

/// Faults that are tried together in one attempt.
package struct Candidate: Hashable, Sendable {
    /// The most faults that a hunt puts together.
    package static let mostFaults = 4

    package private(set) var faults: [HuntFault]

    /// Sorts the faults into an order that does not depend on the given one, and drops duplicates.
    package init(_ faults: some Sequence<HuntFault>) {
        let ordered = Dictionary(faults.map { ($0, $0.order) }) { first, _ in first }
        self.faults = ordered.sorted { $0.value < $1.value }.map(\.key)
    }

    /// The schedule that makes all of them happen.
    package var schedule: FaultSchedule { FaultSchedule(lines: faults.flatMap(\.lines)) }

    /// Whether a fault is of this kind.
    package func contains(_ kind: HuntFault.Kind) -> Bool { faults.contains { $0.kind == kind } }

    /// Whether a good client gets the pack in spite of them.
    ///
    /// Each ends by itself, at most one costs a retry, and their delays are at most one second in all.
    package var isRecoverable: Bool {
        !faults.contains { $0.demand == .reports } && faults.count { $0.demand == .retries } <= 1
            && faults.reduce(0) { $0 + $1.milliseconds } <= 1000
    }

    /// Whether the faults are fair: a failure under them is the client's own.
    ///
    /// A client that does not know the digest of the pack must be able to see where a body ends, and to tell one
    /// edition from another. No two faults of one kind may apply to the same answer.
    package func isFair(knowsDigest: Bool) -> Bool {
        if !knowsDigest {
            if faults.contains(where: { $0.kind.row.needsDigest }) { return false }
            let traits = Set(faults.flatMap(\.kind.row.traits))
            if traits.isSuperset(of: [.hidesEnd, .endsEarly]) { return false }
            if traits.isSuperset(of: [.hidesEdition, .newEdition]) { return false }
        }
        if faults.contains(where: { $0.kind.row.isFirstOnly && $0.request != 1 }) { return false }
        // The earlier edition must not arrive whole. Another fault of the first answer could hide the cut.
        if let edition = faults.first(where: { $0.kind.row.traits.contains(.newEdition) }) {
            let others = faults.filter { $0 != edition && $0.request == 1 && $0.kind.row.layer == .host }
            if !others.isEmpty { return false }
        }
        return Set(faults.map { "\($0.kind) \($0.request) \($0.pack.identifier) \($0.pack.lineName)" }).count
            == faults.count
    }

    /// Whether each fault of `other` is among these, at the same request and in the same class of places.
    ///
    /// If `losesAlike` is true, it makes no difference in which way a connection is lost.
    package func covers(_ other: Candidate, losesAlike: Bool = false) -> Bool {
        other.faults.allSatisfy { fault in
            faults.contains {
                ($0.kind == fault.kind || losesAlike && $0.kind.losesConnection && fault.kind.losesConnection)
                    && $0.pack == fault.pack && $0.request == fault.request && $0.place == fault.place
            }
        }
    }

    /// Candidates with one fault fewer, whose later faults apply to the request before theirs.
    ///
    /// Without a fault that costs a try, the client makes one request fewer.
    var earlier: [Candidate] {
        faults.compactMap { fault in
            let rest = faults.filter { $0 != fault }
            let beside = rest.filter { $0.pack.lineName == fault.pack.lineName && $0.pack.medium == .file }
            guard !beside.contains(where: { $0.request == fault.request }),
                beside.contains(where: { $0.request > fault.request })
            else { return nil }
            return Candidate(
                rest.map { other in
                    guard beside.contains(other), other.request > fault.request else { return other }
                    return other.changed { $0.request -= 1 }
                })
        }
    }

    /// What happens, as the end of a sentence that begins with "when".
    package var words: String { words(namingPacks: false) }

    /// The same; with `namingPacks`, each request is that for a named pack.
    package func words(namingPacks: Bool) -> String {
        let parts = faults.map { $0.words(namingPack: namingPacks) }
        guard let last = parts.last else { return "nothing goes wrong" }
        return parts.count == 1 ? last : parts.dropLast().joined(separator: ", ") + " and " + last
    }
}

extension HuntFault {
    fileprivate var order: String {
        let values = [Int64(request), offset, milliseconds, pack.rangeStart ?? -1, wait]
        let numbers = values.map { String($0 + 1_000_000_000_000) }
        // A fault in the pause after a request comes after the other faults of that request.
        let isInPause = wait > 0 ? "1" : "0"
        return ([pack.identifier, numbers[0], isInPause, kind.row.layer.rawValue, kind.rawValue] + numbers)
            .joined(separator: " ")
    }
}
