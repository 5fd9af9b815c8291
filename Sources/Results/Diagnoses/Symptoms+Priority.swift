extension Symptoms {
    /// How long bytes may come that were on their way when something urgent began, on a machine that is busy, in seconds.
    private static let timeToYield = 2.0

    /// Something urgent that waited for what is not, or shared the link with it.
    var ignoredPriority: BugDiagnosis? {
        let late = Set(unmet.filter { $0.outcome.result == .available }.map(\.outcome.id))
        for urgent in conduct.requests ?? [] where urgent.isUrgent && (late.contains(urgent.id) || isBroken("order")) {
            let own = conduct.fetches?.first {
                urgent.packs.contains($0.pack) && $0.beganSeconds >= urgent.beganSeconds
            }
            let others = (conduct.fetches ?? []).filter { fetch in
                !urgent.packs.contains(fetch.pack) && fetch.beganSeconds < urgent.beganSeconds
                    && fetch.endedSeconds > urgent.beganSeconds
            }
            // Who ends other downloads for it may still find their bytes before it on the link.
            let busy = others.filter { $0.end != .client }
            guard let own, !busy.isEmpty else { continue }
            let wait = own.beganSeconds - urgent.beganSeconds
            if wait > 0.25, let first = busy.first, own.beganSeconds >= first.endedSeconds {
                return diagnosis(
                    .ignoresPriority, own,
                    "'\(urgent.id)' is urgent, and \(text(own)) came \(text(wait)) after it was begun, when \(text(first)) "
                        + "had ended")
            }
            guard late.contains(urgent.id), busy.count == others.count, let beside = wentOn(busy, beside: own) else {
                continue
            }
            return diagnosis(
                .ignoresPriority, own,
                "'\(urgent.id)' is urgent, and \(text(own)) shared the link with \(text(beside)), which was begun before it "
                    + "and went on")
        }
        return nil
    }

    /// A download that went on while an urgent one was under way; nil where they may have been held back for it.
    private func wentOn(_ busy: [ConductRecord.Fetch], beside own: ConductRecord.Fetch) -> ConductRecord.Fetch? {
        guard own.faults.isEmpty, let last = own.lastByteSeconds, last - own.beganSeconds > Self.timeToYield,
            !conduct.isOut(from: own.beganSeconds, to: last)
        else { return nil }
        let beside = busy.filter { ($0.lastByteSeconds ?? 0) - own.beganSeconds > Self.timeToYield }
        // Its last byte came in the time of the urgent one.
        if let over = beside.first(where: { $0.lastByteSeconds ?? .infinity < last }) { return over }
        guard let begin = beside.map(\.beganSeconds).min(), let end = beside.compactMap(\.lastByteSeconds).max(),
            end > begin
        else { return nil }
        // Had they stood for so long, they would have come more than twice as fast in the rest of the time as all did in
        // all of it.
        let rest = max(0, own.beganSeconds - begin) + end - last
        let bytes = Double(beside.map(\.bytes).reduce(0, +))
        let rate = (bytes + Double(own.bytes)) / (end - begin)
        return bytes > 2 * rate * rest ? beside.first : nil
    }
}
