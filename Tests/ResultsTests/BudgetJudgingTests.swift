import Results
import Testing

@Suite("Budget: samples to verdict")
struct BudgetJudgingTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let key: String
        let text: String
        let samples: [Sample]
        let verdict: Verdict
        var basis: Double?
        var part = ""
        var broken: [Int] = []

        init(
            _ key: String, _ text: String, _ samples: [Sample], _ verdict: Verdict, basis: Double? = nil,
            part: String = "", broken: [Int] = []
        ) {
            (self.key, self.text, self.samples, self.verdict) = (key, text, samples, verdict)
            (self.basis, self.part, self.broken) = (basis, part, broken)
        }

        var testDescription: String { "\(key): \(text) of \(samples.count) → \(verdict)" }
    }

    static func values(_ numbers: Double...) -> [Sample] { numbers.map(Sample.value) }
    static func many(_ count: Int, _ number: Double) -> [Sample] { Array(repeating: .value(number), count: count) }

    static let rows: [Row] = [
        // Direct comparison.
        Row("time_to_available", "max <= 2 s", values(1, 2, 1.5), .pass, part: "max 2 s <= 2 s; n=3"),
        Row("time_to_available", "max <= 2 s", values(1, 2.1, 1.5), .fail, part: "max 2.1 s > 2 s", broken: [2]),
        Row("time_to_available", "max < 2 s", values(1, 2), .fail, part: "max 2 s >= 2 s", broken: [2]),
        Row("time_to_available", "each <= 2 s", values(3, 1, 4), .fail, part: "each 4 s > 2 s", broken: [1, 3]),
        Row("time_to_available", "min <= 2 s", values(3, 1, 4), .pass, part: "min 1 s", broken: [1, 3]),
        Row(
            "throughput", "min >= 300 kbit/s", values(310_000, 290_000), .fail, part: "290 kbit/s < 300 kbit/s",
            broken: [2]),
        Row("throughput", "each >= 300 kbit/s", values(310_000, 300_000), .pass, part: "300 kbit/s >="),
        Row("redundant_bytes", "== 0", values(0, 0), .pass),
        Row("redundant_bytes", "== 0", values(0, 1), .fail, part: "each 1 B != 0 B", broken: [2]),
        Row("retries", "median <= 1", values(0, 1, 5), .pass, broken: [3]),
        Row("requests", "p90 <= 3", values(3, 3, 9), .fail, part: "p90 9 > 3", broken: [3]),
        Row("progress", "monotonic", values(1, 1), .pass, part: "progress never goes back"),
        Row("progress", "monotonic", values(1, 0), .fail, part: "broken in attempt 2", broken: [2]),
        Row("progress", "honest within 2%", values(0.01, 0.02), .pass),
        Row("progress", "honest within 2%", values(0.01, 0.4), .fail, part: "40 % > 2 %", broken: [2]),

        // The median of a noisy metric is judged by its confidence interval.
        Row(
            "time_to_available", "median <= 5 s", values(1, 2, 3, 4, 5), .pass,
            part: "median 3 s <= 5 s; n=5, 95 % [1 s, 5 s]"),
        Row(
            "time_to_available", "median <= 4 s", values(1, 2, 3, 4, 5), .inconclusive, part: "against 4 s", broken: [5]
        ),
        Row(
            "time_to_available", "median <= 0.9 s", values(1, 2, 3, 4, 5), .fail, part: "median 3000 ms > 900 ms",
            broken: [1, 2, 3, 4, 5]),
        Row("time_to_available", "median <= 1 s", values(1, 2, 3, 4, 5), .inconclusive, broken: [2, 3, 4, 5]),
        Row("time_to_available", "median <= 9 s", values(1, 2, 3, 4), .inconclusive, part: "median needs 5 attempts"),
        Row("throughput", "median >= 3 bit/s", values(1, 2, 3, 4, 5), .inconclusive, broken: [1, 2]),
        Row("throughput", "median >= 1 Mbit/s", many(5, 1_000_000), .pass),
        Row(
            "throughput", "median >= 1 Mbit/s", many(5, 999_999), .fail, part: "0.999999 Mbit/s < 1 Mbit/s",
            broken: [1, 2, 3, 4, 5]),

        // Percentiles, which need many attempts.
        Row("time_to_available", "p95 <= 2 s", values(1, 2), .inconclusive, part: "n=2; p95 needs 59 attempts"),
        Row("time_to_available", "p95 <= 2 s", many(58, 1) + values(3), .inconclusive, part: "n=59", broken: [59]),
        Row("time_to_available", "p95 <= 2 s", many(57, 1) + values(3), .inconclusive, part: "p95 needs", broken: [58]),
        Row("time_to_available", "p90 <= 2 s", many(29, 2), .pass, part: "p90 2 s <= 2 s; n=29"),
        Row("throughput", "p10 >= 1 kbit/s", values(900, 2000), .inconclusive, part: "p10 needs 29", broken: [1]),
        Row(
            "throughput", "p10 >= 1 kbit/s", many(29, 900), .fail, part: "p10 0.9 kbit/s < 1 kbit/s",
            broken: Array(1...29)),

        // Limits that are relative to a basis.
        Row(
            "time_to_available", "max <= 1.3 x ideal + 0.5 s", values(2.163712), .pass, basis: 2.073470,
            part: "max 2.16 s <= 3.2 s"),
        Row("time_to_available", "max <= 1.2 x ideal + 1 s", values(13), .pass, basis: 10, part: "13 s <= 13 s"),
        Row(
            "time_to_available", "max <= 1.2 x ideal + 1 s", values(13.2), .fail, basis: 10, part: "13.2 s > 13 s",
            broken: [1]),
        Row("time_to_available", "max <= 1.2 x ideal", values(1), .infrastructure, part: "ideal is unknown"),

        // Moments that were never reached, and unknown values.
        Row(
            "time_to_available", "max <= 9 s", [.value(1), .neverCame], .fail,
            part: "never finished (limit 9 s), in 1 of 2 attempts", broken: [2]
        ),
        Row("time_to_available", "median <= 9 s", many(7, 1) + [.neverCame], .pass, broken: [8]),
        Row(
            "time_to_available", "median <= 9 s", many(4, 1) + [.neverCame], .inconclusive, part: "[1 s, never]",
            broken: [5]),
        Row("time_to_error", "each >= 2 s", [.neverCame], .fail, broken: [1]),
        Row("time_to_error", "each >= 2 s", [.value(3), .neverCame], .fail, broken: [2]),
        Row(
            "time_to_available", "max <= 9 s", [.value(99), .unknown], .infrastructure,
            part: "not measured in attempt 2"),
        Row("time_to_available", "max <= 9 s", [], .infrastructure, part: "not measured in any attempt"),
        Row("retries", "max <= 9", [.unknown], .infrastructure),
    ]

    @Test("is judged", arguments: rows)
    func judges(_ row: Row) throws {
        let budget = try Budget(key: row.key, text: row.text)
        let attempts = row.samples.enumerated().map { (number: $0.offset + 1, sample: $0.element) }
        let result = budget.judge(attempts, basis: row.basis)
        #expect(result.verdict == row.verdict, "\(result.sentence)")
        #expect(row.part.isEmpty || result.sentence.contains(row.part), "\(result.sentence)")
        #expect(result.brokenIn == row.broken)
        #expect(result.evidence?.values.count == row.samples.count)
    }

    @Test("the numbers behind a verdict are complete")
    func evidence() throws {
        let budget = try Budget(key: "time_to_available", text: "median <= 1.2 x ideal + 1 s")
        let samples = [4, 2, 3, 1, 5].map { Sample.value($0) }
        let result = budget.judge(zip(1..., samples).map { ($0, $1) }, basis: 10)
        let evidence = try #require(result.evidence)
        #expect(evidence.values == [4, 2, 3, 1, 5])
        #expect(evidence.measured == 3)
        #expect(evidence.intervalLower == 1)
        #expect(evidence.intervalUpper == 5)
        #expect(evidence.limit == 13)
        #expect(evidence.basis == .ideal)
        #expect(evidence.basisValue == 10)
        #expect(result.name == "time_to_available.median")
    }

    @Test("a limit that is barely missed is shown with the digits that differ")
    func closeNumbers() throws {
        let result = try Budget(key: "time_to_available", text: "max <= 1 s").judge([(1, .value(1.000_04))])
        #expect(result.sentence.hasPrefix("max 1.00004 s > 1 s"))
    }

    @Test("ten thousand attempts are judged at once")
    func manyAttempts() throws {
        let attempts = (1...10_000).map { (number: $0, sample: Sample.value(Double($0 % 100))) }
        let result = try Budget(key: "time_to_available", text: "median <= 60 s").judge(attempts)
        #expect(result.verdict == .pass)
        #expect(result.brokenIn.count == 3900)
    }

    @Test(
        "says how many attempts it takes to pass",
        arguments: [
            ("time_to_available", "median <= 1 s", 5), ("time_to_available", "max <= 1 s", 1),
            ("time_to_available", "p95 <= 1 s", 59), ("time_to_available", "p90 <= 1 s", 29),
            ("throughput", "p10 >= 1 bit/s", 29), ("retries", "p95 <= 1", 1), ("retries", "median <= 1", 1),
        ])
    func minimumAttempts(_ key: String, _ text: String, _ expected: Int) throws {
        #expect(try Budget(key: key, text: text).minimumAttempts == expected)
    }
}
