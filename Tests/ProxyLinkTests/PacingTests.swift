import LinkModel
import NIOCore
import NIOEmbedded
import Testing

@testable import ProxyLink

/// In virtual time: sockets see exactly what the model computes, to the wake-up.
struct PacingTests {
    /// Connects, and lets the time of the handshake pass.
    private func established(_ link: VirtualLink) throws -> (client: EmbeddedChannel, host: EmbeddedChannel) {
        let count = link.hostCount
        let client = link.connect()
        try #require(link.advance(upTo: .seconds(10)) { link.hostCount > count } != nil)
        return (client, link.host(count))
    }

    @Test func connectingCostsARoundTrip() throws {
        let link = try VirtualLink(.link(delay: .milliseconds(100)))
        defer { link.stop() }
        _ = link.connect()
        link.advance(.milliseconds(200) - .nanoseconds(1))
        #expect(link.hostCount == 0)
        link.advance(.nanoseconds(1))
        #expect(link.hostCount == 1)
    }

    @Test func aByteTakesTheDelayAndNotMore() throws {
        let link = try VirtualLink(.link(delay: .milliseconds(50)))
        defer { link.stop() }
        let (client, host) = try established(link)
        client.receive([7])
        link.advance(.milliseconds(50) - .nanoseconds(1))
        #expect(host.sent() == [])
        link.advance(.nanoseconds(1))
        #expect(host.sent() == [7])
    }

    @Test func aTransferKeepsTheRateAndItsOrder() throws {
        let link = try VirtualLink(.link(rate: 8_000_000, delay: .milliseconds(5)))
        defer { link.stop() }
        let (client, host) = try established(link)
        let start = link.now
        host.receive(pattern(1_000_000))
        var received: [UInt8] = []
        let end = try #require(
            link.advance(upTo: .seconds(3)) {
                received += client.sent()
                return received.count == 1_000_000
            })
        #expect(received == pattern(1_000_000))
        // 1 MB at 8 Mbit/s, with 52 bytes of headers on 1448 of payload.
        let expected = 1_000_000.0 / 1448 * 1500 * 8 / 8e6
        #expect((expected...expected * 1.03).contains((end - start).seconds))
    }

    @Test func connectionsShareTheLink() throws {
        let link = try VirtualLink(.link(rate: 8_000_000, delay: .milliseconds(5)))
        defer { link.stop() }
        let pairs = try (0..<4).map { _ in try established(link) }
        for pair in pairs { pair.host.receive(pattern(500_000)) }
        link.advance(.seconds(1))
        let received = pairs.map { $0.client.sent().count }
        let payload = 8e6 / 8 * 1448 / 1500
        #expect(Double(received.reduce(0, +)) <= payload)
        #expect(Double(received.reduce(0, +)) >= payload * 0.95)
        for count in received { #expect((0.7...1.3).contains(Double(count) * 4 / payload), "\(received)") }
    }

    @Test func theMeterAgreesWithTheRate() throws {
        let link = try VirtualLink(.link(rate: 8_000_000, delay: .milliseconds(5)))
        defer { link.stop() }
        let (_, host) = try established(link)
        host.receive(pattern(1_000_000))
        link.advance(.seconds(1))
        let samples = link.engine.meter.samples
        let first = try #require(samples.first { $0.totals.downlink > 100_000 })
        let last = try #require(samples.last)
        let rate = Double(last.totals.downlink - first.totals.downlink) * 8 / first.at.duration(to: last.at).seconds
        #expect(abs(rate / (8e6 * 1448 / 1500) - 1) < 0.02)
        for (earlier, later) in zip(samples, samples.dropFirst()) {
            #expect(earlier.at.duration(to: later.at) >= .milliseconds(5))
        }
    }

    @Test func aLiveChangeOfPathKeepsOrderAndLosesNothing() throws {
        let link = try VirtualLink(.open)
        defer { link.stop() }
        let (client, host) = try established(link)
        var sent = 0
        var received: [UInt8] = []
        let steps: [LinkConditions] = [
            .link(rate: 8_000_000, delay: .milliseconds(20)), LinkConditions(), .link(delay: .milliseconds(3)),
            .link(rate: 1_000_000), LinkConditions(),
        ]
        for conditions in steps {
            for _ in 0..<5 {
                host.receive(pattern(3000, from: sent))
                sent += 3000
            }
            _ = link.engine.take(.conditions(conditions))
            host.receive(pattern(3000, from: sent))
            sent += 3000
            link.advance(.milliseconds(7))
            received += client.sent()
        }
        link.advance(.seconds(10))
        received += client.sent()
        #expect(received == pattern(sent))
        #expect(link.engine.isDirect)
        #expect(link.engine.counters().relayed.downlink > 0)
        host.receive(pattern(10))
        #expect(client.sent() == pattern(10))
    }

    @Test func aHeldLinkDeliversNothingAndThenGoesOn() throws {
        let link = try VirtualLink(.link(delay: .milliseconds(1)))
        defer { link.stop() }
        let (client, host) = try established(link)
        var held = LinkConditions.link(delay: .milliseconds(1))
        held.isHeld = true
        _ = link.engine.take(.conditions(held))
        host.receive(pattern(100))
        link.advance(.seconds(2))
        #expect(client.sent() == [])
        _ = link.engine.take(.conditions(LinkConditions.link(delay: .milliseconds(1))))
        link.advance(.seconds(5))
        #expect(client.sent() == pattern(100))
    }

    @Test func aProfileSetLiveIsFollowed() throws {
        let link = try VirtualLink(.open)
        defer { link.stop() }
        let profile = Profile(
            name: "steps", conditions: .link(delay: .milliseconds(10)),
            changes: [.init(at: .seconds(1), conditions: .link(delay: .milliseconds(30)))])
        let generation = link.engine.take(.profile(profile, since: link.engine.now))
        #expect(link.engine.conditions == .link(delay: .milliseconds(10)))
        link.advance(.seconds(1))
        #expect(link.engine.conditions == .link(delay: .milliseconds(30)))
        #expect(link.engine.counted.generation == generation + 1)
    }

    @Test func aLinkThatIsReleasedFollowsItsProfileAgain() throws {
        let profile = Profile(
            name: "steps", conditions: .link(delay: .milliseconds(10)),
            changes: [
                .init(at: .seconds(1), conditions: .link(delay: .milliseconds(20))),
                .init(at: .seconds(2), conditions: .link(delay: .milliseconds(30))),
            ])
        let link = try VirtualLink(profile)
        defer { link.stop() }
        _ = link.engine.take(.conditions(.offline(.silent)))
        link.advance(.milliseconds(1500))
        #expect(link.engine.conditions == .offline(.silent))
        #expect(link.engine.take(.own) == 2)
        #expect(link.engine.conditions == .link(delay: .milliseconds(20)))
        #expect(link.engine.followedProfile?.name == "steps")
        link.advance(.milliseconds(500))
        #expect(link.engine.conditions == .link(delay: .milliseconds(30)))
        #expect(link.engine.counted.generation == 3)
    }

    @Test func aProfileThatIsSetBringsItsChangesAndItsTrace() throws {
        let link = try VirtualLink(.link(delay: .milliseconds(10)))
        defer { link.stop() }
        var profile = Profile.link(delay: .milliseconds(20))
        profile.name = "recorded"
        profile.changes = [.init(at: .seconds(9), conditions: .link(delay: .milliseconds(30)))]
        profile.downlinkTrace = try DeliveryTrace(mahimahi: "10")
        #expect(link.engine.take(.profile(profile, since: link.engine.now)) == 1)
        let (client, host) = try established(link)
        host.receive(pattern(1_000_000))
        link.advance(.seconds(8))
        let received = client.sent().count
        // 1500 bytes each 10 ms, headers included.
        #expect((1_000_000...1_160_000).contains(received * 1500 / 1448) || received == 1_000_000, "\(received)")
        #expect(link.engine.followedProfile?.name == "recorded" && link.engine.conditions == profile.conditions)
        link.advance(.seconds(1))
        #expect(link.engine.conditions == .link(delay: .milliseconds(30)) && link.engine.counted.generation == 2)
        #expect(link.engine.take(.own) == 3)
        link.advance(.seconds(1))
        #expect(link.engine.conditions == .link(delay: .milliseconds(10)))
    }

    @Test func lossDelaysBytesButDropsNone() throws {
        let link = try VirtualLink(.link(rate: 8_000_000, delay: .milliseconds(10), loss: try Ratio(parsing: "2 %")))
        defer { link.stop() }
        let (client, host) = try established(link)
        host.receive(pattern(400_000))
        var received: [UInt8] = []
        _ = link.advance(upTo: .seconds(60), by: .milliseconds(10)) {
            received += client.sent()
            return received.count == 400_000
        }
        #expect(received == pattern(400_000))
        #expect(link.engine.counters().link.downlink.lostPackets > 0)
    }

    @Test func aReaderThatStopsClosesTheWindow() throws {
        let link = try VirtualLink(.link(rate: 80_000_000, delay: .milliseconds(1)))
        defer { link.stop() }
        let (client, host) = try established(link)
        client.isWritable = false
        client.pipeline.fireChannelWritabilityChanged()
        for index in 0..<100 { host.receive(pattern(10_000, from: index * 10_000)) }
        link.advance(.seconds(1))
        #expect(client.sent() == [])
        client.isWritable = true
        client.pipeline.fireChannelWritabilityChanged()
        link.advance(.seconds(1))
        #expect(client.sent() == pattern(1_000_000))
    }

    @Test func anIncompleteHeadTimesOut() throws {
        let link = try VirtualLink(.open)
        defer { link.stop() }
        let client = link.connect(.forward)
        client.receive(Array("GET http".utf8))
        link.advance(.seconds(10) - .nanoseconds(1))
        #expect(client.sent() == [])
        link.advance(.nanoseconds(1))
        #expect(String(decoding: client.sent(), as: UTF8.self).hasPrefix("HTTP/1.1 408 "))
    }
}
