import FoundationEssentials
import LinkModel
import Scenarios
import SystemPackage
import Testing

/// The model against what real TCP took over the packet link, as `packet-times` has measured it.
///
/// `swift build && .build/debug/packet-times > Tests/LinkModelTests/packet-times.json` measures anew.
@Suite(.sideBySide) struct PacketTruthTests {
    /// A row of packet-times.json: of each time the least, the quartiles and the most, in seconds.
    struct Row: Decodable, CustomTestStringConvertible {
        var profile: String
        var bytes: Int
        var attempts: Int
        var firstByte: [Double]
        var complete: [Double]
        var longestGap: [Double]

        var testDescription: String { "\(profile), \(bytes) bytes" }

        static let all: [Row] = {
            let file = repository.appending("Tests/LinkModelTests/packet-times.json")
            guard let data = try? Data(contentsOf: URL(filePath: file.string)) else { return [] }
            return (try? JSONDecoder().decode([Row].self, from: data)) ?? []
        }()
    }

    private static let repository = FilePath(#filePath).removingLastComponent().removingLastComponent()
        .removingLastComponent()
    private static let library = ProfileLibrary(folder: repository.appending("profiles"))

    /// On a link that loses nothing all attempts take the same time, and a busy machine only adds to it: the least one counts.
    @Test(arguments: Row.all)
    func `the model takes the time of real TCP`(row: Row) throws {
        let profile = try Self.library.profile(named: row.profile)
        let isRandom = Direction.allCases.contains { profile.conditions[$0].loss != nil }
        let outcomes = (1...(isRandom ? row.attempts : 1)).compactMap { seed -> StreamDriver.Outcome? in
            // By the name that the packet link gives its first connection, the same packets are lost.
            var driver = StreamDriver(profile, seed: UInt64(seed))
            return driver.download(row.bytes, key: "#1")
        }
        try #require(outcomes.count == (isRandom ? row.attempts : 1))
        func median(_ time: (StreamDriver.Outcome) -> Duration) -> Double {
            outcomes.map { time($0).seconds }.sorted()[(outcomes.count - 1) / 2]
        }
        let truth = isRandom ? 2 : 0
        let complete = median(\.complete)
        #expect(abs(complete / row.complete[truth] - 1) <= 0.25, "\(complete) s, not \(row.complete[truth]) s")
        // Programs and their kernel need a little, which no link has.
        let first = median(\.firstByte) - row.firstByte[truth]
        #expect(abs(first) <= max(0.25 * row.firstByte[truth], 0.002), "first byte \(first) s later")
    }

    @Test func `the rows are those of many profiles and sizes`() {
        #expect(Set(Row.all.map(\.profile)).count >= 35)
        #expect(Set(Row.all.map(\.bytes)) == [50_000, 500_000, 5_000_000])
    }
}
