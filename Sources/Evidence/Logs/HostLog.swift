import LinkModel
package import PackHost

/// Everything that the host saw during one attempt.
package struct HostLog: Sendable {
    /// One answer to a request for a pack.
    struct Transfer: Sendable {
        var connection: Int
        /// When the request came, and when the answer was over for the host, CLOCK_MONOTONIC nanoseconds.
        var at: Int64
        var endedAt: Int64
        var request: HostRequest
        var pack: String
        /// What went wrong with the answer on purpose, an action each.
        var faults: [String]
        var transfer: HostTransfer
    }

    package private(set) var events: [HostEvent] = []
    private(set) var transfers: [Transfer] = []
    /// The port of the other end, by connection.
    private(set) var peers: [Int: Int] = [:]
    private(set) var ends: [Int: HostConnectionEnd] = [:]
    /// When connections ended, CLOCK_MONOTONIC nanoseconds.
    private(set) var endTimes: [Int: Int64] = [:]
    /// What the first connection had; nil where no socket told.
    package private(set) var congestionControl: String?
    private(set) var failure: String?
    /// Why packs that are listed could not be served.
    private(set) var fileFaults: [String] = []
    /// When the requests of a connection came, for packs or not.
    private(set) var requestTimes: [Int: [Int64]] = [:]
    private var pending: [Int: (at: Int64, request: HostRequest, faults: [String])] = [:]

    package init() {}

    /// Takes an event in; those of connections that the harness itself made are for the caller to leave out.
    package mutating func append(_ event: HostEvent) {
        events.append(event)
        switch event.kind {
        case .opened(_, let port, let control):
            peers[event.connection] = port
            congestionControl = congestionControl ?? control
        case .request(let request):
            pending[event.connection] = (event.nanoseconds, request, [])
            requestTimes[event.connection, default: []].append(event.nanoseconds)
        case .fault(let line):
            guard let fault = FaultSchedule.HostFaultLine(text: line) else { return }
            pending[event.connection]?.faults.append(fault.action)
        case .finished(let transfer):
            guard let (at, request, faults) = pending.removeValue(forKey: event.connection), let pack = request.pack,
                !["manifest", "tag-table"].contains(pack)
            else { return }
            transfers.append(
                Transfer(
                    connection: event.connection, at: at, endedAt: event.nanoseconds, request: request, pack: pack,
                    faults: faults, transfer: transfer))
        case .closed(let end):
            ends[event.connection] = end
            endTimes[event.connection] = event.nanoseconds
        case .listenerFailed(let reason):
            failure = reason
        case .fileFault(let reason):
            fileFaults.append(reason)
        case .head, .refused:
            break
        }
    }

    /// How many connections the host accepted.
    var connections: Int64 { Int64(peers.count) }

    /// When a pack was asked for, whatever came of it, CLOCK_MONOTONIC nanoseconds.
    func requestTimes(ofPack pack: String) -> [Int64] {
        transfers.filter { $0.pack == pack }.map(\.at)
            + pending.values.filter { $0.request.pack == pack }.map(\.at)
    }

    /// Whether a pack was asked for, whatever came of it.
    func hasSeenRequest(for pack: String) -> Bool {
        transfers.contains { $0.pack == pack } || pending.values.contains { $0.request.pack == pack }
    }

    /// Bytes of a connection that are no pack's: heads, other answers, the layers of TLS.
    func overhead(of connection: Int) -> Int64 {
        let bodies = transfers.filter { $0.connection == connection }.map(\.transfer.handed).reduce(0, +)
        return max(0, (ends[connection]?.sent ?? 0) - bodies)
    }
}
