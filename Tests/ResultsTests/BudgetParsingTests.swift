import Results
import Testing

@Suite("Budget: text to value and back")
struct BudgetParsingTests {
    /// The key, the text as a user may write it, and the canonical text that it is printed as.
    static let valid: [(key: String, text: String, canonical: String)] = [
        ("time_to_first_response", "median <= 300ms", "median <= 300 ms"),
        ("time_to_first_byte", "max <= 1 s", "max <= 1 s"),
        ("time_to_available", "median <= 1.2 x ideal + 12 s", "median <= 1.2 x ideal + 12 s"),
        ("time_to_available", "median<=1.2x ideal+12s", "median <= 1.2 x ideal + 12 s"),
        ("time_to_available", "  p90   <=  4 s ", "p90 <= 4 s"),
        ("time_to_available", "p50 < 1500 ms", "median < 1.5 s"),
        ("time_to_available", "max <= 2 min", "max <= 120 s"),
        ("time_to_available", "max <= 0.3 s", "max <= 300 ms"),
        ("time_to_available", "max <= 1.5 × reference", "max <= 1.5 x reference"),
        ("time_to_available", "median <= 1.05 x baseline + 250 ms", "median <= 1.05 x baseline + 250 ms"),
        ("time_to_error", "each > 20 us", "each > 20 us"),
        ("longest_stall", "max <= 13 s", "max <= 13 s"),
        ("longest_stall", "max <= 1 µs", "max <= 1 us"),
        ("redundant_bytes", "max <= 64 KiB", "max <= 64 KiB"),
        ("redundant_bytes", "each <= 64 kB", "each <= 64 kB"),
        ("redundant_bytes", "max <= 0", "max <= 0 B"),
        ("redundant_bytes", "== 0", "each == 0 B"),
        ("redundant_bytes", "max <= 65537 B", "max <= 65537 B"),
        ("bytes_on_wire", "median <= 1.05 x baseline", "median <= 1.05 x baseline"),
        ("throughput", "min >= 300 kbit/s", "min >= 300 kbit/s"),
        ("throughput", "p10 > 0.8 x ideal", "p10 > 0.8 x ideal"),
        ("throughput", "min >= 1.5 Mbit/s", "min >= 1.5 Mbit/s"),
        ("requests", "== 3", "each == 3"),
        ("retries", "max <= 2", "max <= 2"),
        ("disk_peak", "max <= 2 GB", "max <= 2 GB"),
        ("overpurged_bytes", "== 0", "each == 0 B"),
        ("memory_peak", "max <= 1 GiB", "max <= 1 GiB"),
        ("cpu_time", "p95 <= 800 ms", "p95 <= 800 ms"),
        ("progress_longest_gap", "max <= 5 s", "max <= 5 s"),
        ("progress_last_update_share", "max <= 20 %", "max <= 20%"),
        ("progress", "monotonic", "monotonic"),
        ("progress", "ends at 1", "ends at 1"),
        ("progress", "honest within 2%", "honest within 2%"),
        ("progress", "honest within 0.5 %", "honest within 0.5%"),
    ]

    @Test("is read, and printed so that it reads back", arguments: valid)
    func reads(_ row: (key: String, text: String, canonical: String)) throws {
        let budget = try Budget(key: row.key, text: row.text)
        #expect(budget.description == row.canonical)
        #expect(budget.key == row.key)
        #expect(try Budget(key: budget.key, text: budget.description) == budget)
    }

    /// The key, the text, the column of the mistake (nil: the key), a part of the message, and the suggested word.
    static let invalid: [(key: String, text: String, column: Int?, part: String, hint: String?)] = [
        ("time_to_avaliable", "max <= 1 s", nil, "not a metric", "time_to_available"),
        ("progress_monotonic", "== 1", nil, "not a metric", nil),
        ("", "max <= 1 s", nil, "not a metric", nil),
        ("time_to_available", "", 1, "a statistic is expected", nil),
        ("time_to_available", "<= 1 s", 1, "a statistic is expected", nil),
        ("time_to_available", "medain <= 1 s", 1, "'medain' is not a statistic", "median"),
        ("time_to_available", "mean <= 1 s", 1, "'mean' is not a statistic", "median"),
        ("time_to_available", "p100 <= 1 s", 1, "p1 to p99", nil),
        ("time_to_available", "p05 <= 1 s", 1, "p1 to p99", nil),
        ("time_to_available", "p99.9 <= 1 s", 1, "'p99.9' is not a statistic", nil),
        ("time_to_available", "max =< 1 s", 5, "comparator", "<="),
        ("time_to_available", "max ≤ 1 s", 5, "comparator", "<="),
        ("time_to_available", "max 1 s", 5, "comparator", nil),
        ("time_to_available", "max == 1 s", 5, "never holds", nil),
        ("time_to_available", "p90 >= 1 s", 5, "needs <= or <", nil),
        ("throughput", "p10 <= 1 Mbit/s", 5, "needs >= or >", nil),
        ("time_to_available", "max <= 1", 9, "a unit is expected", nil),
        ("time_to_available", "max <= 1 sec", 10, "not a unit of time_to_available", "s"),
        ("time_to_available", "max <= 1 MB", 10, "not a unit of time_to_available", nil),
        ("time_to_available", "max <= 1 m", 10, "not a unit", "min"),
        ("time_to_available", "max <= -1 s", 8, "a number is expected", nil),
        ("time_to_available", "max <= .5 s", 8, "not a number", nil),
        ("time_to_available", "max <= 1.2.3 s", 8, "not a number", nil),
        ("time_to_available", "max <= 1 s 2", 12, "is unexpected here", nil),
        ("time_to_available", "max <= 1 s # soon", 12, "'#'", nil),
        ("time_to_available", "max <= 1.2 x ideel", 14, "ideal, reference, baseline", "ideal"),
        ("time_to_available", "max <= 1.2 x ideal + 12", 24, "a unit is expected", nil),
        ("time_to_available", "max <= 1.2 x ideal +", 21, "a number is expected", nil),
        ("time_to_available", "max <= 12 s + 1.2 x ideal", 13, "is unexpected here", nil),
        ("time_to_available", "max <= 0 x ideal", 8, "always 0", nil),
        ("retries", "max <= 2 x ideal", 12, "retries can be compared with: baseline", nil),
        ("retries", "max <= 2.5", 8, "whole", nil),
        ("retries", "max <= 2 s", 10, "has no unit", nil),
        ("redundant_bytes", "max <= 64 KB", 11, "not a unit", "kB"),
        ("redundant_bytes", "max <= 64", 10, "a unit is expected", nil),
        ("throughput", "min >= 300 kbps", 12, "not a unit", "kbit/s"),
        ("throughput", "min >= 300 kB", 12, "not a unit", nil),
        ("progress", "monotone", 1, "phrases", "monotonic"),
        ("progress", "honest", 7, "'within' is expected", nil),
        ("progress", "honest within 2", 16, "a unit is expected", nil),
        ("progress", "ends at 2", 9, "'1' is expected", nil),
        ("progress", "max <= 2%", 1, "phrases", nil),
        ("progress", "", 1, "phrases", nil),
    ]

    @Test("is refused at its column, with the probable word", arguments: invalid)
    func refuses(_ row: (key: String, text: String, column: Int?, part: String, hint: String?)) throws {
        let error = try #require(throws: BudgetError.self) { try Budget(key: row.key, text: row.text) }
        #expect(error.column == row.column)
        #expect(error.problem.contains(row.part), "\(error)")
        #expect(error.suggestion == row.hint, "\(error)")
    }

    /// A schema uses the pattern, so it must accept every text that the parser accepts.
    @Test("a key's pattern accepts what the parser reads, and refuses what its grammar forbids")
    func patterns() throws {
        let known = Self.invalid.filter { Budget.keys.contains($0.key) }
        let missed = try known.filter { try $0.text.wholeMatch(of: Regex(Budget.pattern(key: $0.key))) != nil }
        #expect(missed.map(\.text) == ["p90 >= 1 s", "p10 <= 1 Mbit/s", "max <= 0 x ideal", "max <= 2.5"])
        let words = [
            "min", "max", "median", "each", "p5", "p95", "<=", "<", ">=", ">", "==", "1", "0", "2.5", "x", "×", "*",
            "+",
            "ideal", "reference", "baseline", "s", "ms", "MB", "kbit/s", "%", "monotonic", "ends", "at", "honest",
            "within",
        ]
        var random = Seeded(state: 5)
        var read = 0
        for key in Budget.keys {
            let pattern = try Regex(Budget.pattern(key: key))
            let grammar = Self.valid.map(\.text)
            for _ in 0..<4000 {
                // A text of the table with some words replaced, left out or joined.
                var parts = (grammar.randomElement(using: &random) ?? "").split(separator: " ").map(String.init)
                for index in parts.indices where Int.random(in: 0..<4, using: &random) == 0 {
                    parts[index] = Bool.random(using: &random) ? "" : words.randomElement(using: &random) ?? ""
                }
                let text = parts.joined(separator: Bool.random(using: &random) ? " " : "  ")
                guard (try? Budget(key: key, text: text)) != nil else { continue }
                read += 1
                #expect(text.wholeMatch(of: pattern) != nil, "\(key): \(text)")
            }
        }
        #expect(read > 2000)
    }

    @Test("an error reads as a sentence with its place")
    func errorText() throws {
        let error = try #require(throws: BudgetError.self) {
            try Budget(key: "time_to_available", text: "medain <= 1 s")
        }
        #expect(
            error.description == "budget time_to_available: medain <= 1 s: column 1: 'medain' is not a statistic; "
                + "use one of min, max, median, each, p90 (p1 to p99); did you mean 'median'?")
    }

    @Test("an excessively long text is refused before it is parsed")
    func longText() {
        let text = "max <= " + String(repeating: "1", count: 1_000_000)
        #expect(throws: BudgetError.self) { try Budget(key: "cpu_time", text: text) }
    }

    @Test("every possible budget is printed so that it reads back")
    func roundTrips() throws {
        let numbers = [
            1, 2, 3, 7, 10, 12.5, 60, 90, 100, 999, 1000, 1024, 1536, 65_536, 1e6, 1_048_577, 1e12, 123_456_789,
        ]
        let factors = [0.1, 0.5, 1, 1.05, 1.2, 3.333, 100, 0.00001]
        for metric in Metric.namedInBudgets {
            for statistic in [Statistic.min, .max, .median, .each, .percentile(5), .percentile(95)] {
                let comparators: [Comparator] =
                    if case .percentile(let percent) = statistic {
                        percent > 50 ? [.atMost, .below] : [.atLeast, .above]
                    } else {
                        metric.isNoiseFree ? Comparator.allCases : [.atMost, .below, .atLeast, .above]
                    }
                let scales = metric.unit == .count ? [1] : metric.unit == .ratio ? [100] : [1.0, 1e3, 1e6]
                var bounds = numbers.flatMap { number in
                    scales.map { Bound.fixed(metric.unit == .count ? number.rounded() : number / $0) }
                }
                for basis in metric.definition.bases {
                    bounds += factors.map { .multiple(factor: $0, of: basis, plus: $0 > 1 ? 1 : 0) }
                }
                for (comparator, bound) in comparators.flatMap({ c in bounds.map { (c, $0) } }) {
                    let budget = Budget(metric, statistic, comparator, bound)
                    #expect(try Budget(key: budget.key, text: budget.description) == budget, "\(budget)")
                }
            }
        }
    }
}
