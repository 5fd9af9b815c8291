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
package struct Budget: Hashable, Sendable {
    package var metric: Metric
    package var statistic: Statistic
    package var comparator: Comparator
    package var bound: Bound
    /// Whether it decides about its cell.
    package var gating = Gating.blocking

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
