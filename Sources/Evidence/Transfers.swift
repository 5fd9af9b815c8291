import LinkModel
import PackHost
import Results

/// The bytes of answers that reached the client.
struct Transfers {
    let trace: AttemptTrace
    /// The host's answers to requests for packs, as the client got them, in the order in which they ended.
    let fetches: [RequestSample]

    init(_ trace: AttemptTrace) {
        self.trace = trace
        fetches = trace.host.transfers.map { transfer in
            let length = Self.delivered(transfer, trace)
            return RequestSample(
                at: transfer.at, pack: transfer.pack, from: transfer.transfer.from, length: length,
                status: transfer.transfer.status,
                isComplete: transfer.transfer.cause == .complete && length == transfer.transfer.handed)
        }
    }

    /// The bytes of one answer's body that reached the client.
    ///
    /// Bytes that the host handed over may still have been in the link when the client went away.
    private static func delivered(_ transfer: HostLog.Transfer, _ trace: AttemptTrace) -> Int64 {
        let handed = transfer.transfer.handed
        guard let connection = trace.linkConnection(of: transfer.connection),
            let arrived = trace.arrived(on: connection)
        else { return handed }
        let isLast = trace.host.transfers.last { $0.connection == transfer.connection }?.at == transfer.at
        guard isLast else { return handed }
        let before = (trace.host.ends[transfer.connection]?.sent ?? arrived) - handed
        return min(handed, max(0, arrived - before))
    }

    /// The bytes of connections to the host that are not bodies of packs.
    private var overhead: Int64 {
        trace.host.peers.keys.map { trace.host.overhead(of: $0) }.reduce(0, +)
    }

    /// The bytes of packs that reached the client, over time; of a host that is not ours, all bytes.
    var deliveries: [DeliverySample] {
        var packs: [Int: PackBytes] = [:]
        for connection in trace.host.peers.keys.sorted() {
            guard let number = trace.linkConnection(of: connection) else { continue }
            packs[number] = PackBytes(trace.host.answers[connection] ?? [], sent: trace.host.ends[connection]?.sent)
        }
        guard !packs.isEmpty else {
            return trace.crossed.meter.map { .init(at: $0.at.nanoseconds, totalBytes: $0.totals.downlink) }
        }
        let arrivals = trace.link.events.compactMap { event -> (at: Int64, connection: Int, total: Int64)? in
            guard case .delivered(.downlink, let total) = event.kind else { return nil }
            return (event.at.nanoseconds, event.connection, total)
        }
        var sum: Int64 = 0
        // Links report connections one after the other, not all in order of time.
        return arrivals.sorted { $0.at < $1.at }.map { at, connection, total in
            sum += packs[connection]?.advance(to: total) ?? 0
            return DeliverySample(at: at, totalBytes: sum)
        }
    }

    /// The bytes as host, link and client count them; `stored` are the packs that the client reported as stored.
    func account(isHostOurs: Bool, stored: Set<String>) -> ByteAccount {
        let handed = trace.host.transfers.map { Self.kept($0.transfer) }.reduce(0, +)
        let inLink = trace.host.transfers.map { $0.transfer.handed }.reduce(0, +) - fetches.map(\.length).reduce(0, +)
        // The client may not have read all bytes that arrived of an answer it gave up.
        let hasFailed = trace.client.requests.contains { !$0.isAvailable }
        let unread = zip(trace.host.transfers, fetches).filter { transfer, fetch in
            !fetch.isComplete || isGivenUp(transfer.connection) || hasFailed && !stored.contains(transfer.pack)
        }
        .map { $1.length }.reduce(0, +)
        let arrived = trace.crossed.payload.downlink - overhead
        return ByteAccount(
            hostBytes: isHostOurs ? handed : nil, linkBytes: isHostOurs ? max(0, arrived) : nil,
            clientBytes: trace.client.receivedBytes,
            toleranceBytes: max(0, inLink) + unread + uncounted + Self.countingTolerance + handed / 100)
    }

    /// Whether the client may have left bytes of a connection unread, although all had arrived.
    ///
    /// A client keeps a connection that it has read to the end open while it runs. If one of its requests failed, the
    /// host may have closed a connection that nothing reads any more.
    private func isGivenUp(_ connection: Int) -> Bool {
        guard let end = trace.host.endTimes[connection],
            end < trace.client.events.last(where: { $0.kind == .exit })?.t ?? trace.clientEnd
        else { return false }
        return trace.host.ends[connection]?.cause == .client || trace.client.requests.contains { !$0.isAvailable }
    }

    /// Bytes of incomplete answers that the kernel had sent and the host had not counted yet.
    private var uncounted: Int64 {
        trace.host.transfers.filter { $0.transfer.cause != .complete }.map { transfer in
            let arrived = trace.linkConnection(of: transfer.connection).flatMap(trace.arrived)
            return max(0, (arrived ?? 0) - transfer.transfer.handed)
        }.reduce(0, +)
    }

    /// The bytes of an answer that left the host; of an incomplete one, without those that its socket still held.
    private static func kept(_ transfer: HostTransfer) -> Int64 {
        // The socket may hold more than was counted at the cut.
        transfer.cause == .complete ? transfer.handed : max(0, transfer.handed - (transfer.unacknowledged ?? 0))
    }

    /// The tolerance, in bytes, for heads of cut answers and for bytes in a socket when its connection ended.
    private static let countingTolerance: Int64 = 4096
}
