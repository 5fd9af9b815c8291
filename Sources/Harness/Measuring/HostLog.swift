import PackFormat
import PackHost
import Results

/// Everything that the host saw during one attempt.
struct HostLog: Sendable {
    /// One answer to a request for a pack.
    struct Transfer: Sendable {
        var connection: Int
        var at: Int64
        var pack: String
        var transfer: HostTransfer
    }

    private(set) var events: [HostEvent] = []
    private(set) var transfers: [Transfer] = []
    /// The port of the other end, by connection.
    private(set) var peers: [Int: Int] = [:]
    private(set) var ends: [Int: HostConnectionEnd] = [:]
    /// When connections ended, CLOCK_MONOTONIC nanoseconds.
    private(set) var endTimes: [Int: Int64] = [:]
    /// What the first connection had; nil where no socket told.
    private(set) var congestionControl: String?
    private(set) var failure: String?
    /// Why packs that are listed could not be served.
    private(set) var fileFaults: [String] = []
    private var pending: [Int: (at: Int64, pack: String)] = [:]

    /// Takes an event in; those of connections that the harness itself made are for the caller to leave out.
    mutating func append(_ event: HostEvent) {
        events.append(event)
        switch event.kind {
        case .opened(_, let port, let control):
            peers[event.connection] = port
            congestionControl = congestionControl ?? control
        case .request(let request):
            pending[event.connection] = request.pack.map { (event.nanoseconds, $0) }
        case .finished(let transfer):
            guard let (at, pack) = pending.removeValue(forKey: event.connection), Self.isPack(pack) else { return }
            transfers.append(Transfer(connection: event.connection, at: at, pack: pack, transfer: transfer))
        case .closed(let end):
            ends[event.connection] = end
            endTimes[event.connection] = event.nanoseconds
        case .listenerFailed(let reason):
            failure = reason
        case .fileFault(let reason):
            fileFaults.append(reason)
        case .fault, .head, .refused:
            break
        }
    }

    /// Whether an identifier is a pack's, and not the catalog's.
    static func isPack(_ identifier: String) -> Bool { !["manifest", "tag-table"].contains(identifier) }

    /// Bytes of a connection that are no pack's: heads, other answers, the layers of TLS.
    func overhead(of connection: Int) -> Int64 {
        let bodies = transfers.filter { $0.connection == connection }.map(\.transfer.handed).reduce(0, +)
        return max(0, (ends[connection]?.sent ?? 0) - bodies)
    }
}
