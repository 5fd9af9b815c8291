import Glibc
import Results
import Testing

/// Outcomes of the rule for simulated times.
///
/// The figures of docs/explanation/baselines.md come from the same simulation.
@Suite("How often a comparison is wrong")
struct ComparisonPowerTests {
    /// How often cells ended with each verdict, and how many pairs of attempts they took.
    struct Ends {
        var counts: [Verdict: Int] = [:]
        var pairs = 0
        func share(_ verdict: Verdict) -> Double { Double(counts[verdict] ?? 0) / Double(counts.values.reduce(0, +)) }
    }

    /// One second, scaled by `factor`, plus normal noise and, with a probability of 5 %, a spike of three times
    /// `noise`.
    static func seconds(_ factor: Double, noise: Double, _ random: inout Seeded) -> Double {
        let (a, b) = (Double.random(in: .ulpOfOne...1, using: &random), Double.random(in: 0...1, using: &random))
        let normal = (-2 * log(a)).squareRoot() * cos(2 * .pi * b)
        let spike = Double.random(in: 0...1, using: &random) < 0.05 ? 3 * noise : 0
        return factor * (1 + noise * normal + spike)
    }

    static func simulate(_ plan: CellPlan, slower: Double, noise: Double, trials: Int, seed: UInt64) -> Ends {
        var random = Seeded(state: seed)
        var ends = Ends()
        for _ in 0..<trials {
            var made: [AttemptRecord] = []
            while case .attempt = plan.next(after: made) {
                let arm = plan.arm(after: made)
                let factor = arm == nil ? 1 + slower : 1
                made.append(ComparisonTests.attempt(made.count + 1, arm, seconds(factor, noise: noise, &random)))
            }
            ends.counts[plan.judge(made).verdict, default: 0] += 1
            ends.pairs += made.count / 2
        }
        return ends
    }

    /// Exceeding 0.5 % by three standard deviations has a probability of one in a thousand.
    @Test("two equal programs are rarely taken for different, whatever the noise", arguments: [0.002, 0.02])
    func falseAlarms(_ noise: Double) throws {
        let plan = try ComparisonTests.plan("median <= 1.02 x baseline")
        let ends = Self.simulate(plan, slower: 0, noise: noise, trials: 150, seed: 5)
        #expect(ends.share(.fail) <= 0.005 + 3 * (0.005 * 0.995 / 150).squareRoot())
        if noise <= 0.005 { #expect(ends.share(.pass) == 1) }
    }

    @Test("a slowdown of 5 % is found in at least 95 %, up to 1.5 % of noise", arguments: [0.002, 0.015])
    func power(_ noise: Double) throws {
        let plan = try ComparisonTests.plan("median <= 1.02 x baseline")
        let ends = Self.simulate(plan, slower: 0.05, noise: noise, trials: 60, seed: 6)
        #expect(ends.share(.fail) >= 0.95)
        #expect(ends.share(.pass) == 0)
    }
}
