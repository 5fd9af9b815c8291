import LinkModel
import SystemPackage
import Testing

@testable import Scenarios

/// Measurements of a real link, turned into a profile.
@Suite struct RecordedLinkTests {
    private typealias Stretch = RecordedLink.Stretch

    private static func stretch(
        _ from: Int64, _ to: Int64, _ rate: Double? = nil, trip: Int64? = nil, _ offline: OfflineKind? = nil
    ) -> RecordedLink.Stretch {
        Stretch(
            from: .milliseconds(from), to: .milliseconds(to), rate: rate, roundTrip: trip.map { .milliseconds($0) },
            offline: offline)
    }

    private static func profile(_ stretches: [RecordedLink.Stretch]) -> Profile? {
        RecordedLink(stretches: stretches).profile(name: "way", source: "A test.")
    }

    @Test func aSteadyLinkIsOneStretch() throws {
        let profile = try #require(
            Self.profile([
                Self.stretch(0, 2004, 1_000_000, trip: 80), Self.stretch(2004, 4003, 1_080_000, trip: 82),
                Self.stretch(4003, 6001, 960_000, trip: 81),
            ]))
        #expect(profile.changes.isEmpty && profile.repeatsEvery == nil)
        #expect(profile.conditions.downlink.rate == BitRate(bitsPerSecond: 1_050_000))
        #expect(profile.conditions.downlink.delay == .microseconds(40_500))
        #expect(profile.conditions.uplink.rate == nil && profile.conditions.rtt == .milliseconds(81))
    }

    @Test func changesAndGapsAreKept() throws {
        let profile = try #require(
            Self.profile([
                Self.stretch(0, 2000, 780_000, trip: 200), Self.stretch(2000, 2900, 780_000, trip: 200),
                Self.stretch(2900, 4500, nil, .silent), Self.stretch(4500, 5200, nil, .refused),
                Self.stretch(5200, 8000, 8_000_000, trip: 50),
            ]))
        #expect(profile.repeatsEvery == .seconds(8))
        #expect(profile.changes.map(\.at) == [.milliseconds(2900), .milliseconds(4500), .milliseconds(5200)])
        #expect(profile.changes.map(\.conditions.offline) == [.silent, .refused, nil])
        #expect(profile.conditions(at: .seconds(6)).downlink.rate == BitRate(bitsPerSecond: 8_290_000))
        #expect(profile.conditions(at: .seconds(6)).rtt == .milliseconds(50))
    }

    @Test func aRecordingMayBeginOffline() throws {
        let profile = try #require(
            Self.profile([Self.stretch(0, 3000, nil, .noRoute), Self.stretch(3000, 5000, 500_000, trip: 10)]))
        #expect(profile.conditions.offline == .noRoute)
        #expect(profile.conditions(at: .seconds(4)).offline == nil)
        #expect(profile.conditions(at: .seconds(4)).downlink.rate == BitRate(bitsPerSecond: 518_000))
    }

    /// A turn without a rate, and one that ends at once.
    @Test func unmeasuredValuesStayAsBefore() throws {
        let profile = try #require(
            Self.profile([
                Self.stretch(0, 1000, nil, trip: 20), Self.stretch(1000, 2000, 1_000_000, trip: 20),
                Self.stretch(2000, 2003, nil, .refused), Self.stretch(2003, 4000, 4_000_000, trip: 20),
                Self.stretch(4000, 6000, nil, trip: 90), Self.stretch(6000, 7000, nil, .silent),
            ]))
        #expect(profile.conditions.downlink.rate == BitRate(bitsPerSecond: 1_040_000))
        #expect(profile.changes.map(\.at) == [.seconds(2), .seconds(4), .seconds(6)])
        #expect(profile.conditions(at: .seconds(5)).downlink.rate == BitRate(bitsPerSecond: 4_140_000))
        #expect(profile.conditions(at: .seconds(5)).rtt == .milliseconds(90))
    }

    @Test(arguments: [
        [], [stretch(0, 5000, nil, .silent)], [stretch(0, 1000, nil, trip: 20)],
        [stretch(500, 500, 1_000_000, trip: 1)],
    ])
    func withoutARateThereIsNoProfile(_ stretches: [RecordedLink.Stretch]) {
        #expect(Self.profile(stretches) == nil)
    }

    /// For any measured rate, the written file reads back as the same profile.
    @Test(arguments: [0.0001, 1, 999, 1234.5, 9.99e5, 3.3e9, 9e15]) func aWrittenProfileReadsBack(rate: Double) throws {
        let profile = try #require(
            Self.profile([
                Self.stretch(0, 1111, rate, trip: 9_999_999), Self.stretch(1111, 2000, nil, .silent),
                Self.stretch(2000, 3333, rate * 2, trip: 0),
            ]))
        let folder = try TemporaryFolder()
        let file = try folder.write("way.yaml", profile.text())
        #expect(try ProfileLibrary(folder: folder.path).profile(file: file) == profile)
    }
}
