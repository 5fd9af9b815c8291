/// Something that is measured in every attempt and that a budget can limit.
///
/// The raw value is the name in scenarios, results and reports, and never changes. What each one means, its unit and
/// how it is taken is in ``definition``.
package enum Metric: String, CaseIterable, Codable, Sendable {
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
    /// The metric's name in JSON: the name, with the unit where the name does not say it.
    ///
    /// `time_to_available_seconds`, `bytes_on_wire`, `throughput_bits_per_second`, `requests`.
    package var key: String {
        switch unit {
        case .count, .truth: rawValue
        case .bytes where rawValue.hasPrefix("bytes_") || rawValue.hasSuffix("_bytes"): rawValue
        case .seconds, .bytes, .bitsPerSecond, .ratio: "\(rawValue)_\(unit.rawValue)"
        }
    }

    /// Whether it is counted by the built-in host, and unknown of any other.
    package var isSeenByHost: Bool { [.redundantBytes, .requests, .retries].contains(self) }

    /// The metrics that a scenario names as keys under `budgets`; the others are phrases of the key `progress`.
    package static let namedInBudgets = allCases.filter { $0.phrase == nil }

    /// The words by which the key `progress` names this metric; nil for a metric that is a key of its own.
    package var phrase: String? {
        switch self {
        case .progressMonotonic: "monotonic"
        case .progressEndsAtOne: "ends at 1"
        case .progressDeviation: "honest within"
        default: nil
        }
    }

    /// The base unit of the metric's numbers.
    package var unit: MetricUnit { definition.unit }

    /// Whether the same bytes and faults give the same number whatever the machine does: such a metric is compared
    /// directly, and never needs more attempts.
    package var isNoiseFree: Bool { definition.isNoiseFree }

    /// Whether every run of the same client gives the same number, so that two clients are compared without chance.
    ///
    /// How many acknowledgements there are, and when a client reports, is the machine's doing too, though no limit is so tight
    /// that it matters.
    package var isExact: Bool {
        isNoiseFree && ![.bytesOnWire, .progressLastUpdateShare, .progressDeviation].contains(self)
    }
}
