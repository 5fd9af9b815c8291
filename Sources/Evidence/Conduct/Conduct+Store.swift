import PackFormat
import Results
import Scenarios

extension Conduct {
    /// When the client first reported each pack as stored, in seconds since its start, by the host's identifier.
    func storings(_ content: PreparedContent) -> [String: Double] {
        var version = 1
        var found: [String: Double] = [:]
        for event in trace.client.events {
            if event.kind == .update { version += 1 }
            guard event.kind == .stored, let pack = event.pack else { continue }
            let name = content.version(version).hostIdentifier(pack)
            if found[name] == nil { found[name] = trace.seconds(event.t) }
        }
        return found
    }

    /// The most bytes that the client reported as in use while no request was open; nil if it reported none.
    var leftInUse: Int64? {
        var open: Set<String> = []
        var hasEnded = false
        var last: Int64?
        var most: Int64?
        for event in trace.client.events {
            let id = event.id ?? ""
            switch event.kind {
            case .request:
                most = last.map { max(most ?? 0, $0) } ?? most
                last = nil
                open.insert(id)
            case .ended:
                hasEnded = true
                fallthrough
            case .error: open.remove(id)
            // The last report counts: an end is reported before the space that it frees.
            case .usage where hasEnded && open.isEmpty: last = event.inUse
            default: break
            }
        }
        return last.map { max(most ?? 0, $0) } ?? most
    }

    /// The state that the events of a client imply, up to one of them.
    private struct Telling {
        var using: [String: Set<String>] = [:]
        var waiting: [String: Set<String>] = [:]
        var version = 1
        var isAppRunning: Bool
        /// Whether the app was notified since the system began to need room; nil while it needs none.
        var isAnnounced: Bool?

        init(_ workload: Workload) {
            switch workload.steps.first {
            case .install, .launch: isAppRunning = false
            default: isAppRunning = true
            }
        }

        /// Whether a purge now would hit an app that runs and was not notified.
        var isUnannounced: Bool { isAppRunning && isAnnounced == false }
    }

    /// The packs that the client reports as purged, and whether a request was using them.
    var purges: [ConductRecord.Purge] {
        var telling = Telling(setup.cell.workload)
        // A user's client that reports no notifications may still post some.
        let tellsNotifications = !setup.isClientForeign || trace.client.events.contains { $0.kind == .notification }
        var found: [ConductRecord.Purge] = []
        for event in trace.client.events {
            let id = event.id ?? ""
            switch event.kind {
            case .update: telling.version += 1
            case .request:
                let packs = setup.content?.version(telling.version).packs(tags: event.tags ?? [])
                telling.waiting[id] = Set((packs ?? []).map(\.identifier))
            case .available: telling.using[id] = telling.waiting.removeValue(forKey: id)
            case .ended: telling.using[id] = nil
            case .launch: telling.isAppRunning = true
            case .quit: (telling.using, telling.isAppRunning) = ([:], false)
            case .fill, .purge: telling.isAnnounced = false
            case .notification: telling.isAnnounced = telling.isAnnounced.map { _ in true }
            case .room: telling.isAnnounced = nil
            case .purged:
                guard let pack = event.pack else { continue }
                let name = setup.content?.version(telling.version).hostIdentifier(pack) ?? pack
                let isInUse = event.bundle == nil && telling.using.values.contains { $0.contains(name) }
                let isUnannounced = tellsNotifications && telling.isUnannounced
                found.append(
                    .init(
                        name, nanoseconds: event.t, isInUse: isInUse, isUnannounced: isUnannounced ? true : nil))
            default: break
            }
        }
        return found
    }

    /// The packs that the scenario expects to be purged, grouped by name; nil if it names none.
    func toBePurged(_ content: PreparedContent) -> [ConductRecord.NamedPacks]? {
        let version = content.version(trace.client.life.version)
        return setup.cell.expectations.purgedPacks?.map { name in
            .init(name, packs: version.packs(named: name).map(\.identifier))
        }
    }

    /// The packs that the scenario expects to be kept, and whether they are there; nil if it names none.
    func toBeKept(_ content: PreparedContent) -> [ConductRecord.Kept]? {
        guard let names = setup.cell.expectations.keptPacks else { return nil }
        let version = content.version(trace.client.life.version)
        return names.flatMap(version.packs(named:)).grouped(by: \.identifier).map { same in
            let identifier = version.appIdentifier(same[0].identifier)
            let isThere = trace.stored.map { $0.contains { $0.pack == identifier && $0.problem == nil } }
            return .init(same[0].identifier, name: same[0].displayName, isThere: isThere)
        }
    }
}
