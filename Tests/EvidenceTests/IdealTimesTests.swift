import LinkModel
import Results
import Testing

@testable import Evidence

/// The ideal times of a workload: each pack once, one round after the other, and none if they are unknown.
@Suite struct IdealTimesTests {
    static let request = "request: {tags: [a.bin]}"

    static func values(
        _ text: String, payload: PerDirection<Int64>? = nil, isInSandbox: Bool = false
    ) throws -> MetricValues {
        let text = text.contains("workload") ? text : "workload: [{\(request)}]\n" + text
        var setup = try Scratch.setup(text, packs: ["a.bin": 200_000, "b.bin": 100_000])
        setup.isInSandbox = isInSandbox
        return IdealTimes(setup: setup, connections: 1, delay: .zero, payload: payload).values()
    }

    /// At 20 Mbit/s 200 kB take 80 ms; the round trips of lookup, connect, request and slow start add some tens.
    @Test(arguments: [
        ("workload: [{request: {tags: [a.bin]}}]", 0.1, 0.3),
        ("workload: [{request: {tags: [a.bin]}}, {request: {id: again, tags: [a.bin]}}]", 0.1, 0.3),
        ("workload: {command: [curl, \"{url}\"], pack: a.bin}", 0.1, 0.3),
        ("workload: [{request: {tags: [a.bin, b.bin]}}]", 0.14, 0.35),
    ])
    func known(text: String, least: Double, most: Double) throws {
        let ideal = try #require(try Self.values(text)[.timeToAvailable])
        #expect((least...most).contains(ideal), "\(ideal)")
    }

    /// `{url}` has a name in a sandbox, which is resolved over the link, and an address behind the proxy.
    @Test func aCommandInASandboxLooksTheNameUp() throws {
        let slow = """
            packs: ./packs/
            link: {rtt: 100 ms, dns-delay: 2 s}
            workload: {command: [curl, "{url}"], pack: a.bin}
            """
        let times = try [false, true].map { isInSandbox in
            try #require(try Self.values(slow, isInSandbox: isInSandbox)[.timeToFirstByte])
        }
        #expect(times[0] < 0.3 && abs(times[1] - times[0] - 2.1) < 0.01, "\(times)")
    }

    /// At 10 kbit/s a head of 300 bytes takes 0.24 s.
    ///
    /// An attempt with a shorter head is not faster than the link.
    @Test func headsAreNoLongerThanTheAttempts() throws {
        let slow = """
            packs: ./packs/
            link: {downlink: {rate: 10 kbit/s}, uplink: {rate: 10 kbit/s}}
            workload: [{request: {tags: [b.bin]}}]
            """
        func ideal(_ payload: PerDirection<Int64>?) throws -> Double {
            try #require(try Self.values(slow, payload: payload)[.timeToAvailable])
        }
        let usual = try ideal(nil)
        #expect(abs(try ideal(PerDirection(downlink: 100_250, uplink: 150)) - (usual - 0.08)) < 0.02)
        #expect(try ideal(PerDirection(downlink: 101_000, uplink: 1000)) == usual)
        #expect(try ideal(PerDirection(downlink: 0, uplink: 0)) < usual)
    }

    @Test func aPackThatIsThereCostsNothing() throws {
        let once = try Self.values("workload: [{request: {tags: [a.bin]}}]")
        let twice = try Self.values("workload: [{request: {tags: [a.bin]}}, {request: {id: again, tags: [a.bin]}}]")
        #expect(once == twice)
    }

    @Test(arguments: [
        (
            "{request: {tags: [a.bin]}}, {request: {id: q, tags: [b.bin], conditional: true}}",
            "{request: {tags: [a.bin]}}"
        ),
        (
            "{request: {id: q, tags: [a.bin], conditional: true}}, {begin: q}, {request: {tags: [b.bin]}}",
            "{request: {tags: [a.bin]}}, {request: {id: r2, tags: [b.bin]}}"
        ),
    ])
    func onlyABeginDownloads(steps: String, same: String) throws {
        let expect = "expect: {q: not-here}\n"
        let ideal = try Self.values("\(expect)workload: [\(steps)]")
        #expect(try !ideal.isEmpty && ideal == Self.values("workload: [\(same)]"))
    }

    @Test func aWorkloadWithoutADownloadHasNone() throws {
        let text = "workload: [{request: {id: q, tags: [level.bin], conditional: true}}]\nexpect: {q: not-here}"
        let setup = try Scratch.setup(text)
        #expect(setup.cell.whyNoIdeal == "the workload downloads nothing" && setup.idealTime == nil)
    }

    /// A budget can be a multiple of ideal only if that is ever known.
    @Test func everyMetricWithTheBasisHasAnIdeal() throws {
        let ideal = try Self.values("")
        #expect(Metric.allCases.filter { ($0.definition.bases.contains(.ideal)) != (ideal[$0] != nil) } == [])
    }

    @Test func aHandshakeCostsRoundTrips() throws {
        let plain = try #require(try Self.values("")[.timeToAvailable])
        let secured = try #require(try Self.values("tls: true")[.timeToAvailable])
        #expect((0.019...0.05).contains(secured - plain), "a round trip is 20 ms")
    }

    @Test(arguments: [
        "workload: [{sleep: 10 ms}, {request: {tags: [a.bin]}}]",
        "workload: [{request: {tags: [nothing]}}]",
        "workload: [{request: {tags: [a.bin], id: r, background: true}}, {cancel: r after 40 %}]",
        "workload: {command: [curl, \"{manifest}\"]}",
        "link: offline",
    ])
    func unknown(text: String) throws {
        #expect(try Self.values(text).isEmpty)
    }
}
