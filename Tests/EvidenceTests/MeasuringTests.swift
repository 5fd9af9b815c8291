import Results
import Testing

@testable import Evidence
@testable import Scenarios

/// The small readers and statistics, by tables.
@Suite struct MeasuringTests {
    // Lines.

    @Test(arguments: [
        (["a\nb\n"], ["a", "b"]),
        (["a", "b", "\n"], ["ab"]),
        (["10%\r20%\r", "30%"], ["10%", "20%", "30%"]),
        (["a\r\nb\r\n"], ["a", "b"]),
        (["\n\n\n"], []),
        ([""], []),
        (["a\n", "b"], ["a", "b"]),
    ])
    func linesOfPieces(pieces: [String], lines: [String]) {
        var splitter = LineSplitter()
        var found = pieces.flatMap { splitter.append(Array($0.utf8)) }
        if let rest = splitter.finish() { found.append(rest) }
        #expect(found.map { String(decoding: $0, as: UTF8.self) } == lines)
    }

    @Test func aLineThatNeverEndsIsCut() {
        var splitter = LineSplitter()
        let lines = splitter.append([UInt8](repeating: 65, count: LineSplitter.mostBytes * 2 + 1))
        #expect(lines.map(\.count) == [LineSplitter.mostBytes, LineSplitter.mostBytes])
        #expect(splitter.finish() == [65])
    }

    // Progress in a program's own words.

    @Test(arguments: [
        (#"(\d+)%"#, "level.bin 42% 1.2MB/s", [0.42]),
        (#"(\d+)%"#, "1% 2% 3%", [0.01, 0.02, 0.03]),
        (#"([\d.]+)%"#, "##### 12.5%", [0.125]),
        (#"(\d+)%"#, "no number", []),
        (#"(\w+)%"#, "abc%", []),
        (#"\d+%"#, "42%", []),
        (#"(\d+)%"#, "", []),
    ])
    func progressOfALine(pattern: String, line: String, fractions: [Double]) throws {
        let command = Command(
            call: .arguments([]), progress: .init(stream: .stderr, pattern: pattern), pack: nil)
        let progress = try #require(try ProgressPattern(.command(command)))
        #expect(progress.stream == .stderr)
        #expect(progress.fractions(in: Array(line.utf8)) == fractions)
    }

    @Test func aWorkloadWithoutAPattern() throws {
        #expect(try ProgressPattern(.requests([])) == nil)
        #expect(try ProgressPattern(.command(Command(call: .arguments([]), progress: nil, pack: nil))) == nil)
    }

    // Losses. The bounds are of the exact distribution: scipy.stats.binom.cdf, .sf and 1e-6.

    @Test(arguments: [
        (0.0, 1000, 0, 0), (1.0, 1000, 1000, 1000), (0.5, 0, 0, 0),
        // 2^-10 is more than a millionth, so ten of ten and none of ten are plausible.
        (0.5, 10, 0, 10),
        // (1/2)^20 < 1e-6, and 21 × (1/2)^20 > 1e-6.
        (0.5, 20, 1, 19),
        // 0.99^1374 > 1e-6 > 0.99^1375.
        (0.01, 1374, 0, 34), (0.01, 1375, 1, 34),
    ])
    func plausibleLosses(probability: Double, trials: Int, lower: Int, upper: Int) {
        let range = LossCheck.plausible(probability: probability, trials: trials)
        #expect(range == lower...upper)
    }

    @Test func plausibleLossesOfManyTrials() {
        let range = LossCheck.plausible(probability: 0.02, trials: 1_000_000)
        // 4.75 standard deviations of 140 about 20,000.
        #expect((19_300...19_370).contains(range.lowerBound))
        #expect((20_630...20_700).contains(range.upperBound))
    }
}
