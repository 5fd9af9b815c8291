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
    /// Whether it decides about its cell.
    package var gating = Gating.blocking
    /// From where times are counted; nil, the default, is the first packet where a command is compared with a baseline and
    /// both are known to have one, else the begin.
    package var origin: Origin?

    /// The moment from which a metric's time is counted.
    package enum Origin: String, CaseIterable, Codable, Sendable {
        /// The first request's begin, or a command's start.
        case begin
        /// The first connection or lookup that reached the link, so that how long an interpreter takes to start does not count.
        case firstPacket = "first-packet"

        /// What follows a time in a sentence: ` from the first packet`.
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

    /// A name that stays when the limit is changed, as comparisons between runs need it: `time_to_available.median`.
    package var name: String { metric.definition.phrase?.name ?? "\(metric.rawValue).\(statistic)" }

    /// The fewest attempts with which this budget can pass.
    ///
    /// One, but for the median and percentiles of a metric with noise, which are judged by an interval: the median needs
    /// 5, p90 29, p95 59. With fewer a p95 would be the maximum by another name.
    package var minimumAttempts: Int {
        guard !metric.isNoiseFree, let quantile = statistic.quantile else { return 1 }
        return Statistics.minimumSamples(quantile: quantile)
    }
}

/// The right-hand side of a budget: a fixed number, or a multiple of a basis and perhaps a number on top.
package enum Bound: Hashable, Sendable, Codable {
    case fixed(Double)
    case multiple(factor: Double, of: Basis, plus: Double = 0)

    /// The basis that the limit needs; nil for a fixed one.
    package var basis: Basis? {
        if case .multiple(_, let basis, _) = self { basis } else { nil }
    }

    /// The limit in base units; nil where it needs a basis whose number is unknown.
    package func limit(basis number: Double?) -> Double? {
        switch self {
        case .fixed(let value): value
        case .multiple(let factor, _, let plus): number.map { factor * $0 + plus }
        }
    }

    /// The bound as it is written in a budget on a metric of that unit: `1 s`, `1.2 x ideal + 12 s`.
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
    /// A perfect transfer of the same bytes over the same link, as the link's model has it: without loss or faults.
    case ideal
    /// A plain curl, measured in the same cell, interleaved with the attempts.
    case reference
    /// An earlier result of the same cell.
    case baseline
}

/// Whether a check decides about its cell.
package enum Gating: Hashable, Sendable, Codable {
    /// It decides; the default.
    case blocking
    /// It is judged and shown, and decides nothing.
    case advisory
    /// As ``advisory``, for a time.
    case quarantined(Quarantine)
}

/// For how long, and why, something that is known not to hold decides nothing.
package struct Quarantine: Hashable, Sendable, Codable {
    /// The last day on which it holds, `2026-12-31`, in UTC.
    package var until: String
    package var reason: String

    package init(until: String, reason: String) {
        self.until = until
        self.reason = reason
    }

    /// Days of this form are ordered as texts are.
    package func isOver(on day: String) -> Bool { day > until }
}
