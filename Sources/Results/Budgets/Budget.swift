/// A limit on a statistic of a metric, as a scenario states it.
///
/// ```
/// budget     = limit | phrase                 ; a phrase under the key `progress`, a limit under any other
/// limit      = [ statistic ] comparator bound ; the statistic may be left out before "==" alone, and is then "each"
/// statistic  = "min" | "max" | "median" | "each" | percentile
/// percentile = "p" 1…99                       ; p50 is the median; above it upper limits only, below it lower ones
/// comparator = "<=" | "<" | ">=" | ">" | "==" ; "==" for noise-free metrics alone
/// bound      = value | number "x" basis [ "+" value ]
/// basis      = "ideal" | "reference" | "baseline"
/// value      = number unit                    ; the unit of the metric; a count has none, and 0 needs none
/// unit       = "ns" | "us" | "ms" | "s" | "min" | "h"
///            | "B" | "kB" | "MB" | "GB" | "TB" | "KiB" | "MiB" | "GiB" | "TiB"
///            | "bit/s" | "kbit/s" | "Mbit/s" | "Gbit/s" | "%"
/// number     = digit … [ "." digit … ]
/// phrase     = "monotonic" | "ends at 1" | "honest within" number "%"
/// ```
///
/// Blanks separate words and are not needed between a number and its unit.
package struct Budget: Hashable, Sendable, Codable {
    package var metric: Metric
    package var statistic: Statistic
    package var comparator: Comparator
    package var bound: Bound
    /// Whether the budget decides about its cell; blocking by default.
    package var gating = Gating.blocking
    /// The moment from which times are counted; nil, the default, chooses it.
    ///
    /// It is the first packet if a command is compared with a baseline and the first packet of every attempt is known,
    /// otherwise the begin.
    package var origin: Origin?

    /// The moment from which a metric's time is counted.
    package enum Origin: String, CaseIterable, Codable, Sendable {
        /// The first request's begin, or a command's start.
        case begin
        /// The first connection or lookup that reached the link.
        ///
        /// It leaves out the time that an interpreter takes to start.
        case firstPacket = "first-packet"

        /// The words that follow a time in a sentence: ` from the first packet`; empty for `begin`.
        var text: String { self == .firstPacket ? " from the first packet" : "" }
    }

    package init(_ metric: Metric, _ statistic: Statistic, _ comparator: Comparator, _ bound: Bound) {
        self.metric = metric
        self.statistic = statistic
        self.comparator = comparator
        self.bound = bound
    }
}

extension Budget: CustomStringConvertible {
    /// The key under which a scenario states the budget: the metric's name, or `progress`.
    package var key: String { metric.phrase == nil ? metric.rawValue : Self.progressKey }

    /// The canonical text, which parses back to this budget under ``key``: `median <= 1.2 x ideal + 12 s`.
    package var description: String {
        switch metric.phrase {
        case nil: "\(statistic) \(comparator.rawValue) \(bound.text(metric.unit))"
        case let phrase? where metric.unit == .truth: phrase
        case let phrase?: "\(phrase) \(bound.text(metric.unit))"
        }
    }

    /// The key whose texts are phrases about progress.
    package static let progressKey = "progress"

    /// The keys that a scenario may have under `budgets`.
    package static let keys = Metric.namedInBudgets.map(\.rawValue) + [progressKey]

    /// A name that does not depend on the limit, for comparisons between runs: `time_to_available.median`.
    package var name: String { metric.definition.phrase?.name ?? "\(metric.rawValue).\(statistic)" }

    /// The fewest attempts with which this budget can pass.
    ///
    /// 1, except for the median and percentiles of a metric with noise. Those are judged by an interval: the median
    /// needs 5 attempts, p90 29, p95 59. With fewer, a p95 would only be the maximum under another name.
    package var minimumAttempts: Int {
        guard !metric.isNoiseFree, let quantile = statistic.quantile else { return 1 }
        return Statistics.minimumSamples(quantile: quantile)
    }
}

/// The right-hand side of a budget: a fixed number in base units, or a multiple of a basis plus an optional number.
package enum Bound: Hashable, Sendable, Codable {
    case fixed(Double)
    case multiple(factor: Double, of: Basis, plus: Double = 0)

    /// The basis that the limit needs; nil for a fixed one.
    package var basis: Basis? {
        if case .multiple(_, let basis, _) = self { basis } else { nil }
    }

    /// The limit in base units; nil if it needs a basis whose number is unknown.
    package func limit(basis number: Double?) -> Double? {
        switch self {
        case .fixed(let value): value
        case .multiple(let factor, _, let plus): number.map { factor * $0 + plus }
        }
    }

    /// The bound as a budget on a metric of this unit writes it: `1 s`, `1.2 x ideal + 12 s`.
    package func text(_ unit: MetricUnit) -> String {
        switch self {
        case .fixed(let value):
            return Quantity(value, unit).description
        case .multiple(let factor, let basis, let plus):
            let product = "\(factor.plainDecimal) x \(basis.rawValue)"
            return plus == 0 ? product : "\(product) + \(Quantity(plus, unit))"
        }
    }
}

/// What a limit may be a multiple of.
package enum Basis: String, CaseIterable, Codable, Sendable {
    /// A perfect transfer of the same bytes over the same link, computed by the link's model without loss or faults.
    case ideal
    /// A plain curl in the same cell, whose runs alternate with the attempts.
    case reference
    /// An earlier result of the same cell.
    case baseline
}

/// Whether a check decides about its cell.
package enum Gating: Hashable, Sendable, Codable {
    /// The check decides; the default.
    case blocking
    /// The check is judged and shown, but does not affect the verdict.
    case advisory
    /// As ``advisory``, until the quarantine is over.
    case quarantined(Quarantine)
}

/// Why a check or cell that is known to fail does not affect the verdict, and until when.
package struct Quarantine: Hashable, Sendable, Codable {
    /// The last day on which it holds, `2026-12-31`, in UTC.
    package var until: String
    package var reason: String

    package init(until: String, reason: String) {
        self.until = until
        self.reason = reason
    }

    /// Whether `day`, in the form of ``until``, is after the last day; such days compare as text.
    package func isOver(on day: String) -> Bool { day > until }
}
