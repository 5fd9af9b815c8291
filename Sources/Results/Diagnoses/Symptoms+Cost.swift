/// Rules about what a download costs besides its bytes: processor time, connections and repeated downloads.
extension Symptoms {
    /// Processor use that continues during every silence in which nothing comes.
    var busyWait: BugDiagnosis? {
        guard isBroken("cpu_time"), let silences = conduct.silences, let first = silences.first,
            silences.allSatisfy(\.isBusy)
        else { return nil }
        return BugDiagnosis(
            .busyWaits,
            "it used \(text(first.ranSeconds)) of processor time while nothing came for \(text(first.seconds)), from "
                + "\(text(first.fromSeconds)) on"
                + (silences.count > 1 ? "; each of \(silences.count) silences shows this" : ""),
            seconds: first.fromSeconds, nanoseconds: conduct.nanoseconds(at: first.fromSeconds))
    }

    /// More connections than any client opens, each for a small part, although a free one could have been used.
    var flood: BugDiagnosis? {
        guard isBroken("connections"), conduct.outages.isEmpty else { return nil }
        // Only good answers count: after a cut, a refusal or a close, a client must connect again.
        let good = (conduct.fetches ?? []).filter { fetch in
            fetch.isWhole && fetch.isOfPack && fetch.faults.isEmpty && !fetch.range.isEmpty
        }
        guard let free = good.map(\.endedSeconds).min() else { return nil }
        let small = Dictionary(grouping: good.filter { $0.connection != nil }, by: \.connection).values.filter {
            parts in
            parts.map(\.bytes).reduce(0, +) < Self.smallPart && parts.allSatisfy { $0.beganSeconds > free }
        }
        guard small.count > Self.mostConnections,
            let first = small.joined().min(by: { $0.nanoseconds < $1.nanoseconds })
        else { return nil }
        let most = small.map { $0.map(\.bytes).reduce(0, +) }.max() ?? 0
        return diagnosis(
            .floodsConnections, first,
            "\(small.count) connections brought at most \(Quantity(Double(most), .bytes).rounded()) of the pack each, from "
                + "\(text(first)) on, although an earlier connection was free")
    }

    /// Twice the most connections that aria2 opens to a host (`--max-connection-per-server` is up to 16).
    private static let mostConnections = 32

    /// The bytes below which a connection's part is small.
    ///
    /// Clients that fetch a file in blocks use larger blocks: aria2's `--min-split-size` is at least 1 MiB.
    private static let smallPart: Int64 = 256 << 10

    /// Two requests that bring the same bytes at the same time, half of a pack or more.
    var twinDownload: BugDiagnosis? {
        guard isBroken("refetched", "redundant_bytes", "bytes_on_wire"), conduct.outages.isEmpty else { return nil }
        for asked in askedPacks {
            let good = asked.tries.filter { $0.isOfPack && $0.faults.isEmpty && !$0.range.isEmpty }
            for (index, next) in good.enumerated() {
                for twin in good[..<index] where isBeside(twin, next) {
                    let same = next.range.clamped(to: twin.range).count
                    guard 2 * Int64(same) >= asked.pack.bytes else { continue }
                    return diagnosis(
                        .downloadsTwice, next,
                        "\(text(twin)) and \(text(next)) ran at the same time, and both brought the same "
                            + "\(Quantity(Double(same), .bytes).rounded()) of the pack")
                }
            }
        }
        return nil
    }

    /// Whether two requests began at about the same time, and both brought bytes for most of their duration.
    ///
    /// A client that asks again because a request is slow or seems dead waits for a while first.
    private func isBeside(_ first: ConductRecord.Fetch, _ second: ConductRecord.Fetch) -> Bool {
        guard let firstLast = first.lastByteSeconds, let secondLast = second.lastByteSeconds else { return false }
        let both = min(firstLast, secondLast) - max(first.beganSeconds, second.beganSeconds)
        let longer = max(firstLast - first.beganSeconds, secondLast - second.beganSeconds)
        return both > longer / 2 && abs(second.beganSeconds - first.beganSeconds) < longer / 4
    }
}
