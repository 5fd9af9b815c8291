extension ClientReport {
    /// A condition that must hold, or an event that must have happened, before a check can judge a client.
    package enum Need: String, CaseIterable, Sendable {
        // Known before the client starts.
        /// It was given the SHA-256 of the pack.
        case digest
        /// It trusts the run's own authority: the check that says `is: authority` holds.
        case authority

        // Observed in its run.
        /// It sent the credentials that it is given with a request that was redirected, and followed to another origin.
        case credentials
        /// It connected.
        case connection
        /// It tried an address of the host that is silent, or refuses.
        case deadAddress = "dead-address"
        /// It asked for the pack over HTTP/2.
        case http2
        /// It asked for the pack again when an earlier request for it had ended.
        case secondTry = "second-try"
        /// It asked for the pack a third time when two earlier requests for it had ended.
        case thirdTry = "third-try"
        /// Its first start ended with an error, so that the second one found what that left.
        case failedStart = "failed-start"
        /// A second instance requested what the first one was downloading, or ended meanwhile.
        case sideBySide = "side-by-side"
        /// It requested the rest of a pack after an earlier request had brought a part, or with a part that existed
        /// before.
        case partialRequest = "partial-request"
        /// It got another edition of a pack than that of the part that it had.
        case changedEdition = "changed-edition"
        /// The host was silent for a while, and a processor was free meanwhile.
        case freeProcessor = "free-processor"
        /// The link was out while it downloaded, or tried to.
        case outage
        /// It had saved a part of the pack each time that it was killed.
        case savedPart = "saved-part"
    }
}

extension ClientReport.Need {
    /// The least bytes that count as a saved part; fewer may be the client's notes.
    private static let leastPart: Int64 = 4096

    /// Why a run does not show what is needed, as part of a sentence; nil if it does, or if it is known before the
    /// start.
    package func lack(in conduct: ConductRecord) -> String? {
        switch self {
        case .digest, .authority: return nil
        case .credentials: return conduct.keptFromRedirect
        case .connection: return conduct.firstConnectionSeconds == nil ? "it never connected" : nil
        case .deadAddress: return conduct.unmetAddress
        case .http2: return conduct.speaksHTTP2 ? nil : "it never sent a request over HTTP/2"
        case .secondTry: return conduct.successions.isEmpty ? "it never sent a second request" : nil
        case .thirdTry:
            return conduct.successions.contains { $0.before.count > 1 } ? nil : "it never sent a third request"
        case .failedStart:
            return conduct.starts?.first?.exitStatus == 0 ? "its first start ended with status 0" : nil
        case .sideBySide: return conduct.hasTwoAtOnce ? nil : "two instances never downloaded at once"
        case .partialRequest: return conduct.hasPartialRequest ? nil : "it never requested the rest of a pack"
        case .changedEdition: return conduct.hasChangedEdition ? nil : "it never got two versions of a pack"
        case .freeProcessor: return conduct.missingProcessor
        case .outage: return conduct.metOutage ? nil : "it never tried to download while the link was out"
        case .savedPart:
            guard let kills = conduct.kills, !kills.isEmpty else { return "it was not killed" }
            // A client that keeps its parts elsewhere shows them when it requests the rest.
            let hasSaved = kills.allSatisfy { $0.savedBytes ?? 0 >= Self.leastPart } || conduct.hasPartialRequest
            return hasSaved ? nil : "it had saved nothing when it was killed"
        }
    }
}

extension ConductRecord {
    /// Each request for a pack, with the earlier ones for it whose last bytes had arrived before, if there were any.
    fileprivate var successions: [(before: [Fetch], next: Fetch)] {
        tries.flatMap { tries in
            tries.indices.compactMap { index in
                let next = tries[index]
                // The host may notice much later than its client that a connection is gone.
                let before = tries[..<index].filter { $0.lastByteSeconds ?? $0.endedSeconds <= next.beganSeconds }
                return before.isEmpty ? nil : (before, next)
            }
        }
    }

    /// Why the client tried no dead address, as part of a sentence; nil if it tried one.
    fileprivate var unmetAddress: String? {
        guard let addresses else { return "the addresses that it tried are unknown" }
        let dead = addresses.filter { $0.state != nil && $0.state != .reachable }
        if dead.contains(where: { $0.connections > 0 }) { return nil }
        let names = dead.map(\.family.title).joined(separator: " or ")
        return dead.allSatisfy { $0.lookups == 0 }
            ? "it never looked up an \(names) address" : "it never tried the \(names) address"
    }

    /// Why the processor time during silences shows nothing, as part of a sentence; nil if it shows something.
    fileprivate var missingProcessor: String? {
        guard let silences else { return "its processor time was not measured while the host was silent" }
        guard !silences.isEmpty else { return "it never waited for a silent host" }
        // A client that wants a processor all the time but hardly gets one looks as if it wanted none.
        let starved = silences.first { $0.waitedSeconds > 0.2 * $0.seconds }
        return starved.map {
            "it waited for a processor for \(Quantity($0.waitedSeconds, .seconds).rounded()) of the "
                + "\(Quantity($0.seconds, .seconds).rounded()) in which the host was silent"
        }
    }

    fileprivate var speaksHTTP2: Bool { fetches?.contains { $0.httpVersion != nil } ?? false }

    fileprivate var hasTwoAtOnce: Bool {
        guard let (first, second) = sideBySide else { return false }
        let fetches = fetches ?? []
        // An instance that is locked out requests nothing.
        let isLockedOut =
            second.endedSeconds < first.endedSeconds
            && fetches.contains {
                $0.beganSeconds < second.endedSeconds && $0.endedSeconds > second.beganSeconds
            }
        // Parts that one instance requests in parallel do not overlap.
        return isLockedOut
            || fetches.contains { later in
                later.beganSeconds >= second.beganSeconds
                    && fetches.contains {
                        $0.nanoseconds < later.nanoseconds && $0.endedSeconds > later.beganSeconds
                            && $0.range.overlaps(later.range)
                    }
            }
    }

    fileprivate var hasPartialRequest: Bool {
        partBefore != nil && wentOnWithBefore
            || successions.contains { before, next in
                (next.askedFrom ?? 0) > 0 && before.contains { !$0.range.isEmpty }
            }
    }

    fileprivate var hasChangedEdition: Bool {
        successions.contains { before, next in
            before.contains { !$0.range.isEmpty && $0.isOfOtherEdition(than: next) }
        }
    }

    fileprivate var metOutage: Bool {
        outages.contains { outage in
            guard outage.kind != "cut" else { return false }
            // Tries without a route cannot be seen.
            return outage.tries.map { $0 > 0 } ?? true
                || (fetches ?? []).contains {
                    $0.beganSeconds < outage.untilSeconds ?? .infinity && $0.endedSeconds > outage.fromSeconds
                }
        }
    }
}
