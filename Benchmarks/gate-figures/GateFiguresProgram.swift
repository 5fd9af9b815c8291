import Glibc
import Results

/// Simulates attempts, and prints how often a comparison of two clients in turns is wrong.
///
/// The output is the table of docs/explanation/baselines.md. `gate-figures [RUNS]` simulates RUNS runs a row
/// (default: 2,000).
@main
enum GateFiguresProgram {
    static func main() throws {
        let runs = CommandLine.arguments.dropFirst().first.flatMap(Int.init) ?? 2000
        print("| noise | slower by | fail | inconclusive | pass | pairs |\n|---|---|---|---|---|---|")
        for noise in [0.002, 0.005, 0.01, 0.015, 0.02, 0.03, 0.05] {
            for slower in [0, 0.05] { print(try row(noise: noise, slower: slower, runs: runs)) }
        }
    }

    private static func row(noise: Double, slower: Double, runs: Int) throws -> String {
        var plan = CellPlan(
            expectations: [RequestExpectation(.available())],
            budgets: [try Budget(key: "time_to_available", text: "median <= 1.02 x baseline")], attempts: 5)
        plan.comparison = Comparison(.interleaved)
        var random = SeededNumbers(state: UInt64(noise * 1e6) &* 31 &+ UInt64(slower * 1e6))
        var counts: [Verdict: Int] = [:]
        var pairs = 0
        for _ in 0..<runs {
            var made: [AttemptRecord] = []
            while case .attempt = plan.next(after: made) {
                let arm = plan.arm(after: made)
                let seconds = (arm == nil ? 1 + slower : 1) * random.noisy(noise)
                let samples = Samples([.timeToAvailable: .value(seconds)])
                var attempt = AttemptRecord(number: made.count + 1, seed: 1)
                (attempt.arm, attempt.samples) = (arm, samples)
                attempt.requests = [.init(id: "r", result: .available, seconds: seconds)]
                made.append(attempt)
            }
            counts[plan.judge(made).verdict, default: 0] += 1
            pairs += made.count / 2
        }
        func share(_ verdict: Verdict) -> String {
            percent(Double(counts[verdict] ?? 0) / Double(runs))
        }
        let interval = Statistics.wilson(successes: counts[.fail] ?? 0, trials: runs) ?? 0...1
        let fail = "\(share(.fail)) [\(percent(interval.lowerBound)), \(percent(interval.upperBound))]"
        let mean = (Double(pairs) / Double(runs) * 10).rounded() / 10
        return "| \(percent(noise)) | \(slower == 0 ? "–" : percent(slower)) | \(fail) | \(share(.inconclusive)) "
            + "| \(share(.pass)) | \(mean) |"
    }

    private static func percent(_ share: Double) -> String {
        let number = (share * 10_000).rounded() / 100
        return (number == number.rounded() ? "\(Int(number))" : "\(number)") + " %"
    }
}

/// Numbers that are the same in every run (SplitMix64).
private struct SeededNumbers: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var z = state
        z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
        z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
        return z ^ (z >> 31)
    }

    /// 1 plus normal noise with this standard deviation; one value of twenty is three deviations larger.
    mutating func noisy(_ noise: Double) -> Double {
        let (a, b) = (Double.random(in: .ulpOfOne...1, using: &self), Double.random(in: 0...1, using: &self))
        let normal = (-2 * log(a)).squareRoot() * cos(2 * .pi * b)
        let isSpike = Double.random(in: 0...1, using: &self) < 0.05
        return 1 + noise * (normal + (isSpike ? 3 : 0))
    }
}
