import LinkModel
import LinkProbe
import Results
import Scenarios
import Testing

@testable import Harness
@testable import Links

/// What a probe measures of each bundled profile, in virtual time, so that a busy machine has no effect.
@Suite struct CalibrationTests {
    static let names = Bench.profiles.names

    static func calibration(_ link: String, seed: UInt64 = 1) throws -> Calibration {
        let bench = try Bench()
        let cell = try bench.prepare("link: \(link)").scenarios[0].cells[0]
        return Calibration(cell.link.profile, seed: seed)
    }

    /// The rows of up to three probes of a link, as a run makes them, and how long the longest probe took.
    static func rows(_ calibration: Calibration) -> (rows: [LinkMeasurement], took: Duration) {
        var (all, longest) = ([LinkMeasurement](), Duration.zero)
        let plan = calibration.plan(loading: Direction.allCases)
        for number in 0..<3 where all.isEmpty || all.contains(where: { $0.set != nil && $0.measured == nil }) {
            var probe = VirtualProbe(calibration.probed, seed: calibration.seed(number), plan: plan)
            guard let (result, took) = probe.run() else { continue }
            longest = max(longest, took)
            let rows = CalibrationRows(profile: calibration.profile, plan: plan, result: result).rows
            all = all.isEmpty ? rows : zip(all, rows).map { $0.measured == nil ? $1 : $0 }
        }
        return (all, longest)
    }

    /// Seconds that a probe of some profiles may take; any other may take six.
    ///
    /// A packet takes half a second at 1 kbit/s. A round trip of a second or more, and the loss of a handshake, take
    /// longer.
    static let longest = [
        "atc-no-connectivity": 13, "very-bad-network": 15, "atc-2g-developing-rural": 12, "atc-2g-developing-urban": 7,
        "atc-edge-lossy": 9, "lion-edge-lossy": 9,
    ]

    @Test(arguments: names)
    func everyProfileIsMeasuredAsItIsSet(_ name: String) throws {
        let mayLose = try Self.calibration("{profile: \(name)}").profile.mayLose
        for seed in 1...(mayLose ? 3 : 1) as ClosedRange<UInt64> {
            let calibration = try Self.calibration("{profile: \(name)}", seed: seed)
            if let unprobed = calibration.unprobed {
                #expect(unprobed.contains("nothing crosses"))
                continue
            }
            let (rows, took) = Self.rows(calibration)
            #expect(took < .seconds(Self.longest[name] ?? 6), "\(name) \(seed): \(took)")
            #expect(rows.count == 4)
            for row in rows where row.set != nil {
                // With loss and jitter, arrivals show no rate, and the row says so.
                let isHidden = row.property == .rate && row.method.contains("its delay varies by up to 18 ms")
                #expect(row.isWithinTolerance ?? isHidden, "\(name) \(seed): \(row.text) \(row.method)")
                #expect(!isHidden || name == "flaky-lte")
            }
        }
    }

    /// The probe detects a rate that is a tenth too high, and a delay that is moved from the downlink to the uplink.
    @Test(arguments: names)
    func everyProfileShowsAWrongRateAndDelay(_ name: String) throws {
        let calibration = try Self.calibration("{profile: \(name)}")
        guard calibration.unprobed == nil else { return }
        var other = calibration.profile
        for direction in Direction.allCases {
            guard let rate = other.conditions[direction].rate?.bitsPerSecond else { continue }
            other.conditions[direction].rate = BitRate(bitsPerSecond: rate * 11 / 10)
        }
        var probed = Calibration(other, seed: calibration.linkSeed).probed
        probed.conditions.uplink.delay += probed.conditions.downlink.delay
        probed.conditions.downlink.delay = .zero
        let plan = calibration.plan(loading: Direction.allCases)
        var results: [ProbeResult] = []
        for number in 0..<(calibration.profile.mayLose ? 3 : 1) {
            var probe = VirtualProbe(probed, seed: calibration.seed(number), plan: plan)
            if let (result, _) = probe.run() { results.append(result) }
        }
        let rows = results.flatMap {
            CalibrationRows(profile: calibration.profile, plan: plan, result: $0).rows
        }
        for row in rows where row.set != nil && (row.property == .rate || (row.set ?? 0) > 0.02) {
            #expect(row.isWithinTolerance != true, "\(name): \(row.text) \(row.method)")
        }
        let hasRate = rows.contains { $0.property == .rate && $0.set != nil }
        #expect(!hasRate || name == "flaky-lte" || rows.contains { $0.property == .rate && $0.measured != nil })
    }

    // Links that cannot be measured.

    @Test(arguments: [
        ("{profile: offline}", "the link is offline at first"), ("{profile: 100-percent-loss}", "loses every packet"),
    ])
    func aLinkThatCannotBeProbedSaysWhy(_ link: String, _ reason: String) async throws {
        let rows = await (try Self.calibration(link)).measurements()
        #expect(rows.count == 4)
        for row in rows {
            #expect(row.measured == nil && row.set == nil)
            #expect(row.method.hasPrefix("unverified: ") && row.method.contains(reason), "\(row.method)")
        }
    }

    /// 64 kbit/s carry about 150 acknowledgements a second; 8 Mbit/s need 333.
    @Test func aRateThatAcknowledgementsLimitIsNotMeasured() async throws {
        let calibration = try Self.calibration("{downlink: {rate: 8 Mbit/s}, uplink: {rate: 64 kbit/s}}")
        let rows = await calibration.measurements().filter { $0.property == .rate }
        let downlink = try #require(rows.first { $0.direction == .downlink })
        #expect(downlink.set == 8e6 && downlink.measured == nil && downlink.method.contains("acknowledgements"))
        #expect(rows.first { $0.direction == .uplink }?.isWithinTolerance == true, "\(rows)")
    }

    @Test func aLinkThatDoesNotComeUpSaysWhy() async throws {
        var calibration = try Self.calibration("{downlink: {rate: 1 Mbit/s, delay: 10 ms}, uplink: {}}")
        calibration.links.withLink = { _, _, _, _ in }
        let rows = await calibration.measurements()
        #expect(rows.map(\.method) == Array(repeating: "unverified: the link did not come up", count: 4))
        #expect(rows.map(\.set) == [0.01, 1_000_000, nil, nil])
    }

    // The attempt itself.

    /// A download that fills the link for a second shows its rate, and one that ends at once does not.
    @Test(arguments: [(400_000, true), (20_000, false)])
    func aLongDownloadShowsTheRateThatNoProbeDid(_ bytes: Int, _ isShown: Bool) async throws {
        let bench = try Bench(packs: ["level.bin": bytes])
        let text = "link: {downlink: {rate: 2 Mbit/s, delay: 10 ms}, uplink: {rate: 2 Mbit/s}}"
        let result = try await bench.run(text, dependencies: .quiet.unverified)
        let row = try #require(
            result.cells[0].attempts[0].link.first { $0.property == .rate && $0.direction == .downlink })
        #expect(row.isWithinTolerance == (isShown ? true : nil), "\(row.text) \(row.method)")
        #expect(row.method.hasSuffix("of the attempt, at the sockets") == isShown, "\(row.method)")
        #expect(result.attributions.contains(.linkUnverified) == !isShown)
    }
}
