import LinkModel
import PackFormat
import Results
import Scenarios

extension AttemptTrace {
    /// What the client told of its requests; nil where it told of none.
    ///
    /// A command that tells its progress is one request.
    func conductRequests(_ context: CellContext) -> [ConductRecord.Request]? {
        let observed = observations(context)
        guard case .requests = context.cell.workload else {
            let told = observed.filter { $0.progress != nil }
            guard !told.isEmpty else { return nil }
            return told.map {
                .init(
                    $0.id, began: 0, calledBack: $0.result == .available ? seconds($0.endedAt) : nil,
                    isAvailable: $0.result == .available, progress: progress($0))
            }
        }
        guard client.hasStarted else { return nil }
        let steps = context.cell.workload.steps
        let toEnd = Set(steps.compactMap { if case .end(let id) = $0 { id } else { nil } })
        let toCancel = Dictionary(
            steps.compactMap { if case .cancel(let id, let share) = $0 { (id, share) } else { nil } }
        ) { first, _ in first }
        let urgent = Set(context.cell.workload.requests.filter { $0.priority == .urgent }.map(\.id))
        let ended = Set(client.events.lazy.filter { $0.kind == .ended }.compactMap(\.id))
        // What somebody's own client never tells at all is not held against it.
        let isTelling = !isClientForeign || !ended.isEmpty
        return zip(client.requests.filter { !$0.isPrefetch }, observed).map { request, observation in
            var told = ConductRecord.Request(
                request.id, began: seconds(request.beganAt), calledBack: request.endedAt.map(seconds),
                isAvailable: request.isAvailable,
                // What was never called back could not be ended.
                isToEnd: isTelling && request.endedAt != nil && toEnd.contains(request.id),
                isEnded: ended.contains(request.id), isToCancel: toCancel[request.id] != nil,
                cancelAt: toCancel[request.id],
                progress: progress(observation))
            told.isUrgent = urgent.contains(request.id)
            told.packs = packs(request, context.content).prefix(100).sorted()
            told.isWithinLimit = isWithinLimit(request, context)
            if request.callbacks > 1 { told.repeatedNanoseconds = secondCallback(of: request.id) }
            return told
        }
    }

    /// The packs of a request, as the host calls them.
    private func packs(_ request: ClientLog.Request, _ content: PreparedContent?) -> Set<String> {
        Set((content?.version(request.version).packs(tags: request.tags) ?? []).map(\.identifier))
    }

    private func secondCallback(of id: String) -> Int64? {
        let callbacks = client.events.lazy.filter { ($0.kind == .available || $0.kind == .error) && $0.id == id }
        return callbacks.dropFirst().first?.t
    }

    /// What was asked of the host for cancelled requests after their callbacks; nil where nobody could see.
    ///
    /// What another request wants is asked for rightly, and so may be what was on its way then.
    func fetchedAfterCancel(_ context: CellContext, _ content: PreparedContent) -> [ConductRecord.Afterwards]? {
        guard case .requests(let steps) = context.cell.workload, client.hasStarted else { return nil }
        let ids = Set(steps.compactMap { if case .cancel(let id, _) = $0 { id } else { nil } })
        let wanted = client.requests.map { (request: $0, packs: packs($0, content)) }
        let slack = Self.onItsWay + context.cell.link.profile.conditions.uplink.delay.nanoseconds
        let found = wanted.filter { ids.contains($0.request.id) }.flatMap { cancelled, packs in
            guard let callback = cancelled.endedAt else { return [ConductRecord.Afterwards]() }
            return host.transfers.filter { transfer in
                transfer.at > callback + slack && packs.contains(transfer.pack)
                    && !wanted.contains { other, theirs in
                        other.id != cancelled.id && theirs.contains(transfer.pack) && other.beganAt <= transfer.at
                            && (other.endedAt ?? .max) >= transfer.at - slack
                    }
            }.map {
                .init(cancelled.id, pack: $0.pack, nanoseconds: $0.at, seconds: Double($0.at - callback) / 1e9)
            }
        }
        return Array(found.sorted { $0.nanoseconds < $1.nanoseconds }.prefix(ConductRecord.mostEntries))
    }

    /// How long after a callback a request may come that was sent before it, beside the link's delay.
    private static let onItsWay: Int64 = 250_000_000
}
