import LinkModel
import Scenarios
import Testing

/// The bundled profiles, compared with the tables that they come from, which are typed here once more.
@Suite struct ProfileTableTests {
    /// A row: rates in kbit/s (nil is unlimited), one-way delays in ms, and loss in percent.
    struct Row: Sendable, CustomTestStringConvertible {
        let name: String
        let down: Double?
        let up: Double?
        let delays: (down: Int, up: Int)
        let loss: (down: Double, up: Double)

        init(
            _ name: String, _ down: Double?, _ up: Double?, delays: (Int, Int) = (0, 0), loss: (Double, Double) = (0, 0)
        ) {
            (self.name, self.down, self.up, self.delays, self.loss) = (name, down, up, delays, loss)
        }

        /// A row whose table gives a round-trip time in ms.
        init(_ name: String, _ down: Double, _ up: Double, rtt: Int) {
            self.init(name, down, up, delays: (rtt - rtt / 2, rtt / 2))
        }

        var testDescription: String { name }
    }

    static let rows = [
        Row("100-percent-loss", nil, nil, loss: (100, 100)),
        Row("3g", 780, 330, delays: (100, 100)),
        Row("dsl", 2000, 256, delays: (5, 5)),
        Row("edge", 240, 200, delays: (400, 440)),
        Row("high-latency-dns", nil, nil),
        Row("lte", 50_000, 10_000, delays: (50, 65)),
        Row("very-bad-network", 1000, 1000, delays: (500, 500), loss: (10, 10)),
        Row("wifi", 40_000, 33_000, delays: (1, 1)),
        Row("wifi-802.11ac", 250_000, 100_000, delays: (1, 1)),
        Row("lion-3g-good", 850, 420, delays: (100, 100)),
        Row("lion-3g-average", 780, 330, delays: (100, 100)),
        Row("lion-3g-lossy", 780, 330, delays: (100, 100), loss: (1, 0)),
        Row("lion-edge-good", 250, 200, delays: (350, 370)),
        Row("lion-edge-average", 240, 200, delays: (400, 440)),
        Row("lion-edge-lossy", 240, 200, delays: (400, 440), loss: (1, 0)),
        Row("wpt-cable", 5000, 1000, rtt: 28),
        Row("wpt-dsl", 1500, 384, rtt: 50),
        Row("wpt-3g-slow", 400, 400, rtt: 400),
        Row("wpt-3g-em", 400, 400, rtt: 400),
        Row("wpt-3g", 1600, 768, rtt: 300),
        Row("wpt-3g-fast", 1600, 768, rtt: 150),
        Row("wpt-4g", 9000, 9000, rtt: 170),
        Row("wpt-4g-fast", 10_240, 10_240, rtt: 40),
        Row("wpt-lte", 12_000, 12_000, rtt: 70),
        Row("wpt-edge", 240, 200, rtt: 840),
        Row("wpt-2g", 280, 256, rtt: 800),
        Row("wpt-dial", 49, 30, rtt: 120),
        Row("wpt-fios", 20_000, 5000, rtt: 4),
        Row("wpt-vdsl", 15_000, 3000, rtt: 20),
        Row("lighthouse-slow-4g", 1638.4, 750, rtt: 150),
        Row("lighthouse-desktop-dense-4g", 10_240, 10_240, rtt: 40),
        Row("atc-2g-developing-rural", 20, 18, delays: (650, 650), loss: (2, 2)),
        Row("atc-2g-developing-urban", 35, 32, delays: (650, 650)),
        Row("atc-3g-average", 780, 330, delays: (100, 100)),
        Row("atc-3g-good", 850, 420, delays: (90, 100)),
        Row("atc-edge-average", 240, 200, delays: (400, 440)),
        Row("atc-edge-good", 250, 200, delays: (350, 370)),
        Row("atc-edge-lossy", 240, 200, delays: (400, 440), loss: (1, 1)),
        Row("atc-cable", 6000, 1000, delays: (2, 2)),
        Row("atc-dsl", 2000, 256, delays: (5, 5)),
        Row("atc-no-connectivity", 1, 1),
        Row("lossy", 4000, 1000, delays: (40, 40), loss: (1, 1)),
        Row("flaky-lte", 30_000, 8000, delays: (78, 78), loss: (3, 3)),
    ]

    /// Profiles that come from no table of rates, delays and losses.
    static let others = ["bursty", "offline", "offline-silent", "wifi-lte-tunnel"] + rides

    /// Recorded rides.
    static let rides = ["3g-bus", "3g-ferry", "3g-metro", "3g-train", "3g-tram"]

    @Test(arguments: rows) func profileIsItsRow(_ row: Row) throws {
        let conditions = try Repository.profiles.profile(named: row.name).conditions
        #expect(conditions.downlink.rate.map { Double($0.bitsPerSecond) / 1000 } == row.down)
        #expect(conditions.uplink.rate.map { Double($0.bitsPerSecond) / 1000 } == row.up)
        #expect(conditions.downlink.delay == .milliseconds(row.delays.down))
        #expect(conditions.uplink.delay == .milliseconds(row.delays.up))
        #expect(conditions.rtt == .milliseconds(row.delays.down + row.delays.up))
        #expect(conditions.downlink.loss == Self.loss(row.loss.down))
        #expect(conditions.uplink.loss == Self.loss(row.loss.up))
        #expect(conditions.mtu == 1500)
        #expect(conditions.offline == nil)
        #expect(conditions.dnsDelay == (row.name == "high-latency-dns" ? .seconds(3) : .zero))
    }

    @Test func everyProfileIsInATable() {
        #expect(Set(Repository.profiles.names) == Set(Self.rows.map(\.name) + Self.others))
    }

    @Test func everyProfileHasASummaryAndASource() throws {
        for profile in try Repository.profiles.all() {
            #expect(!profile.title.isEmpty && !profile.summary.isEmpty, "\(profile.name)")
            #expect(profile.source.hasSuffix(".") && profile.source.count > 20, "\(profile.name)")
        }
    }

    @Test func profilesThatChangeOverTime() throws {
        let flaky = try Repository.profiles.profile(named: "flaky-lte")
        #expect(flaky.stall == Profile.PeriodicStall(period: .seconds(18), length: .milliseconds(900)))
        #expect(flaky.conditions.downlink.jitter == Jitter(amount: .milliseconds(18)))
        #expect(flaky.conditions(at: .milliseconds(17_099)).isHeld == false)
        #expect(flaky.conditions(at: .milliseconds(17_100)).isHeld)
    }

    @Test func aProfileMayPassThroughSeveralNetworks() throws {
        let way = try Repository.profiles.profile(named: "wifi-lte-tunnel")
        let (wifi, lte) = (
            try Repository.profiles.profile(named: "wifi"), try Repository.profiles.profile(named: "lte")
        )
        #expect(way.conditions == wifi.conditions && way.repeatsEvery == nil)
        for moment in [12, 31, 1000] { #expect(way.conditions(at: .seconds(moment)) == lte.conditions) }
        #expect(way.conditions(at: .seconds(10)).offline == .noRoute)
        let weak = way.conditions(at: .seconds(22))
        #expect(weak.downlink.loss != nil && weak.rtt > lte.conditions.rtt && weak.offline == nil)
        #expect(way.conditions(at: .seconds(23)).offline == .silent)
        #expect(way.nextChange(after: .seconds(23)) == .seconds(31) && way.nextChange(after: .seconds(31)) == nil)
    }

    /// Each ride changes its rate alone, and starts again at its end.
    @Test(arguments: rides) func aRideChangesItsRate(_ name: String) throws {
        let ride = try Repository.profiles.profile(named: name)
        let length = try #require(ride.repeatsEvery)
        #expect(length >= .seconds(110) && ride.changes.count >= 20)
        var rates: Set<BitRate> = []
        for second in 0..<240 {
            let conditions = ride.conditions(at: .seconds(second))
            let rate = try #require(conditions.downlink.rate)
            #expect((100_000...5_000_000).contains(rate.bitsPerSecond))
            #expect(conditions.rtt == .milliseconds(200) && conditions.offline == nil)
            #expect(ride.conditions(at: .seconds(second) + length).downlink.rate == rate)
            rates.insert(rate)
        }
        #expect(rates.count >= 15)
    }

    @Test func profilesThatAreOffline() throws {
        #expect(try Repository.profiles.profile(named: "offline").conditions.offline == .noRoute)
        #expect(try Repository.profiles.profile(named: "offline-silent").conditions.offline == .silent)
    }

    @Test func burstsLoseAboutOnePercent() throws {
        let loss = try #require(try Repository.profiles.profile(named: "bursty").conditions.downlink.loss)
        #expect(abs(loss.mean - 0.01) < 0.0005)
    }

    private static func loss(_ percent: Double) -> Loss? {
        percent == 0 ? nil : .random(Ratio(partsPerBillion: Int64(percent * 10_000_000)))
    }
}
