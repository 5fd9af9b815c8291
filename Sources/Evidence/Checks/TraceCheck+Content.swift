import PackFormat
import PackHost
import Results
import Scenarios

/// Compares the packs that the client reports with the bytes that crossed the link.
///
/// Each attempt has a fresh device and folder, so all of a pack must cross the link in it. Packs with the same content
/// count as one.
extension TraceCheck {
    /// A finding for each pack that has more bytes than crossed the link.
    ///
    /// If the client has the content all the same, it bypassed the link, which says nothing about the client. Otherwise
    /// the client treated incomplete content as complete.
    var contentFindings: [Finding] {
        guard let content = setup.content else { return [] }
        let came = delivered(content)
        if let early = early(content) { return [early] }
        return needed(content).compactMap { pack in
            let (bytes, size) = (came[pack.sha256] ?? 0, size(of: pack))
            guard bytes < size else { return nil }
            let tags = pack.tags == [pack.identifier] ? "" : " (\(pack.tags.joined(separator: "+")))"
            let account = "\(bytes) of the \(size) B of '\(pack.identifier)'\(tags) crossed the link"
            if isLedAway(pack, content) {
                return Finding(
                    .linkBypassed, "\(account): a redirect led to another host, which is not behind the link")
            }
            if held.contains(pack.sha256) { return Finding(.linkBypassed, "\(account), but the client has all of it") }
            if bytes == 0, statuses(of: pack).contains(304) {
                return Finding(.linkBypassed, "\(account): the client asked whether its own copy was still good")
            }
            let isAskedFor = trace.host.hasSeenRequest(for: pack.identifier)
            return Finding(.contentIncomplete, isAskedFor ? account : "\(account): the client did not request it")
        }
    }

    /// The finding that a start succeeded before all of the pack had crossed the link; nil if none did, or with one
    /// start.
    private func early(_ content: PreparedContent) -> Finding? {
        guard trace.starts.count > 1, let pack = setup.cell.commandPack(in: content) else { return nil }
        let meter = trace.crossed.meter
        for (index, start) in trace.starts.enumerated() where start.exitStatus == 0 {
            let sample = meter.first { $0.at.nanoseconds >= start.ended } ?? meter.last
            guard let bytes = sample?.totals.downlink, bytes < pack.size else { continue }
            return Finding(
                .contentIncomplete,
                "start \(index + 1) of the client ended with status 0 after \(bytes) of the \(pack.size) B of "
                    + "'\(pack.identifier)' had crossed the link")
        }
        return nil
    }

    /// The packs that the client reports, each content once.
    private func needed(_ content: PreparedContent) -> [ServedPack] {
        var packs: [ServedPack] = []
        switch setup.cell.workload {
        case .requests:
            packs = trace.client.requests.filter(\.isAvailable).flatMap {
                content.version($0.version).packs(tags: $0.tags) ?? []
            }
        case .command:
            let hasSucceeded = RequestReading(trace, setup).outcomes.allSatisfy { $0.result == .available }
            if hasSucceeded, trace.exit?.timedOut == false, let pack = setup.cell.commandPack(in: content) {
                packs.append(pack)
            }
            packs += content.site.packs.filter { held.contains($0.sha256) }
        }
        return packs.grouped(by: \.sha256).map { $0[0] }
    }

    /// Digests of the files that have the right content.
    private var held: Set<String> { Set(trace.files.filter { $0.problem == nil }.map(\.digest)) }

    private func statuses(of pack: ServedPack) -> [Int] {
        trace.host.transfers.filter { $0.pack == pack.identifier }.compactMap(\.transfer.status)
    }

    /// Whether the scenario redirects requests for the pack to a host that is not Headwind's.
    private func isLedAway(_ pack: ServedPack, _ content: PreparedContent) -> Bool {
        guard statuses(of: pack).contains(where: { (301...308).contains($0) && $0 != 304 }) else { return false }
        let own = Set(content.authorities.map(\.host) + [PreparedContent.hostName])
        return setup.cell.hostFaults.contains { fault in
            guard case .redirect(let target, _, _) = fault.action, let address = HTTPAddress(target),
                fault.pack == "*" || content.packs(named: fault.pack).contains(pack)
            else { return false }
            return !own.contains(address.host)
        }
    }

    /// The most distinct bytes that can have crossed the link, by the digest of the pack.
    private func delivered(_ content: PreparedContent) -> [String: Int64] {
        let packs = Dictionary(content.site.packs.map { ($0.identifier, $0) }) { first, _ in first }
        var ranges: [String: [Range<Int64>]] = [:]
        for (index, transfer) in trace.host.transfers.enumerated() {
            guard let pack = packs[transfer.pack], [200, 206].contains(transfer.transfer.status),
                let most = mostDelivered(index)
            else { continue }
            let from = transfer.transfer.from
            ranges[pack.sha256, default: []].append((from..<max(from, from + most)).clamped(to: 0..<size(of: pack)))
        }
        // A part that was put there before the start did not have to cross.
        if let pack = setup.cell.commandPack(in: content),
            let part = trace.before?.lazy.compactMap(\.packBytes).first
        {
            ranges[pack.sha256, default: []].append(0..<part)
        }
        return ranges.mapValues(\.distinctCount)
    }

    /// The size in bytes of a pack as the host serves it.
    private func size(of pack: ServedPack) -> Int64 {
        pack.size + setup.cell.leadingZeros(of: pack, setup.content)
    }

    /// The most bytes of an answer's body that can have crossed the link; nil if it did not go over the link.
    ///
    /// Bytes of heads and TLS count as body here, in the client's favour. That matters only for a client that leaves
    /// before the end: if the host ends a body, it knows the count.
    private func mostDelivered(_ index: Int) -> Int64? {
        let transfer = trace.host.transfers[index]
        guard let connection = trace.linkConnection(of: transfer.connection) else { return nil }
        let isEndOfHost: Bool =
            switch transfer.transfer.cause {
            case .complete, .cut, .streamReset, .goAway: true
            case .clientClosed, .writeStall, .fileFault, .hostClosed: false
            }
        // The host's count omits the last block of an answer that the client ended.
        let most = isEndOfHost ? transfer.transfer.handed : transfer.transfer.planned
        guard let arrived = trace.arrived(on: connection) else { return most }
        let before = trace.host.transfers[..<index].filter {
            trace.linkConnection(of: $0.connection) == connection
        }
        return min(most, max(0, arrived - before.map(\.transfer.handed).reduce(0, +)))
    }
}
