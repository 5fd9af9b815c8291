import FoundationEssentials
import LinkModel
import Scenarios
import SystemPackage
import Testing

/// Compares the model with the times of real TCP over the packet link, as `packet-times` measured them.
///
/// `swift build && .build/debug/packet-times > Tests/LinkModelTests/packet-times.json` measures again.
@Suite(.sideBySide) struct PacketTruthTests {
    /// A row of packet-times.json: for each time the minimum, the quartiles and the maximum, in seconds.
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

    /// Without loss all attempts take the same time, to which a busy machine only adds: the minimum counts.
    @Test(arguments: Row.all)
    func `the model takes the time of real TCP`(row: Row) throws {
        let profile = try Self.library.profile(named: row.profile)
        let isRandom = Direction.allCases.contains { profile.conditions[$0].loss != nil }
        let outcomes = (1...(isRandom ? row.attempts : 1)).compactMap { seed -> StreamDriver.Outcome? in
            // The key is the packet link's name for its first connection, so that the same packets are lost.
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
        // Programs and the kernel need a little time that is not the link's.
        let first = median(\.firstByte) - row.firstByte[truth]
        #expect(abs(first) <= max(0.25 * row.firstByte[truth], 0.002), "first byte \(first) s later")
    }

    @Test func `the rows are those of many profiles and sizes`() {
        #expect(Set(Row.all.map(\.profile)).count >= 35)
        #expect(Set(Row.all.map(\.bytes)) == [50_000, 500_000, 5_000_000])
    }
}
