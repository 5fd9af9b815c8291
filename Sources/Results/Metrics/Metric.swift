/// Something that is measured in every attempt and that a budget can limit.
///
/// The raw value is the name in scenarios, results and reports, and never changes. Everything else is in
/// ``definition``, from which documentation, schemas, budgets and reports are made. This file lists all metrics, so it
/// is long.
package enum Metric: String, CaseIterable, Codable, Sendable {
    case timeToFirstPacket = "time_to_first_packet"
    case timeToFirstResponse = "time_to_first_response"
    case timeToFirstByte = "time_to_first_byte"
    case timeToFirstProgress = "time_to_first_progress"
    case timeToAvailable = "time_to_available"
    case timeToError = "time_to_error"
    case throughput
    case longestStall = "longest_stall"
    case bytesOnWire = "bytes_on_wire"
    case redundantBytes = "redundant_bytes"
    case requests
    case retries
    case connections
    case diskPeak = "disk_peak"
    case overpurgedBytes = "overpurged_bytes"
    case waitAtUse = "wait_at_use"
    case waitAtUseTotal = "wait_at_use_total"
    case wastedBytes = "wasted_bytes"
    case bytesOnWifi = "bytes_on_wifi"
    case bytesOnCellular = "bytes_on_cellular"
    case memoryPeak = "memory_peak"
    case cpuTime = "cpu_time"
    case progressLongestGap = "progress_longest_gap"
    case progressLastUpdateShare = "progress_last_update_share"
    case progressMonotonic = "progress_monotonic"
    case progressEndsAtOne = "progress_ends_at_one"
    case progressDeviation = "progress_deviation"
}

extension Metric {
    /// The declaration of the metric.
    ///
    /// The list is long because it has exactly one case for each metric.
    package var definition: MetricDefinition {
        switch self {
        case .timeToFirstPacket:
            .init(
                unit: .seconds, source: .link, title: "time until the client uses the link",
                measured:
                    "from the first request's begin, or a command's start, to the first connection or lookup that "
                    + "reaches the link; unknown with the kernel backend"
            ) { $0.timeToFirstPacket }
        case .timeToFirstResponse:
            .init(
                unit: .seconds, source: .host, isFromBegin: true, title: "wait for the host's first answer",
                measured:
                    "from the first request's begin, or a command's start, to the first bytes that the link hands to "
                    + "the client once the host has sent the head of an answer, whatever its status",
                column: "First response", suggestion: .median, advice: { Self.connectionAdvice }
            ) { $0.timeToFirstResponse }
        case .timeToFirstByte:
            .init(
                unit: .seconds, source: .link, bases: [.ideal, .reference, .baseline], isFromBegin: true,
                title: "wait for the first byte of a pack",
                measured: "from the first request's begin to the first body byte that the link hands to the client",
                column: "First byte", suggestion: .median, advice: { Self.connectionAdvice }
            ) { $0.timeToFirstByte }
        case .timeToFirstProgress:
            .init(
                unit: .seconds, source: .client, isFromBegin: true, title: "wait for the first sign of progress",
                measured: "from the first request's begin to the client's first progress event above 0",
                advice: { ClientBug.progressStandsStill.row.advised }
            ) { $0.timeToFirstProgress }
        case .timeToAvailable:
            .init(
                unit: .seconds, source: .client, bases: [.ideal, .reference, .baseline], isFromBegin: true,
                title: "wait until the resources can be used",
                measured: "from the first request's begin to the last request's callback without an error",
                column: "Available", suggestion: .median, advice: { Self.connectionAdvice }
            ) { $0.timeToAvailable }
        case .timeToError:
            .init(
                unit: .seconds, source: .client, isFromBegin: true, title: "wait until the error is reported",
                measured: "from the first request's begin to the first callback with an error", column: "Error",
                suggestion: .median, advice: { ClientReport.Severity.hangs.advice }
            ) { $0.timeToError }
        case .throughput:
            .init(
                unit: .bitsPerSecond, source: .link, better: .higher, bases: [.ideal, .reference, .baseline],
                title: "rate of the whole download",
                measured: "body bytes delivered, times 8, over the time from the first begin to the last byte",
                column: "Throughput", advice: { Self.connectionAdvice }
            ) { .init($0.throughput) }
        case .longestStall:
            .init(
                unit: .seconds, source: .link, bases: [.reference, .baseline], title: "longest time without a byte",
                measured: "longest gap between two deliveries, or between the last one and an error, "
                    + "while a request was open and not paused", column: "Longest stall",
                suggestion: .median, advice: { ClientBug.breaksOnFlapping.row.advised }
            ) { .init($0.longestStall) }
        case .bytesOnWire:
            .init(
                unit: .bytes, source: .link, noise: .small, bases: [.reference, .baseline],
                title: "bytes that crossed the link",
                measured: "the link's counters of both directions, headers and retransmissions included",
                column: "On the wire", advice: { ClientReport.Severity.wasteful.advice }
            ) { .init(count: $0.wireBytes) }
        case .redundantBytes:
            .init(
                unit: .bytes, source: .host, noise: .none, isClientsDoing: true, title: "bytes fetched more than once",
                measured: "body bytes of 200 and 206 answers beyond the distinct bytes of each pack",
                column: "Redundant", suggestion: .most, advice: { ClientReport.Severity.wasteful.advice }
            ) { .init(count: $0.redundantBytes) }
        case .requests:
            .init(
                unit: .count, source: .host, noise: .none, isClientsDoing: true, title: "HTTP requests",
                measured: "requests for packs", suggestion: .most, advice: { ClientReport.Severity.wasteful.advice }
            ) { .init(count: $0.fetches.map { Int64($0.count) }) }
        case .retries:
            .init(
                unit: .count, source: .host, noise: .none, isClientsDoing: true,
                title: "HTTP requests that repeat a failed one",
                measured: "requests for a pack after an earlier one failed or ended short, one for each",
                column: "Retries", suggestion: .most, advice: { ClientReport.Severity.wasteful.advice }
            ) { .init(count: $0.retries.map(Int64.init)) }
        case .connections:
            .init(
                unit: .count, source: .host, noise: .none, isClientsDoing: true, title: "connections to the host",
                measured: "TCP connections that the host accepted, for packs or not", suggestion: .most,
                advice: { ClientBug.floodsConnections.row.advised }
            ) { .init(count: $0.connections) }
        case .diskPeak:
            .init(
                unit: .bytes, source: .client, title: "most storage in use at a time",
                measured:
                    "largest size of the client's packs, partial downloads and packs that are being unpacked, together"
            ) { .init(count: $0.diskPeakBytes) }
        case .overpurgedBytes:
            .init(
                unit: .bytes, source: .client, noise: .none, title: "bytes purged beyond what was needed",
                measured:
                    "bytes that the client removed to make room, minus the bytes that it had to remove",
                suggestion: .most
            ) { .init(count: $0.overpurgedBytes) }
        case .waitAtUse:
            .init(
                unit: .seconds, source: .client, title: "longest wait for resources at their use",
                measured: "from a step `use` to its request's callback without an error; "
                    + "0 if that came before; the longest of the attempt", suggestion: .median,
                advice: { Self.connectionAdvice }
            ) { $0.life.longestWait }
        case .waitAtUseTotal:
            .init(
                unit: .seconds, source: .client, title: "total wait for resources at their use",
                measured: "the sum over all steps `use`",
                advice: { Self.connectionAdvice }
            ) { $0.life.totalWait }
        case .wastedBytes:
            .init(
                unit: .bytes, source: .client, title: "bytes fetched for nothing",
                measured: "body bytes of packs that no `use` needed before the pack was purged or replaced, or the "
                    + "attempt ended"
            ) { .init(count: $0.life.wastedBytes) }
        case .bytesOnWifi:
            .init(
                unit: .bytes, source: .client, title: "bytes that came by Wi-Fi",
                measured: "body bytes of answers whose head came while the device's radio was `wifi`"
            ) { .init(count: $0.life.wifiBytes) }
        case .bytesOnCellular:
            .init(
                unit: .bytes, source: .client, title: "bytes that came by a cellular network",
                measured: "the same while it was `cellular`"
            ) { .init(count: $0.life.cellularBytes) }
        case .memoryPeak:
            .init(
                unit: .bytes, source: .system, title: "most memory in use at a time",
                measured:
                    "largest resident set of the client's process or of one process that it waited for: the larger, "
                    + "not the sum (ru_maxrss of getrusage(2))", advice: { ClientBug.memoryGrows.row.advised }
            ) { .init(count: $0.memoryPeakBytes) }
        case .cpuTime:
            .init(
                unit: .seconds, source: .system, title: "processor time of the client",
                measured:
                    "user and system time of its process, and of those that it waited for (getrusage(2))"
            ) { .init($0.cpuSeconds) }
        case .progressLongestGap:
            .init(
                unit: .seconds, source: .client, title: "longest time without a sign of progress",
                measured: "longest gap between two progress events, or between the last one and the callback, "
                    + "less the time in which the request was paused",
                advice: { ClientBug.progressStandsStill.row.advised }
            ) { .init($0.progressLongestGap) }
        case .progressLastUpdateShare:
            .init(
                unit: .ratio, source: .client, noise: .small, title: "how far the bar jumps at the end",
                measured: "the last progress event's fraction minus the one before it",
                advice: { ClientBug.progressStandsStill.row.advised }
            ) { $0.progressLastUpdateShare }
        case .progressMonotonic:
            .init(
                unit: .truth, source: .client, better: .higher, noise: .none, isClientsDoing: true,
                phrase: .init(text: "monotonic", name: "progress.monotonic"), title: "progress never goes back",
                measured: "no progress event of a request is below an earlier one",
                advice: { ClientBug.progressGoesBack.row.advised }
            ) { .init(truth: $0.isProgressMonotonic) }
        case .progressEndsAtOne:
            .init(
                unit: .truth, source: .client, better: .higher, noise: .none, isClientsDoing: true,
                phrase: .init(text: "ends at 1", name: "progress.ends_at_one"),
                title: "progress ends at 1, and only with availability",
                measured: "the last progress event before a callback without an error is exactly 1, "
                    + "and none reaches 1 before a callback with one",
                advice: { ClientBug.progressJumpsEarly.row.advised }
            ) { .init(truth: $0.doesProgressEndAtOne) }
        case .progressDeviation:
            .init(
                unit: .ratio, source: .client, noise: .small,
                phrase: .init(text: "honest within", name: "progress.honest"),
                title: "how far progress is from the truth",
                measured: "largest difference between a progress event and the share of the request's bytes "
                    + "that the link had delivered within 50 ms of it",
                advice: { ClientBug.progressJumpsEarly.row.advised }
            ) { $0.isProgressWithheld ? .neverCame : .init($0.progressDeviation) }
        }
    }

    /// What a good client does to download fast.
    private static let connectionAdvice =
        "Start at once, and reuse connections: a new one costs round trips, and starts slowly (RFC 9112 "
        + "section 9.3; RFC 5681 section 3.1)."
}
