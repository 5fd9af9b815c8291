import LinkModel
import PackFormat
import PackHost
import Results
import Scenarios

/// A client's conduct in an attempt, from its trace.
struct Conduct {
    let trace: AttemptTrace
    let setup: AttemptSetup

    /// The record; nil if the client was not started.
    func record() -> ConductRecord? {
        guard trace.clientStart > 0, trace.clientEnd >= trace.clientStart else { return nil }
        var record = ConductRecord(isCommand: !setup.cell.workload.isBuiltIn, startedAt: trace.clientStart)
        record.endedSeconds = trace.seconds(trace.clientEnd)
        record.patienceSeconds = setup.cell.patience.seconds
        let lookupDelay = setup.cell.link.profile.conditions.dnsDelay
        record.lookupDelaySeconds = lookupDelay > .zero ? lookupDelay.seconds : nil
        record.isPatienceTold = isPatienceTold
        record.lastSignSeconds = trace.lastSign.map(trace.seconds)
        record.idleTimeoutSeconds = setup.cell.idleTimeout?.seconds
        record.certificateFault = setup.cell.tlsFault.flatMap { $0 == .cutHandshake ? nil : $0.rawValue }
        record.firstConnectionSeconds = firstConnection.map(trace.seconds)
        record.addresses = addresses
        if let content = setup.content {
            let fetches = self.fetches()
            record.packs = packs(of: fetches, content)
            record.omittedFetches = max(0, fetches.count - ConductRecord.mostFetches)
            record.fetches = fetches.bounded
            record.heads = self.fetches(by: "HEAD").bounded
            record.silences = silences(fetches)
            record.stored = trace.stored.map { Array($0.prefix(ConductRecord.mostEntries)) }
            record.toBeStored = toBeStored(content)
            record.toBePurged = toBePurged(content)
            record.toBeKept = toBeKept(content)
            record.afterCancel = fetchedAfterCancel
        }
        record.pressures = setup.cell.workload.pressures > 0 ? setup.cell.workload.pressures : nil
        record.requests = requests.map { Array($0.prefix(ConductRecord.mostEntries)) }
        if trace.client.hasStarted {
            // A user's client that reports none may still post or purge some.
            func told<Entry>(_ found: [Entry]) -> [Entry]? {
                setup.isClientForeign && found.isEmpty ? nil : Array(found.prefix(ConductRecord.mostEntries))
            }
            (record.notifications, record.purges) = (told(notifications), told(purges))
            record.leftInUseBytes = leftInUse
        }
        record.files = trace.files.map {
            .init($0.name, pack: $0.pack, bytes: $0.bytes, problem: $0.problem, wrongByte: $0.wrongByte)
        }
        record.output = trace.client.output
        record.oracle = trace.oracle
        if setup.content == nil { record.connections = trace.link.connections }
        (record.before, record.copies) = (trace.before, trace.copies)
        if !trace.kills.isEmpty {
            record.kills = trace.kills.prefix(ConductRecord.mostEntries).map {
                .init(seconds: trace.seconds($0.at), savedBytes: $0.savedBytes)
            }
        }
        record.deviceFullSeconds =
            trace.playedFaults.first { $0.fault.effect == .deviceFull }.map { trace.seconds($0.at) }
        if trace.starts.count > 1 {
            record.starts = trace.starts.map {
                .init(
                    began: trace.seconds($0.began), ended: trace.seconds($0.ended), exitStatus: $0.exitStatus,
                    lastWords: $0.lastWords)
            }
        }
        record.outages = Array(outages.prefix(ConductRecord.mostEntries))
        return record
    }

    /// Whether the client was given its patience; a client that runs requests always is.
    private var isPatienceTold: Bool {
        setup.cell.workload.command?.placeholders.contains(.patience) ?? true
    }

    /// When the client's first connection reached the link; nil if none did.
    private var firstConnection: Int64? {
        trace.link.events.first { event in
            switch event.kind {
            case .connected, .flow(protocol: 6, _, _, _): event.at.nanoseconds >= trace.clientStart
            default: false
            }
        }?.at.nanoseconds
    }

    /// Each requested pack, in the site's order.
    private func packs(of fetches: [ConductRecord.Fetch], _ content: PreparedContent) -> [ConductRecord.Pack] {
        var counts: [String: Int] = [:]
        for fetch in fetches { counts[fetch.pack, default: 0] += 1 }
        let asked = content.site.packs.filter { counts[$0.identifier] != nil }
        let storings = storings(content)
        return asked.prefix(ConductRecord.mostEntries).map { asked in
            var pack = ConductRecord.Pack(
                asked.identifier, name: asked.displayName,
                bytes: asked.size + setup.cell.leadingZeros(of: asked, content), requests: counts[asked.identifier] ?? 0
            )
            pack.storedSeconds = storings[asked.identifier]
            return pack
        }
    }

    /// The packs that the scenario expects to be stored, by the app's identifiers; nil if it expects none.
    private func toBeStored(_ content: PreparedContent) -> [ConductRecord.Name]? {
        guard setup.cell.expectations.conduct.contains(where: { $0.word == .stored }) else { return nil }
        let version = content.version(trace.client.life.version)
        let packs = setup.cell.expectations.storedPacks.flatMap(version.packs(named:))
        return packs.grouped(by: \.identifier).map {
            .init(version.appIdentifier($0[0].identifier), name: $0[0].displayName)
        }
    }

    private var notifications: [ConductRecord.Notification] {
        trace.client.events.filter { $0.kind == .notification }.map {
            .init(String(($0.name ?? "").prefix(200)), nanoseconds: $0.t)
        }
    }

    /// When the link was in an outage, and when its connections were cut.
    private var outages: [ConductRecord.Outage] {
        var found: [ConductRecord.Outage] = []
        var open: (kind: OfflineKind, from: Int64)?
        for event in trace.link.events {
            guard case .conditions(let conditions, _) = event.kind, conditions.offline != open?.kind else { continue }
            if let open, event.at.nanoseconds > trace.clientStart {
                found.append(
                    .init(
                        open.kind.rawValue, from: trace.seconds(open.from), until: trace.seconds(event.at.nanoseconds)))
            }
            open = conditions.offline.map { ($0, event.at.nanoseconds) }
        }
        if let open { found.append(.init(open.kind.rawValue, from: trace.seconds(open.from), until: nil)) }
        let cutByLink = trace.playedFaults.filter { $0.fault.effect == .cut }.map(\.at)
        let cutBySchedule = trace.link.events.compactMap { event in
            if case .decision(let line) = event.kind, line.effect == .cut { event.at.nanoseconds } else { nil }
        }
        found += (cutByLink + cutBySchedule).map { .init("cut", from: trace.seconds($0), until: trace.seconds($0)) }
        return found.filter { $0.fromSeconds <= trace.seconds(trace.clientEnd) }.sorted {
            $0.fromSeconds < $1.fromSeconds
        }
        .map(withTries)
    }

    /// The outage with the connections and lookups that the client tried in it.
    private func withTries(_ outage: ConductRecord.Outage) -> ConductRecord.Outage {
        guard outage.kind != "cut" else { return outage }
        var outage = outage
        let times = outage.fromSeconds...max(outage.fromSeconds, outage.untilSeconds ?? trace.seconds(trace.clientEnd))
        let tries = trace.link.events.filter { $0.isFlow && times.contains(trace.seconds($0.at.nanoseconds)) }
        // Without a route the client's own kernel sends nothing, so the tries are unknown.
        outage.tries = tries.isEmpty && outage.kind == OfflineKind.noRoute.rawValue ? nil : tries.count
        outage.lastTrySeconds = tries.map { trace.seconds($0.at.nanoseconds) }.max()
        return outage
    }
}

extension [ConductRecord.Fetch] {
    /// The first four fifths and the last fifth of the records that are kept.
    fileprivate var bounded: Self {
        let most = ConductRecord.mostFetches
        guard count > most else { return self }
        return prefix(most - most / 5) + suffix(most / 5)
    }
}
