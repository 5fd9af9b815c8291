import LinkModel
import Links
import Testing

/// The behaviour of each backend's link, including one that can change nothing.
@Suite(.serialized, .timeLimit(.minutes(1)))
struct LinkProtocolTests {
    private static let open = Profile(name: "open")

    @Test(arguments: Backend.all)
    func `every change has a generation and an event, and a link's events end with it`(backend: Backend) async throws {
        try await backend.withLink(Self.open) { under in
            let link = under.link
            let told = Task {
                var told: [Int] = []
                for await event in link.events {
                    if case .conditions(_, let generation) = event.kind { told.append(generation) }
                }
                return told
            }
            #expect(try await link.conditions == Self.open.conditions)
            let generations = [
                try await link.update { $0.mtu = 1400 }, try await link.set(LinkConditions()),
                try await link.follow(Self.open), try await link.release(),
            ]
            #expect(generations == [1, 2, 3, 4])
            #expect(try await link.conditions == Self.open.conditions)
            try await link.verify()
            try await link.close()
            try await link.close()
            #expect(await told.value == [0] + generations)
            await #expect(throws: (any Error).self) { try await link.conditions }
            await #expect(throws: (any Error).self) { try await link.update { $0.mtu = 1400 } }
            await #expect(throws: (any Error).self) { try await link.verify() }
            #expect(try await link.use().droppedEvents == 0)
        }
    }

    @Test(arguments: Backend.all)
    func `bytes cross an open link both ways`(backend: Backend) async throws {
        try await backend.withLink(Self.open) { link in
            let (client, host) = try await link.pair()
            defer {
                client.close()
                host.close()
            }
            try client.send([1, 2])
            #expect(try host.receiveAll(2) == [1, 2])
            try host.send([3, 4])
            #expect(try client.receiveAll(2) == [3, 4])
        }
    }

    @Test(arguments: Backend.all)
    func `faults are played, and the link is given back`(backend: Backend) async throws {
        try await backend.withLink(Self.open) { under async throws in
            var small = Self.open
            small.conditions.mtu = 1300
            let fault = LinkFault(trigger: .time(.zero), effect: .profile(small), duration: .milliseconds(1))
            let driver = LinkFaultDriver([fault], link: under.link)
            await driver.playTimed(from: 0)
            #expect(driver.played.map(\.fault) == [fault] && driver.unplayed.isEmpty)
            #expect(try await under.link.conditions == Self.open.conditions)
            #expect(try await under.link.update { _ in } == 3)
        }
    }

    /// A plan and the doctor ask a backend's provider.
    @Test(arguments: Backend.all)
    func `a backend says what it can do`(backend: Backend) throws {
        let provider = backend.provider
        #expect(provider.fidelity != .any)
        #expect(provider.obstacles(to: LinkSetup(profile: Self.open)).isEmpty)
        #expect(Backend.machine.refusal(of: LinkSetup(profile: Self.open), by: provider) == nil)
        let row = Backends.Row(backend.name, of: provider, on: Backend.machine)
        #expect(row.isAvailable && row.fidelity == provider.fidelity.rawValue && row.cause == nil)
        // A plan does not ask for a property that the backend says it lacks.
        let slow = Conditions(rate: BitRate(bitsPerSecond: 1_000_000))
        let shaped = LinkSetup(
            profile: Profile(name: "slow", conditions: LinkConditions(downlink: slow, uplink: slow)))
        let ability = provider.ability(for: .rate, on: Backend.machine)
        #expect((ability.reason == nil) == provider.obstacles(to: shaped).isEmpty)
    }
}
