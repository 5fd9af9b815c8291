/// The declaration of a metric: its meaning, its unit, how it is taken, and how it is used.
package struct MetricDefinition: Sendable {
    /// Which way is better.
    package enum Better: String, Sendable { case lower, higher }

    /// What observes it.
    package enum Source: String, Sendable {
        /// The client's own events, or the end of a command.
        case client
        /// The link.
        case link
        /// The built-in host; the metric is unknown with any other host.
        case host
        /// The kernel, which reports it of the client's process.
        case system
    }

    /// What affects its number besides the client.
    package enum Noise: Sendable {
        /// Nothing: every run of the same client gives the same number.
        case none
        /// How the machine divides bytes into packets and reports; no limit is so tight that this matters.
        case small
        /// How fast the machine is.
        case machine
    }

    /// The limit that `headwind run --suggest-budgets` gives it.
    package enum Suggestion: Sendable {
        /// The median, limited by the upper end of its interval.
        case median
        /// The maximum, limited to the largest number that was measured.
        case most
    }

    /// The words by which the key `progress` names it, and its name in reports.
    package struct Phrase: Sendable {
        package let text: String
        package let name: String
    }

    package var unit: MetricUnit
    package var source: Source
    package var better = Better.lower
    package var noise = Noise.machine
    /// Whether only the client decides it, by what it requests and in which order it reports.
    ///
    /// All other metrics also depend on how bytes arrive over the link.
    package var isClientsDoing = false
    /// What a budget's limit may be a multiple of.
    package var bases = [Basis.baseline]
    /// Whether it counts from the first request's begin to one moment, so that it can also count from the first packet.
    package var isFromBegin = false
    /// Nil for a metric that is a key of its own under `budgets`.
    package var phrase: Phrase?
    /// What it is, in a few words.
    package var title: String
    /// How it is measured: the clock, the start, the end.
    package var measured: String
    /// The heading of its column in the page's table of attempts; nil if it has none.
    package var column: String?
    /// Nil if no budget is suggested.
    package var suggestion: Suggestion?
    /// What a good client does to keep the number good, with the source; nil if that depends on what is downloaded.
    var advice: @Sendable () -> String? = { nil }
    /// Takes the metric's sample from the observations of an attempt.
    var sample: @Sendable (Observations) -> Sample
}

extension Metric {
    /// The metric's key in JSON: its name, with the unit if the name does not say it.
    ///
    /// `time_to_available_seconds`, `bytes_on_wire`, `throughput_bits_per_second`, `requests`.
    package var key: String {
        switch unit {
        case .count, .truth: rawValue
        case .bytes where rawValue.hasPrefix("bytes_") || rawValue.hasSuffix("_bytes"): rawValue
        case .seconds, .bytes, .bitsPerSecond, .ratio: "\(rawValue)_\(unit.rawValue)"
        }
    }

    /// The metrics that a scenario names as keys under `budgets`; the others are phrases of the key `progress`.
    package static let namedInBudgets = allCases.filter { $0.phrase == nil }

    /// The words by which the key `progress` names this metric; nil for a metric that is a key of its own.
    package var phrase: String? { definition.phrase?.text }

    /// The base unit of the metric's numbers.
    package var unit: MetricUnit { definition.unit }

    /// Whether the same bytes and faults give the same number on any machine.
    ///
    /// Such a metric is compared directly, and never needs more attempts.
    package var isNoiseFree: Bool { definition.noise != .machine }

    /// Whether every run of the same client gives the same number, so that two clients are compared without statistics.
    package var isExact: Bool { definition.noise == .none }
}
