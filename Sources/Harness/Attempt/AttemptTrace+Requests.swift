import PackFormat
import ProcessGuard
import Results
import Scenarios

extension AttemptTrace {
    /// What became of each request of the workload.
    func outcomes(of cell: Cell) -> [RequestOutcome] {
        switch cell.workload {
        case .requests: builtInOutcomes(cell.workload)
        case .command: [commandOutcome(cell.expectations.requests)]
        }
    }

    /// What was seen of each request, for its times and its progress.
    func observations(_ context: CellContext) -> [RequestObservation] {
        let outcomes = outcomes(of: context.cell)
        guard case .requests = context.cell.workload else {
            let total = context.requestedTags.first?.first.flatMap { context.content?.pack(named: $0)?.size }
            // A command that tells no progress may have no way to.
            let progress = commandProgress
            return outcomes.map {
                RequestObservation(
                    id: $0.id, beganAt: clientStart, endedAt: clientEnd, result: $0.result,
                    progress: progress.isEmpty ? nil : progress, deliveries: deliveries, totalBytes: total)
            }
        }
        // Nobody knows whether somebody's own client that tells no progress has a way to.
        let isTelling = !isClientForeign || client.events.contains { $0.kind == .progress }
        return zip(client.requests.filter { !$0.isPrefetch }, outcomes).map { request, outcome in
            let content = context.content?.version(request.version)
            let packs = content?.packs(tags: request.tags) ?? []
            let held = Set(
                request.held.map { context.content?.version($0.value).hostIdentifier($0.key) ?? $0.key })
            return RequestObservation(
                id: request.id, beganAt: request.beganAt, endedAt: request.endedAt ?? clientEnd,
                result: outcome.result, progress: isTelling ? request.progress : nil,
                deliveries: isAlone(request) ? deliveries(during: request) : nil,
                totalBytes: packs.isEmpty ? request.total : packs.map(\.size).reduce(0, +),
                heldBytes: packs.map { held.contains($0.identifier) ? $0.size : leftBehind(of: $0, for: request) }
                    .reduce(0, +),
                pauses: request.pauses)
        }
    }

    /// Bytes of a pack that were there before a request, as its first answer shows: they are in front of where that begins.
    private func leftBehind(of pack: ServedPack, for request: ClientLog.Request) -> Int64 {
        let times = request.beganAt...max(request.beganAt, request.endedAt ?? clientEnd)
        // Who asks for a head alone plans for no bytes.
        let answers = host.transfers.filter { answer in
            answer.pack == pack.identifier && times.contains(answer.at) && answer.transfer.planned > 0
                && (answer.transfer.status == 200 || answer.transfer.status == 206)
        }
        let first = answers.min { $0.at < $1.at }?.transfer.from ?? 0
        return min(max(0, first), pack.size)
    }

    /// What the system prefetches is nobody's request.
    private func builtInOutcomes(_ workload: Workload) -> [RequestOutcome] {
        let told = client.requests.filter { !$0.isPrefetch }.map { request in
            var outcome = RequestOutcome(
                id: request.id, tags: request.tags, result: result(request),
                seconds: request.endedAt.map { Double($0 - request.beganAt) / 1e9 }, callbacks: request.callbacks)
            if let error = request.error {
                outcome.domain = error.domain
                outcome.code = error.code
                outcome.errorClass = error.errorClass.flatMap(ErrorClass.init(rawValue:))
                outcome.message = error.message
            }
            return outcome
        }
        let known = Set(told.map(\.id))
        let tags = Dictionary(workload.requests.map { ($0.id, $0.tags) }) { first, _ in first }
        let untold = workload.names.filter { !known.contains($0) }
        return told + untold.map { RequestOutcome(id: $0, tags: tags[$0] ?? [], result: .unknown) }
    }

    private func result(_ request: ClientLog.Request) -> RequestOutcome.Result {
        if request.endedAt != nil { return request.isAvailable ? .available : .error }
        // Events of Headwind's own client that stop were lost; those of another were never told.
        let isKnown = client.exitStatus != nil || exit?.timedOut == true || isClientForeign && exit != nil
        return isKnown ? .noCallback : .unknown
    }

    /// Whether no other request was open at the same time, so that what arrived was this one's.
    private func isAlone(_ request: ClientLog.Request) -> Bool {
        let times = request.beganAt...max(request.beganAt, request.endedAt ?? clientEnd)
        return client.requests.allSatisfy { other in
            (other.id == request.id && other.beganAt == request.beganAt)
                || !times.overlaps(other.beganAt...max(other.beganAt, other.endedAt ?? clientEnd))
        }
    }

    private func deliveries(during request: ClientLog.Request) -> [DeliverySample] {
        let end = request.endedAt ?? clientEnd
        let all = deliveries
        let before = all.last { $0.at < request.beganAt }?.totalBytes ?? 0
        return all.filter { $0.at >= request.beganAt && $0.at <= end }.map {
            DeliverySample(at: $0.at, totalBytes: $0.totalBytes - before)
        }
    }
}
