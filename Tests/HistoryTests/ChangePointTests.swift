import Glibc
import History
import Testing

@Suite("Change points of a series")
struct ChangePointTests {
    /// Values around 10 with normal noise of a relative size, times `step` from a place on.
    static func series(_ count: Int, noise: Double, step: Double = 1, at place: Int = .max, seed: UInt64) -> [Double] {
        var random = Seeded(state: seed)
        return (0..<count).map { index in
            let (a, b) = (Double.random(in: .ulpOfOne...1, using: &random), Double.random(in: 0...1, using: &random))
            let normal = (-2 * log(a)).squareRoot() * cos(2 * .pi * b)
            return 10 * (index >= place ? step : 1) * (1 + noise * normal)
        }
    }

    @Test("a step is found at its place", arguments: [12, 20, 30, 48])
    func step(_ place: Int) {
        for seed in 1...20 {
            let changes = ChangePoint.all(
                in: Self.series(60, noise: 0.005, step: 1.05, at: place, seed: UInt64(seed)))
            #expect(changes.map(\.place) == [place])
            #expect(changes.allSatisfy { abs($0.share - 0.05) < 0.02 })
        }
    }

    @Test("a series without a step has no change", arguments: [0.001, 0.01, 0.05])
    func noStep(_ noise: Double) {
        let alarms = (1...60).count { !ChangePoint.all(in: Self.series(120, noise: noise, seed: UInt64($0))).isEmpty }
        #expect(alarms == 0)
    }

    @Test("a change that is too small, or in too few values, is not found")
    func edges() {
        let small = Self.series(60, noise: 0.0005, step: 1.01, at: 30, seed: 1)
        #expect(ChangePoint.all(in: small).isEmpty)
        #expect(ChangePoint.all(in: Self.series(23, noise: 0.01, step: 2, at: 12, seed: 1)).isEmpty)
        #expect(ChangePoint.all(in: []).isEmpty && ChangePoint.all(in: [1]).isEmpty)
        let flat = [Double](repeating: 3, count: 20) + [Double](repeating: 4, count: 20)
        #expect(ChangePoint.all(in: flat).map(\.place) == [20])
        #expect(ChangePoint.all(in: flat).first?.t == .infinity)
        #expect(ChangePoint.all(in: [Double](repeating: 0, count: 40)).isEmpty)
    }

    @Test("two steps are two changes")
    func twoSteps() {
        var series = Self.series(40, noise: 0.005, step: 1.1, at: 20, seed: 4)
        series += Self.series(30, noise: 0.005, seed: 5)
        #expect(ChangePoint.all(in: series).map(\.place) == [20, 40])
    }
}

/// Numbers that are the same in every run of the tests (SplitMix64).
struct Seeded: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var z = state
        z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
        z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
        return z ^ (z >> 31)
    }
}
