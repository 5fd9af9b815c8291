import KernelLink
package import LinkModel
package import PacketLink
package import ProxyLink
package import SandboxMessages
package import Testbed

/// A backend: what its links can be, what they need of a machine, and how one comes up.
package protocol LinkProvider: Sendable {
    /// What its links are like; never `any`.
    var fidelity: LinkFidelity { get }

    /// How the networks of a sandbox are joined to its links; nil: host and client are on this machine's loopback.
    var sandbox: SandboxLinkKind? { get }

    /// What errors call it, behind "by".
    var title: String { get }

    /// Whether its packets can be recorded; false by default.
    var recordsPackets: Bool { get }

    /// Why it cannot be a link whose packets are to be recorded, as a clause; nil (the default): it is one without a record.
    var captureObstacle: String? { get }

    /// Whether it lets more pass behind a pause than its rate, as ``LinkModel/LinkConditions/bucketBytes(_:)`` says; false by
    /// default.
    var hasBuckets: Bool { get }

    /// The largest queue that a link for a measurement may have; 1 GiB by default.
    var mostQueueBytes: ByteCount { get }

    /// Everything of a link that it cannot do, whatever the machine, as clauses; nothing by default.
    func obstacles(to setup: LinkSetup) -> [String]

    /// The parts of a kernel that it needs for a link; none by default.
    func parts(for setup: LinkSetup) -> Set<KernelPart.Kind>

    /// How it does a property of a profile on a machine.
    func ability(for property: LinkProperty, on machine: LinkMachine) -> LinkAbility

    /// Adds to what the doctor says of it, where a sandbox alone does not tell; nothing by default.
    func complete(_ row: inout Backends.Row, on machine: LinkMachine)

    /// What its user is told where this machine cannot have it; `why` are sentences.
    func absence(_ why: String) -> String

    /// What a plan with such a link has to go on without, as clauses; nothing by default.
    func notes(on setup: LinkSetup) -> [String]

    /// Runs `body` with a link that is up; takes it down on return, throw and cancel.
    ///
    /// The place is of the kind that ``sandbox`` says. Throws where the link cannot come up, or has died, and whatever `body`
    /// throws.
    func withLink<Result>(
        _ setup: LinkSetup, at place: LinkPlace,
        _ body: (any ConditionedLink, LinkEntrance) async throws -> Result
    ) async throws -> Result
}

extension LinkProvider {
    package var recordsPackets: Bool { false }
    package var captureObstacle: String? { nil }
    package var hasBuckets: Bool { false }
    package var mostQueueBytes: ByteCount { ByteCount(1 << 30) }
    package func obstacles(to setup: LinkSetup) -> [String] { [] }
    package func parts(for setup: LinkSetup) -> Set<KernelPart.Kind> { [] }
    package func complete(_ row: inout Backends.Row, on machine: LinkMachine) {}
    package func notes(on setup: LinkSetup) -> [String] { [] }

    /// What it lets pass at once behind a pause, beyond the rate, in bytes.
    package func bucketBytes(_ conditions: LinkConditions, _ direction: Direction) -> Int64 {
        hasBuckets ? conditions.bucketBytes(direction) : 0
    }
}

/// Where a link is put.
package enum LinkPlace: Sendable {
    /// Between the two networks of a sandbox; `capture`: where packets of both ends are recorded, if they are.
    case sandbox(Sandbox, capture: PacketCapture? = nil)
    /// On this machine's loopback: what clients ask for is led as the table says, and of the targets each has an address.
    case loopback(RouteTable, targets: [Endpoint] = [])
}

/// Where clients enter a link.
package struct LinkEntrance: Sendable {
    /// The proxy that they are to use; nil where they need none.
    package var proxy: Endpoint?
    /// The addresses that stand for the targets of the place, in their order; empty in a sandbox.
    package var targets: [Endpoint] = []

    package init(proxy: Endpoint? = nil, targets: [Endpoint] = []) { (self.proxy, self.targets) = (proxy, targets) }
}
