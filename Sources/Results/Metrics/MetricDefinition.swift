/// What a metric means, in which unit, and how it is taken.
package struct MetricDefinition: Sendable {
    /// Which way is better.
    package enum Better: String, Sendable { case lower, higher }

    package let unit: MetricUnit
    package let better: Better
    /// Whether the same bytes and faults give the same number whatever the machine does.
    package let isNoiseFree: Bool
    /// What a budget's limit may be a multiple of.
    package let bases: [Basis]
    /// What it is, in a few words.
    package let title: String
    /// How it is taken: the clock, the start, the end, who saw it.
    package let measured: String

    init(
        _ unit: MetricUnit,
        better: Better = .lower,
        noiseFree: Bool = false,
        bases: [Basis] = [.baseline],
        _ title: String,
        measured: String
    ) {
        self.unit = unit
        self.better = better
        self.isNoiseFree = noiseFree
        self.bases = bases
        self.title = title
        self.measured = measured
    }
}

extension Metric {
    /// What the metric means, its unit, and how it is taken.
    package var definition: MetricDefinition {
        switch self {
        case .timeToFirstByte, .timeToFirstProgress, .timeToAvailable, .timeToError, .throughput, .longestStall:
            transferDefinition
        case .bytesOnWire, .redundantBytes, .requests, .retries, .diskPeak, .overpurgedBytes, .memoryPeak, .cpuTime:
            effortDefinition
        case .waitAtUse, .waitAtUseTotal, .wastedBytes, .bytesOnWifi, .bytesOnCellular: lifeDefinition
        case .progressLongestGap, .progressLastUpdateShare, .progressMonotonic, .progressEndsAtOne, .progressDeviation:
            progressDefinition
        }
    }

    private var transferDefinition: MetricDefinition {
        switch self {
        case .timeToFirstByte:
            .init(
                .seconds, bases: [.ideal, .reference, .baseline], "wait for the first byte of a pack",
                measured: "from the first request's begin to the first body byte that the link hands to the client")
        case .timeToFirstProgress:
            .init(
                .seconds, "wait for the first sign of progress",
                measured: "from the first request's begin to the client's first progress event above 0")
        case .timeToAvailable:
            .init(
                .seconds, bases: [.ideal, .reference, .baseline], "wait until the resources can be used",
                measured: "from the first request's begin to the last request's callback without an error")
        case .timeToError:
            .init(
                .seconds, "wait until the error is told",
                measured: "from the first request's begin to the first callback with an error")
        case .throughput:
            .init(
                .bitsPerSecond, better: .higher, bases: [.ideal, .reference, .baseline], "rate of the whole download",
                measured: "body bytes delivered, times 8, over the time from the first begin to the last byte")
        default:
            .init(
                .seconds, bases: [.reference, .baseline], "longest time without a byte",
                measured: "longest gap between two deliveries, or between the last one and an error, "
                    + "while a request was open and not every one was paused")
        }
    }

    private var effortDefinition: MetricDefinition {
        switch self {
        case .bytesOnWire:
            .init(
                .bytes, noiseFree: true, bases: [.ideal, .reference, .baseline], "bytes that crossed the link",
                measured: "the link's counters of both directions, headers and repeats included")
        case .redundantBytes:
            .init(
                .bytes, noiseFree: true, "bytes fetched more than once",
                measured: "body bytes of 200 and 206 answers beyond the distinct bytes of each pack, seen by the host")
        case .requests:
            .init(.count, noiseFree: true, "HTTP requests", measured: "requests for packs that the host saw")
        case .retries:
            .init(
                .count, noiseFree: true, "HTTP requests that repeat a failed one",
                measured: "requests for a pack after one for it had failed or ended short, one for each, "
                    + "seen by the host")
        case .diskPeak:
            .init(
                .bytes, "most storage in use at a time",
                measured:
                    "largest size of the client's packs, partial downloads and packs that are being unpacked, together")
        case .overpurgedBytes:
            .init(
                .bytes, noiseFree: true, "bytes purged beyond what was needed",
                measured: "of each time that the client made room, the bytes that it removed less those that had to go")
        case .memoryPeak:
            .init(
                .bytes, "most memory in use at a time",
                measured:
                    "largest resident set of the client's process or of one process that it waited for: the larger, "
                    + "not the sum (ru_maxrss of getrusage(2))")
        default:
            .init(
                .seconds, "processor time of the client", measured: "user and system time of its process (getrusage(2))"
            )
        }
    }

    private var lifeDefinition: MetricDefinition {
        switch self {
        case .waitAtUse:
            .init(
                .seconds, "longest wait of somebody who needs what is not there yet",
                measured: "of each step `use`, from then to its request's callback without an error; "
                    + "0 where that came before; the longest of the attempt")
        case .waitAtUseTotal:
            .init(
                .seconds, "all such waits together", measured: "the same of all steps `use`, added up")
        case .wastedBytes:
            .init(
                .bytes, "bytes fetched for nothing",
                measured:
                    "body bytes of packs, as the client counts them, that no `use` had before the pack was purged "
                    + "or replaced, or before the attempt ended")
        case .bytesOnWifi:
            .init(
                .bytes, "bytes that came by Wi-Fi",
                measured:
                    "body bytes of answers whose head came while the device's radio was `wifi`, counted by the client")
        default:
            .init(
                .bytes, "bytes that came by a cellular network",
                measured: "the same while it was `cellular`")
        }
    }

    private var progressDefinition: MetricDefinition {
        switch self {
        case .progressLongestGap:
            .init(
                .seconds, "longest time without a sign of progress",
                measured: "longest gap between two progress events, or between the last one and the callback, "
                    + "less the time in which the request was paused")
        case .progressLastUpdateShare:
            .init(
                .ratio, noiseFree: true, "how far the bar jumps at the end",
                measured: "the last progress event's fraction less the one before it")
        case .progressMonotonic:
            .init(
                .truth, better: .higher, noiseFree: true, "progress never goes back",
                measured: "no progress event of a request is below an earlier one")
        case .progressEndsAtOne:
            .init(
                .truth, better: .higher, noiseFree: true, "progress ends at 1, and only with availability",
                measured: "the last progress event before a callback without an error is exactly 1, "
                    + "and none reaches 1 before a callback with one")
        default:
            .init(
                .ratio, noiseFree: true, "how far progress is from the truth",
                measured: "largest difference between a progress event and the share of the request's bytes "
                    + "that the link had delivered within 50 ms of it")
        }
    }
}
