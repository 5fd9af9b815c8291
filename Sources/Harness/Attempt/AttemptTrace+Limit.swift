import PackFormat
import Scenarios

extension AttemptTrace {
    /// Whether a request's packs are within the in-use limit, together with those of the requests that are not over when it
    /// begins; nil where those that are over would make no difference, or nobody can say.
    ///
    /// A request is over that has failed, or that the workload ends before. What the client tells of ends does not count.
    func isWithinLimit(_ request: ClientLog.Request, _ context: CellContext) -> Bool? {
        guard let limit = context.cell.device.limits.inUse, let content = context.content,
            let open = openRequests(before: request.id, in: context.cell.workload)
        else { return nil }
        let others = client.requests.filter { $0.id != request.id && $0.beganAt < request.beganAt }
        let lasting = others.filter { other in
            open.contains(other.id) && (other.isAvailable || (other.endedAt ?? .max) > request.beganAt)
        }
        guard let all = Self.bytes(others + [request], content), all > limit,
            let wanted = Self.bytes(lasting + [request], content)
        else { return nil }
        return wanted <= limit
    }

    /// Bytes of the packs of requests, each counted once; nil where nobody knows.
    private static func bytes(_ requests: [ClientLog.Request], _ content: PreparedContent) -> Int64? {
        var sizes: [String: Int64] = [:]
        for request in requests {
            guard let packs = content.packs(tags: request.tags) else { return nil }
            for pack in packs {
                guard let resource = content.manifest.resource(for: pack.identifier) else { return nil }
                // The larger one, for clients may count either.
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

    /// The requests that a workload begins before another one, and does not end; nil where an app's life decides that.
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
}
