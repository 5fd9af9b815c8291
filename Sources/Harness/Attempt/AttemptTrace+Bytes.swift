import LinkModel
import PackHost
import Results

extension AttemptTrace {
    /// Bytes of answers' bodies that reached the client, of one answer.
    ///
    /// What the host has handed over may still have been in the link when the client went away.
    private func delivered(_ transfer: HostLog.Transfer) -> Int64 {
        let handed = transfer.transfer.handed
        guard let port = host.peers[transfer.connection], let connection = link.connectionByPort[port],
            let arrived = arrived(on: connection)
        else { return handed }
        let isLast = host.transfers.last { $0.connection == transfer.connection }?.at == transfer.at
        guard isLast else { return handed }
        let before = (host.ends[transfer.connection]?.sent ?? arrived) - handed
        return min(handed, max(0, arrived - before))
    }

    /// Payload bytes that reached the client on a connection of the link; nil where nobody knows.
    func arrived(on connection: Int) -> Int64? { crossed.delivered[connection] ?? link.downlink[connection] }

    /// The host's answers to requests for packs, as the client got them.
    var fetches: [RequestSample] {
        host.transfers.map { transfer in
            let length = delivered(transfer)
            return RequestSample(
                at: transfer.at, pack: transfer.pack, from: transfer.transfer.from, length: length,
                status: transfer.transfer.status,
                isComplete: transfer.transfer.cause == .complete && length == transfer.transfer.handed)
        }
    }

    /// Bytes of connections to the host that carried packs but were no bodies.
    private var overhead: Int64 {
        host.peers.keys.map { host.overhead(of: $0) }.reduce(0, +)
    }

    /// Bodies' bytes among all that reached the client, over time.
    ///
    /// Heads come before their bodies: those of the first connection are taken off the start, the others evenly.
    var deliveries: [DeliverySample] {
        let bodies = fetches.map(\.length).reduce(0, +)
        guard let last = crossed.meter.last?.totals.downlink, last > 0 else { return [] }
        let first = min(host.peers.keys.min().map { host.overhead(of: $0) } ?? 0, last - 1)
        let share = host.peers.isEmpty ? 1 : Double(bodies) / Double(last - first)
        return crossed.meter.map { sample in
            let bytes = Double(max(0, sample.totals.downlink - first)) * min(1, share)
            return DeliverySample(at: sample.at.nanoseconds, totalBytes: Int64(bytes.rounded()))
        }
    }

    /// The same bytes as host, link and client count them; `stored` are the packs that the client told it has stored.
    func byteAccount(isHostOurs: Bool, stored: Set<String>) -> ByteAccount {
        let handed = host.transfers.map { Self.kept($0.transfer) }.reduce(0, +)
        let inLink = host.transfers.map { $0.transfer.handed }.reduce(0, +) - fetches.map(\.length).reduce(0, +)
        // What had arrived of an answer that the client gave up may never have been read.
        let hasFailed = client.requests.contains { !$0.isAvailable }
        let unread = zip(host.transfers, fetches).filter { transfer, fetch in
            !fetch.isComplete || isGivenUp(transfer.connection) || hasFailed && !stored.contains(transfer.pack)
        }
        .map { $1.length }.reduce(0, +)
        let arrived = crossed.payload.downlink - overhead
        return ByteAccount(
            hostBytes: isHostOurs ? handed : nil, linkBytes: isHostOurs ? max(0, arrived) : nil,
            clientBytes: client.receivedBytes,
            toleranceBytes: max(0, inLink) + unread + uncounted + Self.countingTolerance + handed / 100)
    }

    /// Whether the client may have left unread what a connection brought, though all of it had arrived.
    ///
    /// It keeps connections that it has read to the end as long as it lives; where one of its requests failed, the host may
    /// have been the first to end one that nobody reads any more.
    private func isGivenUp(_ connection: Int) -> Bool {
        guard let end = host.endTimes[connection],
            end < client.events.last(where: { $0.kind == .exit })?.t ?? clientEnd
        else { return false }
        return host.ends[connection]?.cause == .client || client.requests.contains { !$0.isAvailable }
    }

    /// Bytes of answers that were cut short, which the kernel had sent and the host had not counted yet.
    private var uncounted: Int64 {
        host.transfers.filter { $0.transfer.cause != .complete }.map { transfer in
            let connection = host.peers[transfer.connection].flatMap { link.connectionByPort[$0] }
            return max(0, (connection.flatMap(arrived) ?? 0) - transfer.transfer.handed)
        }.reduce(0, +)
    }

    /// What of an answer left the host; of one that was cut, what its socket still held is gone.
    private static func kept(_ transfer: HostTransfer) -> Int64 {
        // Its socket may hold more than had been counted when it was cut.
        transfer.cause == .complete ? transfer.handed : max(0, transfer.handed - (transfer.unacknowledged ?? 0))
    }

    /// Heads of answers that were cut, and what a socket held when its connection ended.
    private static let countingTolerance: Int64 = 4096

    /// Connections by which bytes left the host that the link did not make.
    ///
    /// The link tells of no connection that it gave up while it was made, with its client; the host may have it, and sent nothing.
    var connectionsAroundLink: [Int] {
        host.peers.filter { connection, port in
            link.connectionByPort[port] == nil && host.ends[connection]?.sent != 0
        }
        .keys.sorted()
    }
}
