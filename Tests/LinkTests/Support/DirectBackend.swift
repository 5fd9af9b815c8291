import LinkModel
import Links
import SandboxMessages

/// A fourth backend, which changes nothing: client and host are connected directly.
struct DirectBackend: LinkProvider {
    let fidelity = LinkFidelity.packet
    let sandbox: SandboxLinkKind? = nil
    let title = "no link"

    func obstacles(to setup: LinkSetup) -> [String] {
        let isUnshaped = setup.profile.isUnshaped && setup.foreseen.isUnshaped
        return isUnshaped ? [] : ["a link that is not an open one (it changes nothing)"]
    }

    func ability(for property: LinkProperty, on machine: LinkMachine) -> LinkAbility { .no("it changes nothing") }

    func absence(_ why: String) -> String { "this machine has no loopback. \(why)" }

    func withLink<Result>(
        _ setup: LinkSetup, at place: LinkPlace,
        _ body: (any ConditionedLink, LinkEntrance) async throws -> Result
    ) async throws -> Result {
        guard case .loopback(_, let targets) = place else { preconditionFailure("it is on the loopback") }
        let link = DirectLink()
        let result = try await body(link, LinkEntrance(targets: targets))
        await link.close()
        return result
    }
}

/// The link of a direct backend.
actor DirectLink: ConditionedLink {
    /// The conditions cannot be had, or the link is down.
    struct Refused: Error {}

    nonisolated let events: any AsyncSequence<LinkEvent, Never> & Sendable
    private let continuation: AsyncStream<LinkEvent>.Continuation
    private var held = LinkConditions()
    private var generation = 0
    private var isUp = true

    init() {
        let (events, continuation) = AsyncStream<LinkEvent>.makeStream()
        (self.events, self.continuation) = (events, continuation)
        continuation.yield(Self.event(LinkConditions(), 0))
    }

    var conditions: LinkConditions {
        get throws {
            guard isUp else { throw Refused() }
            return held
        }
    }

    func update(_ change: @escaping @Sendable (inout LinkConditions) -> Void) throws -> Int {
        var conditions = try conditions
        change(&conditions)
        return try set(conditions)
    }

    func follow(_ profile: Profile, age: Duration) throws -> Int {
        guard profile.isUnshaped else { throw Refused() }
        return try set(profile.conditions(at: age))
    }

    func release() throws -> Int { try set(LinkConditions()) }

    func cut() throws { throw Refused() }

    func use() -> LinkUse { LinkUse() }

    func close() {
        isUp = false
        continuation.finish()
    }

    private func set(_ conditions: LinkConditions) throws -> Int {
        guard isUp, conditions.isUnshaped else { throw Refused() }
        held = conditions
        generation += 1
        continuation.yield(Self.event(held, generation))
        return generation
    }

    private static func event(_ conditions: LinkConditions, _ generation: Int) -> LinkEvent {
        LinkEvent(
            at: Instant(nanoseconds: 1), connection: 0,
            kind: .conditions(conditions: conditions, generation: generation))
    }
}
