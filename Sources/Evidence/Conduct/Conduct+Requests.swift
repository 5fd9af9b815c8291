import LinkModel
import PackFormat
import Results
import Scenarios

extension Conduct {
    /// The client's requests as it reported them; nil if it reported none.
    ///
    /// A command that reports progress counts as one request.
    var requests: [ConductRecord.Request]? {
        let observed = RequestReading(trace, setup).observations
        guard case .requests = setup.cell.workload else {
            let told = observed.filter { $0.progress != nil }
            guard !told.isEmpty else { return nil }
            return told.map {
                .init(
                    $0.id, began: 0, calledBack: $0.result == .available ? trace.seconds($0.endedAt) : nil,
                    isAvailable: $0.result == .available, progress: progress(of: $0))
            }
        }
        guard trace.client.hasStarted else { return nil }
        let steps = setup.cell.workload.steps
        let toEnd = Set(steps.compactMap { if case .end(let id) = $0 { id } else { nil } })
        let toCancel = Dictionary(
            steps.compactMap { if case .cancel(let id, let share) = $0 { (id, share) } else { nil } }
        ) { first, _ in first }
        let urgent = Set(setup.cell.workload.requests.filter { $0.priority == .urgent }.map(\.id))
        let ended = Set(trace.client.events.lazy.filter { $0.kind == .ended }.compactMap(\.id))
        // A user's client need not report ends.
        let isTelling = !setup.isClientForeign || !ended.isEmpty
        return zip(trace.client.requests.filter { !$0.isPrefetch }, observed).map { request, observation in
            var told = ConductRecord.Request(
                request.id, began: trace.seconds(request.beganAt), calledBack: request.endedAt.map(trace.seconds),
                isAvailable: request.isAvailable,
                // A request without a callback could not be ended.
                isToEnd: isTelling && request.endedAt != nil && toEnd.contains(request.id),
                isEnded: ended.contains(request.id), isToCancel: toCancel[request.id] != nil,
                cancelAt: toCancel[request.id],
                progress: progress(of: observation))
            told.isUrgent = urgent.contains(request.id)
            told.packs = packs(request).prefix(100).sorted()
            told.isWithinLimit = isWithinLimit(request)
            if request.callbacks > 1 { told.repeatedNanoseconds = secondCallback(of: request.id) }
            return told
        }
    }

    /// The packs of a request, by the host's identifiers.
    private func packs(_ request: ClientLog.Request) -> Set<String> {
        Set((setup.content?.version(request.version).packs(tags: request.tags) ?? []).map(\.identifier))
    }

    private func secondCallback(of id: String) -> Int64? {
        let callbacks = trace.client.events.lazy.filter { ($0.kind == .available || $0.kind == .error) && $0.id == id }
        return callbacks.dropFirst().first?.t
    }

    /// Requests to the host for the packs of cancelled requests after their callbacks; nil if unknown.
    ///
    /// Leaves out packs that another open request wants, and requests that may have been on their way at the callback.
    var fetchedAfterCancel: [ConductRecord.Afterwards]? {
        guard case .requests(let steps) = setup.cell.workload, trace.client.hasStarted else { return nil }
        let ids = Set(steps.compactMap { if case .cancel(let id, _) = $0 { id } else { nil } })
        let wanted = trace.client.requests.map { (request: $0, packs: packs($0)) }
        let slack = Self.onItsWay + setup.cell.link.profile.conditions.uplink.delay.nanoseconds
        let found = wanted.filter { ids.contains($0.request.id) }.flatMap { cancelled, packs in
            guard let callback = cancelled.endedAt else { return [ConductRecord.Afterwards]() }
            return trace.host.transfers.filter { transfer in
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

    /// How long after a callback a request sent before it may arrive, in nanoseconds, besides the link's delay.
    private static let onItsWay: Int64 = 250_000_000

    /// Whether a request's packs are within the in-use limit, together with those of the requests still open when it
    /// begins.
    ///
    /// Nil if the requests that are over make no difference, or if it is unknown. A request is over if it has failed,
    /// or if the workload ends it before. The client's own end events do not count.
    private func isWithinLimit(_ request: ClientLog.Request) -> Bool? {
        guard let limit = setup.cell.device.limits[.inUse], let content = setup.content,
            let open = openRequests(before: request.id, in: setup.cell.workload)
        else { return nil }
        let others = trace.client.requests.filter { $0.id != request.id && $0.beganAt < request.beganAt }
        let lasting = others.filter { other in
            open.contains(other.id) && (other.isAvailable || (other.endedAt ?? .max) > request.beganAt)
        }
        guard let all = Self.bytes(others + [request], content), all > limit,
            let wanted = Self.bytes(lasting + [request], content)
        else { return nil }
        return wanted <= limit
    }

    /// The bytes of the packs of requests, each pack once; nil if unknown.
    private static func bytes(_ requests: [ClientLog.Request], _ content: PreparedContent) -> Int64? {
        var sizes: [String: Int64] = [:]
        for request in requests {
            guard let packs = content.packs(tags: request.tags) else { return nil }
            for pack in packs {
                guard let resource = content.manifest.resource(for: pack.identifier) else { return nil }
                // The larger size, because clients may count either.
                sizes[pack.identifier] = max(pack.size, resource.uncompressedSize)
            }
        }
        var sum: Int64 = 0
        for size in sizes.values {
            let (next, overflows) = sum.addingReportingOverflow(size)
            guard !overflows else { return nil }
            sum = next
        }
        return sum
    }

    /// The requests that a workload begins before another one and does not end; nil if it installs, starts or updates
    /// an app.
    private func openRequests(before id: String, in workload: Workload) -> Set<String>? {
        var open: Set<String> = []
        for step in workload.steps {
            switch step {
            case .request(let request) where request.id == id: return open
            case .request(let request): open.insert(request.id)
            case .end(let ended): open.remove(ended)
            case .install, .launch, .quit, .update: return nil
            default: break
            }
        }
        return nil
    }

    /// A request's progress, compared with the bytes that had arrived; nil if the client has no way to report progress.
    func progress(of request: RequestObservation) -> ConductRecord.Progress? {
        guard let told = request.progress else { return nil }
        let samples = told.filter { $0.fraction.isFinite }
        let shares = ArrivedShares(request)
        var result = ConductRecord.Progress(reports: told.count, most: samples.map(\.fraction).max())
        var (mostAhead, mostBehind) = (0.0, 0.0)
        var before: ProgressSample?
        for sample in samples {
            var report = ConductRecord.Report(
                nanoseconds: sample.at, seconds: trace.seconds(sample.at), fraction: sample.fraction,
                fractionBefore: before?.fraction ?? 0)
            if let before, sample.fraction < before.fraction, result.fall == nil { result.fall = report }
            if let shares {
                let (early, late) = (shares.share(at: sample.at - Self.slack), shares.share(at: sample.at + Self.slack))
                report.shareBefore = before.map { shares.share(at: $0.at + Self.slack) } ?? 0
                report.share = late
                if sample.fraction - late > mostAhead {
                    (mostAhead, result.ahead) = (sample.fraction - late, report)
                }
                if early - sample.fraction > mostBehind {
                    report.share = early
                    (mostBehind, result.behind) = (early - sample.fraction, report)
                }
            }
            before = sample
        }
        result.standstill = shares.flatMap { standstill(of: request, samples, $0) }
        return result
    }

    private static let slack = Observations.progressSlackNanoseconds

    /// The stretch in which the largest share arrived while the reported progress stayed the same.
    private func standstill(
        of request: RequestObservation, _ samples: [ProgressSample], _ shares: ArrivedShares
    ) -> ConductRecord.Standstill? {
        var longest: ConductRecord.Standstill?
        var (from, fraction) = (request.beganAt, 0.0)
        for (at, next) in samples.map({ ($0.at, Optional($0.fraction)) }) + [(request.endedAt, nil)] {
            guard next != fraction else { continue }
            let share = shares.share(at: at) - shares.share(at: from)
            if share > longest?.share ?? 0 {
                longest = .init(from: trace.seconds(from), until: trace.seconds(at), fraction: fraction, share: share)
            }
            (from, fraction) = (at, next ?? fraction)
        }
        return longest
    }
}
