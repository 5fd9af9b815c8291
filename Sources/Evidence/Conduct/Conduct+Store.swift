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
}
