import LinkModel
import Links
import Testing

/// The behaviour that all backends share, with real sockets at both ends.
@Suite(.serialized, .timeLimit(.minutes(3)))
struct ConformanceTests {
    /// A profile with the same conditions in both directions.
    private static func link(_ conditions: Conditions) -> Profile {
        Profile(name: "test", conditions: LinkConditions(downlink: conditions, uplink: conditions))
    }

    private static func rate(_ megabits: Int64, delay: Duration = .milliseconds(5)) -> Profile {
        link(Conditions(rate: BitRate(bitsPerSecond: megabits * 1_000_000), delay: delay))
    }

    /// How much later than expected an answer may come on a busy machine.
    private static let lateness = Duration.milliseconds(150)

    @Test(arguments: Backend.here(having: .delay))
    func `connecting takes a round trip`(backend: Backend) async throws {
        try await backend.withLink(Self.link(Conditions(delay: .milliseconds(200)))) { link in
            let opening = try await link.connect()
            defer { opening.socket?.close() }
            try #require(opening.refusal == nil)
            #expect(opening.took >= .milliseconds(400) && opening.took < .milliseconds(400) + Self.lateness)
        }
    }

    @Test(arguments: Backend.here(having: .delay))
    func `a byte takes the delay of its direction`(backend: Backend) async throws {
        var profile = Self.link(Conditions(delay: .milliseconds(50)))
        profile.conditions.downlink.delay = .milliseconds(250)
        try await backend.withLink(profile) { link in
            let (client, host) = try await link.pair()
            defer {
                client.close()
                host.close()
            }
            for (from, to, delay) in [(client, host, 50), (host, client, 250), (client, host, 50)] {
                let start = ContinuousClock.now
                try from.send([7])
                #expect(try to.receive() == [7])
                let took = ContinuousClock.now - start
                let least = Duration.milliseconds(delay)
                #expect(took >= least && took < least + Self.lateness, "\(took) over \(backend.name)")
            }
        }
    }

    /// The time until `count` bytes from the host have arrived.
    private static func download(_ count: Int, over link: LinkUnderTest) async throws -> Duration {
        let (client, host) = try await link.pair()
        defer { client.close() }
        let sending = Task.onThread {
            defer { host.close() }
            try host.send([UInt8](repeating: 1, count: count))
        }
        let start = ContinuousClock.now
        let got = try client.receiveAll(count)
        let took = ContinuousClock.now - start
        try await sending.value
        #expect(got.count == count && got.allSatisfy { $0 == 1 })
        return took
    }

    @Test(arguments: Backend.here(having: .rate))
    func `the rate is charged with headers`(backend: Backend) async throws {
        try await backend.withLink(Self.rate(4)) { link in
            let took = try await Self.download(500_000, over: link)
            let least = 500_000.0 / 1448 * 1500 * 8 / 4e6
            #expect(took.seconds >= least * 0.99 && took.seconds < least * 1.1 + 0.2, "\(took)")
        }
    }

    @Test(arguments: Backend.here(having: .rate))
    func `conditions can be set, changed, followed and given back`(backend: Backend) async throws {
        let profile = Self.rate(1)
        try await backend.withLink(profile) { link in
            #expect(try await link.link.conditions == profile.conditions)
            let other = Self.rate(8).conditions
            let first = try await link.link.set(other)
            #expect(try await link.link.conditions == other)
            let took = try await Self.download(500_000, over: link)
            #expect(took < .seconds(2), "8 Mbit/s, not 1: \(took)")
            let second = try await link.link.update { $0.uplink.delay = .milliseconds(77) }
            var changed = other
            changed.uplink.delay = .milliseconds(77)
            #expect(try await link.link.conditions == changed)
            let third = try await link.link.follow(Self.rate(3))
            #expect(try await link.link.conditions == Self.rate(3).conditions)
            let fourth = try await link.link.release()
            #expect(try await link.link.conditions == profile.conditions)
            #expect(first < second && second < third && third < fourth)
        }
    }

    @Test(arguments: Backend.here(having: .rate))
    func `a profile is followed from its age on`(backend: Backend) async throws {
        var steps = Self.rate(1)
        steps.changes = [
            .init(at: .seconds(60), conditions: Self.rate(2).conditions),
            .init(at: .milliseconds(60_200), conditions: Self.rate(3).conditions),
        ]
        try await backend.withLink(Self.rate(8)) { link in
            try await link.link.follow(steps, age: .seconds(60))
            #expect(try await link.link.conditions == steps.changes[0].conditions)
            try await Task.sleep(for: .milliseconds(300))
            #expect(try await link.link.conditions == steps.changes[1].conditions)
            try await link.link.follow(steps)
            #expect(try await link.link.conditions == Self.rate(1).conditions)
        }
    }

    @Test(arguments: Backend.here(having: .rate))
    func `a new rate applies to bytes under way`(backend: Backend) async throws {
        try await backend.withLink(Self.rate(1)) { link in
            let (client, host) = try await link.pair()
            defer { client.close() }
            let sending = Task.onThread {
                defer { host.close() }
                try host.send([UInt8](repeating: 1, count: 600_000))
            }
            let start = ContinuousClock.now
            #expect(try client.receiveAll(100_000).count == 100_000)
            #expect(ContinuousClock.now - start >= .milliseconds(750))
            try await link.link.set(Self.rate(10).conditions)
            #expect(try client.receiveAll(500_000).count == 500_000)
            // The rest would have taken 4.1 s at the first rate.
            #expect(ContinuousClock.now - start < .milliseconds(3500))
            try await sending.value
        }
    }

    @Test(arguments: Backend.here(having: .delay))
    func `bytes sent while the link is silent arrive when it is back`(backend: Backend) async throws {
        try await backend.withLink(Self.link(Conditions(delay: .milliseconds(20)))) { link in
            let (client, host) = try await link.pair()
            defer {
                client.close()
                host.close()
            }
            try await link.link.update { $0.offline = .silent }
            try client.send([1, 2, 3])
            host.limit(.milliseconds(500))
            #expect(throws: (any Error).self) { try host.receive() }
            try await link.link.update { $0.offline = nil }
            host.limit(.seconds(20))
            #expect(try host.receive() == [1, 2, 3])
            try host.send([4])
            #expect(try client.receive() == [4])
        }
    }

    @Test(arguments: Backend.here(having: .loss))
    func `packets are lost with their share, and bytes are not`(backend: Backend) async throws {
        let share = 0.05
        let lossy = Conditions(delay: .milliseconds(2), loss: .random(Ratio(partsPerBillion: 50_000_000)))
        try await backend.withLink(Self.link(lossy)) { link in
            _ = try await Self.download(1_500_000, over: link)
            let counters = try await link.link.use().model
            let down = counters.downlink
            let expected = Double(down.offeredPackets) * share
            // Five standard deviations of a binomial distribution: less than one in a million.
            let spread = 5 * (expected * (1 - share)).squareRoot()
            #expect(abs(Double(down.lostPackets) - expected) < spread, "\(down.lostPackets) of \(down.offeredPackets)")
            #expect(counters.downlink.payload == 1_500_000)
        }
    }

    /// Decisions are keyed: real TCP and the model lose the same bytes of a stream.
    @Test func `packets and proxy lose the same bytes the first time that they are sent`() async throws {
        let lossy = Conditions(delay: .milliseconds(5), loss: .random(Ratio(partsPerBillion: 30_000_000)))
        var drops: [Set<String>] = []
        for backend in Backend.keyed {
            try await backend.withLink(Self.link(lossy), seed: 11) { link in
                _ = try await Self.download(400_000, over: link)
                let lines = try #require(try await link.link.use().record).decisions.map(\.line).filter {
                    $0.contains("down off=") && $0.contains("tx=1 ")
                }
                drops.append(
                    Set(lines.compactMap { $0.split(separator: " ").first { $0.hasPrefix("off=") } }.map(String.init)))
            }
        }
        #expect(drops[0] == drops[1])
        #expect(drops[0].count > 3)
    }

    @Test(arguments: Backend.here(having: .dnsDelay))
    func `a name lookup takes the DNS delay and a round trip`(backend: Backend) async throws {
        var profile = Self.link(Conditions(delay: .milliseconds(50)))
        profile.conditions.dnsDelay = .milliseconds(700)
        try await backend.withLink(profile) { link in
            let took = try await link.lookUp()
            #expect(took.result == "found")
            #expect(took.time >= .milliseconds(800) && took.time < .milliseconds(1100), "\(took.time)")
        }
    }

    @Test(arguments: Backend.keyed)
    func `connections can be reset, and new ones be made`(backend: Backend) async throws {
        try await backend.withLink(Self.link(Conditions(delay: .milliseconds(10)))) { link in
            let (client, host) = try await link.pair()
            defer {
                client.close()
                host.close()
            }
            // The link must have seen the connection.
            try client.send([1])
            #expect(try host.receive() == [1])
            try await link.link.cut()
            #expect(throws: (any Error).self) { try client.receive() }
            #expect(throws: (any Error).self) { try host.receive() }
            let (second, other) = try await link.pair()
            defer {
                second.close()
                other.close()
            }
            try other.send([2])
            #expect(try second.receive() == [2])
        }
    }
}
