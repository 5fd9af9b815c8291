import PackFormat
import ProcessGuard
package import Results
import Scenarios

/// The outcomes of the requests of an attempt's workload; a command is one request.
package struct RequestReading {
    let trace: AttemptTrace
    let setup: AttemptSetup

    package init(_ trace: AttemptTrace, _ setup: AttemptSetup) { (self.trace, self.setup) = (trace, setup) }

    /// The outcome of each request of the workload.
    package var outcomes: [RequestOutcome] {
        switch setup.cell.workload {
        case .requests: builtInOutcomes
        case .command: [CommandOutcome(trace: trace).outcome(setup.cell.expectations.requests)]
        }
    }

    /// The answers to conditional requests; nil if the workload has none.
    package var answers: [RequestAnswer]? {
        guard setup.cell.workload.requests.contains(where: \.isConditional) else { return nil }
        // A request whose packs are here was begun by the conditional request itself, and needs no download.
        let asked = Set(trace.client.answers.filter(\.isHere).map(\.id))
        let reasons = trace.client.requests.filter { !asked.contains($0.id) }
        return trace.client.answers.map { answer in
            let packs = setup.content?.version(answer.version).packs(tags: answer.tags)?.map(\.identifier) ?? []
            let needless = packs.map { pack in
                let begun = reasons.filter { reason in
                    let needed = setup.content?.version(reason.version).packs(tags: reason.tags) ?? []
                    return needed.contains { $0.identifier == pack }
                }.map(\.beganAt).min()
                return trace.host.requestTimes(ofPack: pack).count { $0 < begun ?? .max }
            }
            return RequestAnswer(id: answer.id, isHere: answer.isHere, fetches: needless.reduce(0, +))
        }
    }

    /// The times and the progress of each request.
    var observations: [RequestObservation] {
        let (outcomes, deliveries) = (outcomes, Transfers(trace).deliveries)
        if !setup.cell.workload.isBuiltIn {
            let total = setup.cell.commandPack(in: setup.content)?.size
            // A command without progress may have no way to report it.
            let progress = CommandOutcome(trace: trace).progress
            return outcomes.map {
                RequestObservation(
                    id: $0.id, beganAt: trace.clientStart, endedAt: trace.clientEnd, result: $0.result,
                    progress: progress.isEmpty ? nil : progress, deliveries: deliveries, totalBytes: total)
            }
        }
        // A user's client without progress may have no way to report it.
        let isTelling = !setup.isClientForeign || trace.client.events.contains { $0.kind == .progress }
        return zip(trace.client.requests.filter { !$0.isPrefetch }, outcomes).map { request, outcome in
            let content = setup.content?.version(request.version)
            let packs = content?.packs(tags: request.tags) ?? []
            let held = Set(
                request.held.map { setup.content?.version($0.value).hostIdentifier($0.key) ?? $0.key })
            return RequestObservation(
                id: request.id, beganAt: request.beganAt, endedAt: request.endedAt ?? trace.clientEnd,
                result: outcome.result, progress: isTelling ? request.progress : nil,
                deliveries: isAlone(request) ? self.deliveries(deliveries, during: request) : nil,
                totalBytes: packs.isEmpty ? request.total : packs.map(\.size).reduce(0, +),
                heldBytes: packs.map { held.contains($0.identifier) ? $0.size : leftBehind(of: $0, for: request) }
                    .reduce(0, +),
                pauses: request.pauses)
        }
    }

    /// The bytes of a pack that were there before a request: those before the start of its first answer.
    private func leftBehind(of pack: ServedPack, for request: ClientLog.Request) -> Int64 {
        let times = span(request)
        // A HEAD request plans no bytes.
        let answers = trace.host.transfers.filter { answer in
            answer.pack == pack.identifier && times.contains(answer.at) && answer.transfer.planned > 0
                && (answer.transfer.status == 200 || answer.transfer.status == 206)
        }
        let first = answers.min { $0.at < $1.at }?.transfer.from ?? 0
        return min(max(0, first), pack.size)
    }

    /// The outcomes of a built-in workload, without the system's prefetches.
    private var builtInOutcomes: [RequestOutcome] {
        let workload = setup.cell.workload
        let told = trace.client.requests.filter { !$0.isPrefetch }.map { request in
            RequestOutcome(
                id: request.id, tags: request.tags, result: result(request),
                seconds: request.endedAt.map { Double($0 - request.beganAt) / 1e9 }, callbacks: request.callbacks,
                domain: request.error?.domain, code: request.error?.code,
                errorClass: request.error?.errorClass.flatMap(ErrorClass.init(rawValue:)),
                message: request.error?.message)
        }
        let known = Set(told.map(\.id))
        let tags = Dictionary(workload.requests.map { ($0.id, $0.tags) }) { first, _ in first }
        let untold = workload.namesOfBegun.filter { !known.contains($0) }
        return told + untold.map { RequestOutcome(id: $0, tags: tags[$0] ?? [], result: .unknown) }
    }

    private func result(_ request: ClientLog.Request) -> RequestOutcome.Result {
        if request.endedAt != nil { return request.isAvailable ? .available : .error }
        // Missing events of Headwind's own client were lost; those of another client were never sent.
        let isKnown =
            trace.client.exitStatus != nil || trace.exit?.timedOut == true || setup.isClientForeign && trace.exit != nil
        return isKnown ? .noCallback : .unknown
    }

    /// Whether no other request was open at the same time, so that all arriving bytes are this one's.
    private func isAlone(_ request: ClientLog.Request) -> Bool {
        let times = span(request)
        return trace.client.requests.allSatisfy { other in
            (other.id == request.id && other.beganAt == request.beganAt)
                || !times.overlaps(span(other))
        }
    }

    private func deliveries(_ all: [DeliverySample], during request: ClientLog.Request) -> [DeliverySample] {
        let end = request.endedAt ?? trace.clientEnd
        let before = all.last { $0.at < request.beganAt }?.totalBytes ?? 0
        return all.filter { $0.at >= request.beganAt && $0.at <= end }.map {
            DeliverySample(at: $0.at, totalBytes: $0.totalBytes - before)
        }
    }

    /// From a request's start to its callback, or to the client's end.
    private func span(_ request: ClientLog.Request) -> ClosedRange<Int64> {
        request.beganAt...max(request.beganAt, request.endedAt ?? trace.clientEnd)
    }
}
