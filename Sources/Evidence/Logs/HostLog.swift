import LinkModel
package import PackHost

/// Everything that the host reported during one attempt.
package struct HostLog: Sendable {
    /// One answer to a request for a pack.
    struct Transfer: Sendable {
        var connection: Int
        /// When the request came, and when the host ended the answer, in nanoseconds of CLOCK_MONOTONIC.
        var at: Int64
        var endedAt: Int64
        var request: HostRequest
        var pack: String
        /// The faults of the answer, one action each.
        var faults: [String]
        var transfer: HostTransfer
    }

    /// One answer to a request for anything.
    struct Answer {
        var transfer: HostTransfer
        /// Whether its body is a pack, or a part of one.
        var isOfPack: Bool
        var isSecured: Bool
    }

    package private(set) var events: [HostEvent] = []
    private(set) var transfers: [Transfer] = []
    /// All answers, by connection and in their order.
    private(set) var answers: [Int: [Answer]] = [:]
    /// The port of the other end, and when the host accepted the connection, in nanoseconds of CLOCK_MONOTONIC, by
    /// connection.
    private(set) var peers: [Int: (port: Int, at: Int64)] = [:]
    private(set) var ends: [Int: HostConnectionEnd] = [:]
    /// When connections ended, in nanoseconds of CLOCK_MONOTONIC.
    private(set) var endTimes: [Int: Int64] = [:]
    /// The congestion control of the first connection that reports one; nil if none did.
    package private(set) var congestionControl: String?
    private(set) var failure: String?
    /// Why listed packs could not be served.
    private(set) var fileFaults: [String] = []
    /// When requests for any path came, by connection, in nanoseconds of CLOCK_MONOTONIC.
    private(set) var requestTimes: [Int: [Int64]] = [:]
    private var pending: [Int: (at: Int64, request: HostRequest, faults: [String])] = [:]

    package init() {}

    /// Adds an event; the caller leaves out events of the harness's own connections.
    package mutating func append(_ event: HostEvent) {
        events.append(event)
        switch event.kind {
        case .opened(_, let port, let control):
            peers[event.connection] = (port, event.nanoseconds)
            congestionControl = congestionControl ?? control
        case .request(let request):
            pending[event.connection] = (event.nanoseconds, request, [])
            requestTimes[event.connection, default: []].append(event.nanoseconds)
        case .fault(let line):
            guard let fault = FaultSchedule.HostFaultLine(text: line) else { return }
            pending[event.connection]?.faults.append(fault.action)
        case .finished(let transfer):
            guard let (at, request, faults) = pending.removeValue(forKey: event.connection) else { return }
            let pack = request.pack.flatMap { ["manifest", "tag-table"].contains($0) ? nil : $0 }
            answers[event.connection, default: []].append(
                Answer(
                    transfer: transfer, isOfPack: pack != nil && [200, 206].contains(transfer.status),
                    isSecured: request.origin?.hasPrefix("https:") == true))
            guard let pack else { return }
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

    /// When a pack was requested, with any outcome, in nanoseconds of CLOCK_MONOTONIC.
    func requestTimes(ofPack pack: String) -> [Int64] {
        transfers.filter { $0.pack == pack }.map(\.at)
            + pending.values.filter { $0.request.pack == pack }.map(\.at)
    }

    /// Whether a pack was requested, with any outcome.
    func hasSeenRequest(for pack: String) -> Bool { !requestTimes(ofPack: pack).isEmpty }

    /// The bytes of a connection that do not belong to packs: heads, other answers, TLS.
    func overhead(of connection: Int) -> Int64 {
        let bodies = transfers.filter { $0.connection == connection }.map(\.transfer.handed).reduce(0, +)
        return max(0, (ends[connection]?.sent ?? 0) - bodies)
    }
}
