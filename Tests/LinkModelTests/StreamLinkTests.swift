import LinkModel
import Testing

@Suite struct StreamLinkTests {
    /// Packet-level truth, measured with real TCP over TUN devices: profile, bytes, first byte, all bytes.
    @Test(arguments: [
        (Profile.dsl, 1_000_000, 0.034, 4.17), (.threeG, 500_000, 0.422, 5.78), (.edge, 100_000, 1.743, 5.54),
        (.lte, 5_000_000, 0.235, 1.60), (.lte, 50_000_000, 0.26, 9.09),
    ])
    func `ideal is within five percent of real TCP`(profile: Profile, bytes: Int64, firstByte: Double, all: Double)
        throws
    {
        let times = try #require(IdealTransfer(bodies: [bytes]).times(over: profile))
        #expect(abs(times.complete.seconds / all - 1) < 0.05)
        #expect(abs(times.firstByte.seconds - firstByte) < max(0.05 * firstByte, 0.04))
    }

    @Test func `ideal pays for a lookup, for TLS and for changes over time`() throws {
        let plain = try #require(IdealTransfer(bodies: [100_000]).times(over: .threeG))
        let named = try #require(IdealTransfer(bodies: [100_000], looksUpName: true).times(over: .threeG))
        #expect((named.complete - plain.complete).seconds > 0.2)
        let secure = try #require(
            IdealTransfer(bodies: [100_000], exchange: IdealTransfer.tlsExchange).times(over: .threeG))
        #expect((0.2...0.3).contains((secure.complete - plain.complete).seconds))
        var slower = Profile.threeG
        slower.changes = [.init(at: .milliseconds(800), conditions: Profile.edge.conditions)]
        #expect(try #require(IdealTransfer(bodies: [100_000]).times(over: slower)).complete > plain.complete * 2)
        var offline = Profile.threeG
        offline.conditions.offline = .silent
        #expect(IdealTransfer(bodies: [1]).times(over: offline) == nil)
    }

    @Test(arguments: [(Profile.threeG, 400_000), (.edge, 100_000), (.lte, 5_000_000), (.dsl, 1_000_000)])
    func `a stream without loss takes the ideal time`(profile: Profile, bytes: Int) throws {
        var driver = StreamDriver(profile)
        let download = driver.download(bytes)
        let outcome = try #require(download)
        let ideal = try #require(IdealTransfer(bodies: [Int64(bytes)], headBytes: 0).times(over: profile))
        #expect(abs(outcome.complete.seconds / ideal.complete.seconds - 1) < 0.01)
        #expect(outcome.complete.seconds >= ideal.complete.seconds - 1e-6, "nothing is faster than ideal")
    }

    /// Medians of the same measurements, in which single seeds vary up to 2.6-fold.
    @Test(arguments: [
        (
            Profile.lte.losing(percent: 1, direction: .downlink).losing(percent: 1, direction: .uplink), 5_000_000, 3,
            22.0...41.0
        ),
        (Profile.threeG.losing(percent: 1, direction: .downlink), 500_000, 15, 5.7...6.4),
        (Profile.veryBad, 100_000, 15, 7.0...10.5),
    ])
    func `loss costs the time that it costs real TCP`(
        profile: Profile, bytes: Int, seeds: Int, range: ClosedRange<Double>
    ) {
        let times = (1...seeds).compactMap { seed -> Double? in
            var driver = StreamDriver(profile, seed: UInt64(seed))
            return driver.download(bytes)?.complete.seconds
        }
        #expect(times.count == seeds)
        #expect(range.contains(times.sorted()[seeds / 2]), "median of \(times.sorted())")
    }

    @Test func `the same seed takes the same decisions, another seed others`() throws {
        func decisions(_ seed: UInt64) -> [String] {
            var driver = StreamDriver(.veryBad, seed: seed)
            _ = driver.download(200_000)
            return driver.decisions
        }
        #expect(decisions(1) == decisions(1))
        #expect(decisions(1) != decisions(2))
        #expect(decisions(1).contains { $0.hasPrefix("L2 conn=/a down off=") && $0.hasSuffix("len=1448 tx=1 drop") })
    }

    @Test func `one more request at the start shifts no decision about the same bytes`() {
        func firstDrops(_ before: Int) -> Set<String> {
            var driver = StreamDriver(.veryBad, seed: 4)
            if before > 0 {
                let other = driver.link.open(key: "/other", at: Instant(nanoseconds: 0))
                driver.link.send(before, from: .client, on: other, at: Instant(nanoseconds: 0))
            }
            _ = driver.download(150_000)
            return Set(driver.decisions.filter { $0.contains("conn=/a down off=") && $0.contains("tx=1 ") })
        }
        #expect(firstDrops(0) == firstDrops(30_000))
        #expect(firstDrops(0).count > 3)
    }

    /// TCP's timeouts double while nothing answers, so that it notices the end of an outage late.
    @Test(arguments: 1...8)
    func `an outage of five seconds stalls a stream for 5 to 13`(step: Int) {
        var profile = Profile.threeG
        let start = Duration.milliseconds(1500 + 250 * step)
        var outage = profile.conditions
        outage.offline = .silent
        profile.changes = [
            .init(at: start, conditions: outage), .init(at: start + .seconds(5), conditions: profile.conditions),
        ]
        var driver = StreamDriver(profile)
        let outcome = driver.download(600_000)
        #expect((5.0...13.0).contains(outcome?.longestGap.seconds ?? 0))
    }

    @Test func `a profile that is followed for a while brings its changes and its traces`() throws {
        let origin = Instant(nanoseconds: 0)
        var link = StreamLink(profile: .wifi, seed: 1, start: origin)
        var other = Profile.threeG
        other.changes = [.init(at: .seconds(2), conditions: Profile.edge.conditions)]
        // 1500 bytes each 100 ms.
        other.downlinkTrace = try DeliveryTrace(mahimahi: "100")
        func take(_ base: ConditionSource.Base, at moment: Instant) {
            var source = link.source
            source.take(base)
            link.follow(source, at: moment)
        }
        take(.profile(other, since: origin + .seconds(1)), at: origin + .seconds(1))
        #expect(link.conditions == Profile.threeG.conditions)
        #expect(link.nextDeadline == origin + .seconds(3))
        #expect(link.poll(at: origin + .seconds(4)) == nil)
        #expect(link.conditions == Profile.edge.conditions)
        let id = link.open(key: "/a", at: origin + .seconds(4))
        link.send(100, from: .client, on: id, at: origin + .seconds(4))
        var received = 0
        while let due = link.nextDeadline, due < origin + .seconds(14) {
            while let event = link.poll(at: due) {
                if case .delivered(id, .host, _, let at) = event { link.send(9_000_000, from: .host, on: id, at: at) }
                if case .delivered(id, .client, let count, _) = event { received += count }
            }
        }
        #expect((90_000...145_000).contains(received), "ten packets a second: \(received)")
        take(.own, at: origin + .seconds(14))
        #expect(link.conditions == Profile.wifi.conditions)
        while let due = link.nextDeadline, due < origin + .seconds(18) { while link.poll(at: due) != nil {} }
        #expect(link.counters.downlink.payload > 2_000_000)
    }

    @Test func `streams share the rate fairly`() {
        var link = StreamLink(profile: .threeG, seed: 1, start: Instant(nanoseconds: 0))
        let ids = ["/a", "/b", "/c"].map { link.open(key: $0, at: Instant(nanoseconds: 0)) }
        var received: [StreamID: Int] = [:]
        for id in ids { link.send(1, from: .client, on: id, at: Instant(nanoseconds: 0)) }
        while let due = link.nextDeadline, due < Instant(nanoseconds: 20_000_000_000) {
            while let event = link.poll(at: due) {
                if case .delivered(let id, .host, _, let at) = event {
                    link.send(10_000_000, from: .host, on: id, at: at)
                } else if case .delivered(let id, .client, let count, _) = event {
                    received[id, default: 0] += count
                }
            }
        }
        let counts = ids.map { received[$0, default: 0] }
        let total = Double(counts.reduce(0, +))
        #expect(counts.allSatisfy { abs(Double($0) / total - 1.0 / 3) < 0.05 }, "\(counts)")
        #expect(total * 8 / 20 < 780_000 && total * 8 / 20 > 690_000, "\(total * 8 / 20) bit/s of payload")
    }

    @Test(arguments: [
        (OfflineKind.noRoute, ConnectFailure.noRoute, 0.0...0.0), (.refused, .refused, 0.2...0.21),
        (.silent, .timedOut, 130.0...132.0), (.noName, .noName, 0.2...0.21),
    ])
    func `each kind of offline fails in its way`(kind: OfflineKind, failure: ConnectFailure, after: ClosedRange<Double>)
    {
        var profile = Profile.threeG
        profile.conditions.offline = kind
        var link = StreamLink(profile: profile, seed: 1, start: Instant(nanoseconds: 0))
        let id = link.open(key: "/", lookup: kind == .noName ? "host" : nil, at: Instant(nanoseconds: 0))
        var failures: [(ConnectFailure, Instant)] = []
        while let due = link.nextDeadline {
            while let event = link.poll(at: due) {
                if case .failed(id, let failure, let at) = event { failures.append((failure, at)) }
            }
        }
        #expect(failures.map(\.0) == [failure])
        #expect(failures.allSatisfy { after.contains(Double($0.1.nanoseconds) / 1e9) }, "\(failures)")
    }

    @Test func `a lookup costs the profile's delay once for a name`() {
        var profile = Profile.threeG
        profile.conditions.dnsDelay = .seconds(3)
        // A bound on names costs further names a lookup each time.
        var parameters = TransportParameters()
        parameters.mostResolvedNames = 1
        var link = StreamLink(profile: profile, seed: 1, start: Instant(nanoseconds: 0), parameters: parameters)
        func connect(to name: String, at second: Int64) -> Double {
            let start = Instant(nanoseconds: second * 1_000_000_000)
            let id = link.open(key: "/", lookup: name, at: start)
            while let due = link.nextDeadline {
                while let event = link.poll(at: due) {
                    if case .connected(id, let at) = event { return start.duration(to: at).seconds }
                }
            }
            return .infinity
        }
        for (turn, (name, isKnown)) in [
            ("packs", false), ("packs", true), ("other", false), ("other", false), ("packs", true),
        ].enumerated() {
            let seconds = connect(to: name, at: Int64(turn) * 9)
            #expect((isKnown ? 0.2...0.21 : 3.4...3.42).contains(seconds), "\(turn): \(seconds)")
        }
    }

    @Test func `a receiver that does not read stops the sender, and FIN comes last`() {
        var link = StreamLink(profile: .lte, seed: 1, start: Instant(nanoseconds: 0))
        let id = link.open(key: "/", at: Instant(nanoseconds: 0))
        link.send(1_000_000, from: .client, on: id, at: Instant(nanoseconds: 0))
        link.finish(from: .client, on: id, at: Instant(nanoseconds: 0))
        link.setReceiving(false, at: .host, on: id, at: Instant(nanoseconds: 0))
        var received = 0
        var finishedAfter: Int?
        func run(until end: Int64) {
            while let due = link.nextDeadline, due.nanoseconds < end {
                while let event = link.poll(at: due) {
                    if case .delivered(_, .host, let count, _) = event { received += count }
                    if case .finished(_, .host, _) = event { finishedAfter = received }
                }
            }
        }
        run(until: 5_000_000_000)
        #expect(received == 0 && link.backlog(from: .client, on: id) == 1_000_000)
        link.setReceiving(true, at: .host, on: id, at: Instant(nanoseconds: 5_000_000_000))
        run(until: 30_000_000_000)
        #expect(received == 1_000_000 && finishedAfter == 1_000_000)
        link.close(id)
        #expect(link.backlog(from: .client, on: id) == 0)
    }

    @Test func `a profile's own changes and stalls are followed`() {
        var profile = Profile.test("stalling", down: 1000, up: 1000)
        profile.stall = .init(period: .seconds(2), length: .seconds(1))
        var driver = StreamDriver(profile)
        let outcome = driver.download(500_000)
        #expect((0.99...1.7).contains(outcome?.longestGap.seconds ?? 0))
        #expect((8.1...9.1).contains(outcome?.complete.seconds ?? 0), "4.1 s of bytes, every other second")
        #expect(profile.nextChange(after: .milliseconds(2500)) == .seconds(3))
        #expect(profile.nextChange(after: .seconds(3)) == .seconds(4))
    }
}
