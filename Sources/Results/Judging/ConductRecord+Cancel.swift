extension ConductRecord {
    /// How long after the callback bytes may come: what was on its way, and a machine that is busy.
    private static let timeToStop = 1.5

    /// A download for a cancelled request that went on after its callback though no other request wants the pack, and for
    /// how long; nil where there is none.
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
