import Wording

extension ConductExpectation {
    static func retries(_ conduct: ConductRecord, _ range: ClosedRange<Int>) -> Sight {
        guard let packs = conduct.packs else { return .unseen("the host is not Headwind's") }
        let counts = packs.map { (pack: $0.name, retries: $0.requests - 1) }
        guard let least = counts.min(by: { $0.retries < $1.retries }),
            let most = counts.max(by: { $0.retries < $1.retries })
        else {
            return range.contains(0) ? .holds("no pack was requested") : .broken("no pack was requested")
        }
        for wrong in [most, least] where !range.contains(wrong.retries) {
            return .broken("'\(wrong.pack)' was requested \(wrong.retries.times) more, instead of \(text(range))")
        }
        let same = least.retries == most.retries
        let which = same ? "each pack was requested" : "packs were requested \(least.retries) to"
        return .holds("\(which) \(most.retries.times) more")
    }

    private static func text(_ range: ClosedRange<Int>) -> String { "\(ConductExpectation.retries(range))" }

    static func backOff(_ attempt: AttemptRecord, _ conduct: ConductRecord, least: Double) -> Sight {
        guard let fetches = conduct.fetches else { return .unseen("the host is not Headwind's") }
        let all = conduct.pauses
        // A command may make one retry at once, if the host asks for no pause and later tries wait.
        let pauses = all.filter { pause in
            !conduct.isCommand || pause.seconds >= least || pause.failed.retryAfterSeconds != nil
                || all.contains { $0.next == pause.failed }
        }
        for pause in pauses {
            // The slack allows for the client's and the host's clocks, which are not the same.
            let asked = max(least, pause.failed.retryAfterSeconds ?? 0)
            guard pause.seconds < asked - attempt.pauseSlackSeconds else { continue }
            let (was, limit) = Quantity.pair(
                Quantity(pause.seconds, .seconds), limit: Quantity(asked, .seconds))
            let name = conduct.name(of: pause.failed.pack)
            return .broken(
                "try \(pause.next.number) for '\(name)' came \(was) after try \(pause.failed.number), instead of at least \(limit)"
            )
        }
        if let least = pauses.map(\.seconds).min() {
            return .holds("the shortest pause was \(Quantity(least, .seconds).rounded())")
        }
        if !all.isEmpty { return .holds("one more try came at once, and none after it") }
        let packs = Dictionary(grouping: fetches, by: \.pack).values
        let isUnseen = packs.contains { $0.dropLast().contains(where: \.hasFailed) }
        return isUnseen ? .unseen("it is unknown when a failed try ended") : .holds("no try followed a failed one")
    }

    static func afterCancel(_ attempt: AttemptRecord, _ conduct: ConductRecord) -> Sight {
        guard let after = conduct.afterCancel else {
            return .unseen("requests after the cancel could not be seen")
        }
        let cancelled = (conduct.requests ?? []).filter(\.isToCancel)
        guard !cancelled.isEmpty else { return .unseen("no request was cancelled") }
        if let silent = cancelled.first(where: { $0.calledBackSeconds == nil }) {
            return .broken("'\(silent.id)' was cancelled and not called back")
        }
        guard let first = after.first else {
            guard let (request, fetch, seconds) = conduct.wentOnAfterCancel else {
                return .holds("nothing was requested after the cancel")
            }
            let name = conduct.name(of: fetch.pack)
            let moment = Quantity(seconds, .seconds).rounded()
            return .broken("'\(name)' went on for \(moment) after '\(request.id)' was called back")
        }
        let name = conduct.name(of: first.pack)
        let moment = Quantity(first.seconds, .seconds).rounded()
        return .broken("'\(name)' was requested \(moment) after '\(first.request)' was called back")
    }

    static func order(_ conduct: ConductRecord, _ ids: [String]) -> Sight {
        guard let requests = conduct.requests, !requests.isEmpty else {
            return .unseen("the client reported no request")
        }
        var last: (id: String, seconds: Double)?
        for id in ids {
            guard let request = requests.first(where: { $0.id == id }), request.isAvailable,
                let seconds = request.calledBackSeconds
            else { return .broken("'\(id)' did not become available") }
            if let last, seconds < last.seconds {
                let sooner = Quantity(last.seconds - seconds, .seconds).rounded()
                return .broken("'\(id)' became available \(sooner) before '\(last.id)'")
            }
            last = (id, seconds)
        }
        return .holds("in this order")
    }
}

extension AttemptRecord {
    /// How much shorter than requested a pause may seem, in seconds.
    ///
    /// Host and client are separate processes. On a busy machine, the link may learn of a delivery as late as its
    /// threads wake up.
    var pauseSlackSeconds: Double { 0.02 + (noise?.latestWakeSeconds ?? 0) }
}

extension ConductRecord {
    /// A failed try and the next one for the same pack.
    struct Pause: Hashable {
        var failed: Fetch
        var next: Fetch
        /// The seconds from the end of the failed try to the begin of the next.
        var seconds: Double
    }

    /// The name of a pack for people; its identifier if it has none.
    func name(of pack: String) -> String { packs?.first { $0.pack == pack }?.name ?? pack }

    /// The tries for each pack, in the order in which they came.
    var tries: [[Fetch]] { (fetches ?? []).grouped(by: \.pack) }

    /// The pauses of clients after failed tries whose end is known.
    ///
    /// Tries that overlap are parts of one download, and so are those that request another part than the failed one.
    /// They are left out, and so are tries in an outage, which ended at an unknown time.
    var pauses: [Pause] {
        tries.flatMap { tries in
            zip(tries, tries.dropFirst()).compactMap { failed, next -> Pause? in
                guard failed.hasFailed, next.number == failed.number + 1, failed.end != .stall,
                    !failed.range.isEmpty || next.askedFrom == failed.askedFrom,
                    next.beganSeconds >= failed.endedSeconds,
                    !isOut(from: failed.lastByteSeconds ?? failed.beganSeconds, to: next.beganSeconds)
                else { return nil }
                return Pause(failed: failed, next: next, seconds: next.beganSeconds - failed.endedSeconds)
            }
        }
    }

    /// Whether the link was out at some moment between two times; a cut alone is over at once.
    func isOut(from start: Double, to end: Double) -> Bool {
        outages.contains { $0.kind != "cut" && $0.fromSeconds < end && ($0.untilSeconds ?? .infinity) > start }
    }
}

extension ConductRecord {
    /// How long after the callback bytes that were on their way may come on a busy machine, in seconds.
    private static let timeToStop = 1.5

    /// A download for a cancelled request that went on after its callback, and for how many seconds.
    ///
    /// Nil if there is none, or if another request wants the pack.
    var wentOnAfterCancel: (request: Request, fetch: Fetch, seconds: Double)? {
        for request in requests ?? [] where request.isToCancel && !request.isAvailable {
            guard let end = request.calledBackSeconds else { continue }
            let others = Set((requests ?? []).filter { $0.id != request.id }.flatMap(\.packs))
            let mine = Set(request.packs).subtracting(others)
            for fetch in fetches ?? [] where mine.contains(fetch.pack) && fetch.beganSeconds < end {
                guard let last = fetch.lastByteSeconds, last > end + Self.timeToStop else { continue }
                return (request, fetch, last - end)
            }
        }
        return nil
    }
}
