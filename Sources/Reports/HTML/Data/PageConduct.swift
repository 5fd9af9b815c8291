import Results

extension PageJSON {
    /// The client's requests with their times and results.
    mutating func conduct(_ conduct: ConductRecord) {
        add("fetches", objects: conduct.fetches ?? []) { $0.fetch($1) }
        if conduct.omittedFetches > 0 { add("omittedFetches", conduct.omittedFetches) }
        add("packs", objects: conduct.packs ?? []) { json, pack in
            json.add("id", pack.pack)
            json.add("name", pack.name)
            json.add("bytes", pack.bytes)
            json.add("stored", pack.storedSeconds)
        }
        add("calls", objects: conduct.requests ?? []) { $0.call($1) }
        add("outages", lists: conduct.outages) { json, outage in
            json.seconds(outage.fromSeconds)
            json.seconds(outage.untilSeconds ?? conduct.endedSeconds)
            json.string(outage.kind)
        }
        add("ended", conduct.endedSeconds)
        add("patience", conduct.patienceSeconds)
    }

    private mutating func fetch(_ fetch: ConductRecord.Fetch) {
        add("pack", fetch.pack)
        add("number", fetch.number)
        add("from", fetch.beganSeconds)
        add("last", fetch.lastByteSeconds)
        add("until", fetch.endedSeconds)
        add("end", fetch.end.rawValue)
        add("asked", fetch.askedFrom)
        add("answered", fetch.answeredFrom)
        add("status", fetch.status)
        add("bytes", fetch.bytes)
        if !fetch.isWhole { add("short", true) }
        add("faults", fetch.faults)
    }

    private mutating func call(_ request: ConductRecord.Request) {
        add("id", request.id)
        add("from", request.beganSeconds)
        add("until", request.calledBackSeconds)
        add("available", request.isAvailable)
        add("reports", request.progress?.reports)
        add("ahead", request.progress?.ahead.map { $0.fraction - ($0.share ?? $0.fraction) })
    }
}
