import Wording

extension ConductExpectation {
    /// What one attempt shows.
    enum Sight: Hashable {
        /// It holds, with what was observed.
        case holds(String)
        /// It is broken, with the reason.
        case broken(String)
        /// It could not be observed, with the reason.
        case unseen(String)
    }

    /// The verdict on a cell's counted attempts: it must hold in every one.
    ///
    /// What could not be observed is infrastructure, unless another attempt shows a failure or the client itself caused
    /// that.
    package func judge(_ attempts: [AttemptRecord]) -> CheckResult {
        var failures: [(number: Int, text: String)] = []
        var unseen: [(number: Int, text: String)] = []
        var held: [String] = []
        for attempt in attempts {
            switch sight(of: attempt) {
            case .holds(let text): held.append(text)
            case .broken(let text): failures.append((attempt.number, text))
            case .unseen where attempt.isClientAtFault:
                failures.append((attempt.number, "the client ended without a report"))
            case .unseen(let text): unseen.append((attempt.number, text))
            }
        }
        let verdict: Verdict = !failures.isEmpty ? .fail : unseen.isEmpty && !held.isEmpty ? .pass : .infrastructure
        let sentence: String
        if let first = failures.first {
            sentence =
                "attempt \(first.number): \(first.text)"
                + (failures.count > 1 ? ", and \(failures.count - 1) more" : "")
        } else if let first = unseen.first {
            sentence = "not evaluated: \(first.text) in \(Budget.list(unseen.map(\.number)))"
        } else {
            sentence = held.first ?? "not evaluated: there was no attempt"
        }
        return CheckResult(
            kind: .expectation, name: word.rawValue, asked: description, verdict: verdict, sentence: sentence,
            brokenIn: failures.map(\.number))
    }

    /// What an attempt shows of the requirement.
    func sight(of attempt: AttemptRecord) -> Sight {
        guard let conduct = attempt.conduct else { return .unseen("the client's conduct was not recorded") }
        return switch self {
        case .callbackOnce: Self.callbacks(attempt)
        case .endsBalanced: Self.ends(attempt, conduct)
        case .notification(let isPosted): Self.notifications(conduct, isPosted: isPosted)
        case .stored: Self.stored(conduct)
        case .purged: Self.purged(conduct)
        case .kept: Self.kept(conduct)
        case .refetched(let most): Self.refetched(attempt, most: most)
        case .retries(let range): Self.retries(conduct, range)
        case .backOff(let seconds): Self.backOff(attempt, conduct, least: seconds)
        case .afterCancelNothing: Self.afterCancel(attempt, conduct)
        case .order(let ids): Self.order(conduct, ids)
        case .output: Self.output(conduct)
        case .oracle: Self.oracle(conduct)
        case .keeps(let kinds): Self.keeps(conduct, kinds)
        case .leavesNothing: Self.leftovers(conduct)
        }
    }

    private static func callbacks(_ attempt: AttemptRecord) -> Sight {
        guard !attempt.requests.isEmpty, !attempt.requests.contains(where: { $0.result == .unknown }) else {
            return .unseen("the outcome of the requests is unknown")
        }
        guard let wrong = attempt.requests.first(where: { $0.callbacks != 1 }) else {
            return .holds("every request was called back once")
        }
        let count = wrong.callbacks == 0 ? "not called back" : "called back \(wrong.callbacks) times"
        return .broken("'\(wrong.id)' was \(count)")
    }

    private static func ends(_ attempt: AttemptRecord, _ conduct: ConductRecord) -> Sight {
        if let misuse = attempt.findings.first(where: { $0.attribution == .requestMisused }) {
            return .broken("a call was out of order: \(misuse.detail)")
        }
        guard let requests = conduct.requests, !requests.isEmpty else {
            return .unseen("the client reported no request")
        }
        let unended = conduct.unended.map { "'\($0)'" }
        guard unended.isEmpty else {
            return .broken("\(unended.joined(separator: ", ")) \(unended.count == 1 ? "was" : "were") not ended")
        }
        let isAnyEnded = requests.contains { $0.isToEnd || $0.isEnded }
        return .holds(isAnyEnded ? "every request that ended was reported as ended" : "the client reports no end")
    }

    private static func notifications(_ conduct: ConductRecord, isPosted: Bool) -> Sight {
        guard let all = conduct.notifications else {
            // A client that reports requests but no notifications is not failed for what it does not report.
            return conduct.isCommand || conduct.requests == nil
                ? .unseen("the client sent no events") : .holds("the client reports no notification")
        }
        let posted = all.count { $0.name == ConductRecord.Notification.lowSpace }
        let text = "the low-space notification was posted \(posted.times)"
        guard isPosted else { return posted == 0 ? .holds("the low-space notification was not posted") : .broken(text) }
        guard posted > 0 else { return .broken("the low-space notification was not posted") }
        let requests = conduct.requests?.count ?? 0
        let pressures = conduct.pressures ?? 0
        let causes = "\(requests) requests" + (pressures > 0 ? " and \(pressures) steps of pressure" : "")
        return posted <= max(1, requests + pressures) ? .holds(text) : .broken("\(text), for \(causes)")
    }

    private static func stored(_ conduct: ConductRecord) -> Sight {
        guard let stored = conduct.stored, let wanted = conduct.toBeStored else {
            return .unseen("the client's store could not be read")
        }
        if let wrong = stored.first(where: { $0.problem != nil }) {
            return .broken("'\(wrong.name)' is stored, but \(wrong.problem ?? "")")
        }
        let found = Set(stored.map(\.pack))
        let missing = wanted.filter { !found.contains($0.pack) }.map(\.name)
        let asked = Set(wanted.map(\.pack))
        let extra = stored.filter { !asked.contains($0.pack) }.map(\.name)
        if missing.isEmpty, extra.isEmpty {
            return .holds("stored: " + (stored.isEmpty ? "none" : stored.map(\.name).sorted().joined(separator: ", ")))
        }
        let parts = [(missing, "not stored"), (extra, "stored and should not be")].filter { !$0.0.isEmpty }
        return .broken(
            parts.map { "\($0.0.quoted(most: 5)) \($0.0.count == 1 ? "is" : "are") \($0.1)" }.joined(separator: "; "))
    }

    private static func refetched(_ attempt: AttemptRecord, most: Int64) -> Sight {
        guard let bytes = attempt.samples[.redundantBytes].value else {
            return .unseen("it is unknown which bytes crossed more than once")
        }
        let (was, limit) = Quantity.pair(Quantity(bytes, .bytes), limit: Quantity(Double(most), .bytes))
        return bytes <= Double(most)
            ? .holds("\(was) crossed more than once") : .broken("\(was) crossed more than once (limit \(limit))")
    }

    private static func output(_ conduct: ConductRecord) -> Sight {
        guard let output = conduct.output, let isFound = output.isFound else {
            return .unseen(conduct.output?.trouble ?? "the output could not be searched")
        }
        return isFound ? .holds("a line of the output matches") : .broken("no line of the output matches")
    }

    private static func oracle(_ conduct: ConductRecord) -> Sight {
        guard let oracle = conduct.oracle, let status = oracle.status else {
            return .unseen(conduct.oracle?.trouble ?? "the oracle did not run")
        }
        guard status != 0 else { return .holds("the oracle accepts what the command left") }
        let words = oracle.says.map { ": \($0)" } ?? ""
        return .broken("the oracle ended with status \(status)\(words)")
    }

    private static func keeps(_ conduct: ConductRecord, _ kinds: [ConductRecord.Before.Kind]) -> Sight {
        let before = (conduct.before ?? []).filter { kinds.contains($0.kind) }
        guard Set(before.map(\.kind)) == Set(kinds) else {
            return .unseen("nothing was put into the client's folders before it started")
        }
        return before.first { $0.problem != nil }.map { .broken($0.text) }
            ?? .holds("the earlier files are unchanged")
    }

    private static func leftovers(_ conduct: ConductRecord) -> Sight {
        guard let copies = conduct.copies else { return .unseen("the remaining files could not be checked") }
        let text = "\(copies) \(copies == 1 ? "file begins" : "files begin") like the pack"
        return copies > ConductRecord.mostCopies ? .broken(text) : .holds(text)
    }
}

/// Judges which packs were purged, in which order, and which were kept.
extension ConductExpectation {
    static func purged(_ conduct: ConductRecord) -> Sight {
        guard let wanted = conduct.toBePurged else { return .unseen("the packs to purge are unknown") }
        guard let purges = conduct.purges else {
            return wanted.isEmpty ? .holds("the client reports no purge") : .unseen("the client reported no purge")
        }
        if let early = purges.first(where: { $0.isUnannounced == true }) {
            return .broken("'\(conduct.name(of: early.pack))' was purged before the low-space notification was posted")
        }
        let names = purges.map { conduct.name(of: $0.pack) }
        let text = names.isEmpty ? "nothing was purged" : "purged in this order: \(names.quoted(most: 5))"
        return isInOrder(purges.map(\.pack), wanted) ? .holds(text) : .broken(text)
    }

    /// Whether the packs are those of the groups, one group after the other; the order within a group is free.
    private static func isInOrder(_ packs: [String], _ groups: [ConductRecord.NamedPacks]) -> Bool {
        var rest = packs[...]
        for group in groups {
            let count = group.packs.count
            guard rest.prefix(count).sorted() == group.packs.sorted() else { return false }
            rest = rest.dropFirst(count)
        }
        return rest.isEmpty
    }

    static func kept(_ conduct: ConductRecord) -> Sight {
        guard let wanted = conduct.toBeKept else { return .unseen("the packs to keep are unknown") }
        let purged = Set((conduct.purges ?? []).map(\.pack))
        if let pack = wanted.first(where: { purged.contains($0.pack) }) { return .broken("'\(pack.name)' was purged") }
        if let pack = wanted.first(where: { $0.isThere == false }) { return .broken("'\(pack.name)' is not stored") }
        guard wanted.allSatisfy({ $0.isThere == true }) else {
            return .unseen("the client's store could not be read")
        }
        return .holds("kept: \(wanted.map(\.name).quoted(most: 5))")
    }
}
