import Results

extension PageJSON {
    /// The client's requests with their times and results.
    mutating func conduct(_ conduct: ConductRecord) {
        add("fetches", list: conduct.fetches ?? []) { $0.fetch($1) }
        if conduct.omittedFetches > 0 { add("omittedFetches", conduct.omittedFetches) }
        add("packs", list: conduct.packs ?? []) { json, pack in
            json.object { json in
                json.add("id", pack.pack)
                json.add("name", pack.name)
                json.add("bytes", pack.bytes)
                json.add("stored", pack.storedSeconds)
            }
        }
        add("calls", list: conduct.requests ?? []) { $0.call($1) }
        add("outages", list: conduct.outages) { json, outage in
            json.list { json in
                json.seconds(outage.fromSeconds)
                json.seconds(outage.untilSeconds ?? conduct.endedSeconds)
                json.string(outage.kind)
            }
        }
        add("ended", conduct.endedSeconds)
        add("patience", conduct.patienceSeconds)
    }

    private mutating func fetch(_ fetch: ConductRecord.Fetch) {
        object { json in
            json.add("pack", fetch.pack)
            json.add("number", fetch.number)
            json.add("from", fetch.beganSeconds)
            json.add("last", fetch.lastByteSeconds)
            json.add("until", fetch.endedSeconds)
            json.add("end", fetch.end.rawValue)
            json.add("asked", fetch.askedFrom)
            json.add("answered", fetch.answeredFrom)
            json.add("status", fetch.status)
            json.add("bytes", fetch.bytes)
            if !fetch.isWhole { json.add("short", true) }
            json.add("faults", fetch.faults)
        }
    }

    private mutating func call(_ request: ConductRecord.Request) {
        object { json in
            json.add("id", request.id)
            json.add("from", request.beganSeconds)
            json.add("until", request.calledBackSeconds)
            json.add("available", request.isAvailable)
            json.add("reports", request.progress?.reports)
            json.add("ahead", request.progress?.ahead.map { $0.fraction - ($0.share ?? $0.fraction) })
        }
    }
}
