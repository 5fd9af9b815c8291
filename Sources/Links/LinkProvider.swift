import KernelLink
package import LinkModel
package import PacketLink
package import ProxyLink
package import SandboxMessages
package import Testbed

/// A backend: what its links can do, what they need from a machine, and how to start one.
package protocol LinkProvider: Sendable {
    /// What its links shape; never `any`.
    var fidelity: LinkFidelity { get }

    /// How the networks of a sandbox are connected to its links; nil: host and client are on this machine's loopback.
    var sandbox: SandboxLinkKind? { get }

    /// Its name in errors, as it follows "by".
    var title: String { get }

    /// Whether its packets can be recorded; false by default.
    var recordsPackets: Bool { get }

    /// Why it cannot provide a link if packets must be recorded, as a clause.
    ///
    /// nil (the default): it can, with or without a record.
    var captureObstacle: String? { get }

    /// Whether it passes more than its rate after a pause, by ``LinkModel/LinkConditions/bucketBytes(_:)``.
    ///
    /// False by default.
    var hasBuckets: Bool { get }

    /// The largest queue that a link for a measurement may have; 1 GiB by default.
    var mostQueueBytes: ByteCount { get }

    /// The features of a link that it supports on no machine, as clauses; none by default.
    func obstacles(to setup: LinkSetup) -> [String]

    /// The parts of the kernel that it needs for a link; none by default.
    func parts(for setup: LinkSetup) -> Set<KernelPart.Kind>

    /// How it implements a property of a profile on a machine.
    func ability(for property: LinkProperty, on machine: LinkMachine) -> LinkAbility

    /// Completes its row in the doctor's table, if that depends on more than the sandbox; does nothing by default.
    func complete(_ row: inout Backends.Row, on machine: LinkMachine)

    /// The message to the user if this machine cannot run it; `why` consists of sentences.
    func absence(_ why: String) -> String

    /// The features that a plan with such a link lacks, as clauses; none by default.
    func notes(on setup: LinkSetup) -> [String]

    /// Starts a link, and runs `body`; ends the link when `body` returns or throws, or the task is cancelled.
    ///
    /// The place must be of the kind that ``sandbox`` says. Throws if the link cannot start, or has died, and whatever
    /// `body` throws.
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

    /// The bytes that it passes at once after a pause, beyond the rate.
    package func bucketBytes(_ conditions: LinkConditions, _ direction: Direction) -> Int64 {
        hasBuckets ? conditions.bucketBytes(direction) : 0
    }
}

/// The place of a link.
package enum LinkPlace: Sendable {
    /// Between the two networks of a sandbox; `capture` records the packets of both ends, nil (the default) records
    /// none.
    case sandbox(Sandbox, capture: PacketCapture? = nil)
    /// On this machine's loopback: the table routes the clients' requests, and each target gets an address.
    case loopback(RouteTable, targets: [Endpoint] = [])
}

/// Where clients enter a link.
package struct LinkEntrance: Sendable {
    /// The proxy that clients must use; nil if they need none.
    package var proxy: Endpoint?
    /// The addresses that lead to the targets of the place, in the same order; empty in a sandbox.
    package var targets: [Endpoint] = []

    package init(proxy: Endpoint? = nil, targets: [Endpoint] = []) { (self.proxy, self.targets) = (proxy, targets) }
}

/// How links and their networks are made, and how the machine is probed for them; tests replace these.
package struct LinkDependencies: Sendable {
    /// Keeps the two networks of a sandbox up while the body runs.
    package var withSandbox: @Sendable (SandboxConfiguration, (Sandbox) async throws -> Void) async throws -> Void = {
        try await Testbed.withSandbox($0, body: $1)
    }

    /// Keeps a link up while the body runs.
    package var withLink:
        @Sendable (
            LinkBackend, LinkSetup, LinkPlace, (any ConditionedLink, LinkEntrance) async throws -> Void
        ) async throws -> Void = { backend, setup, place, body in
            try await backend.provider.withLink(setup, at: place, body)
        }

    /// Probes whether this machine can make sandboxes.
    package var probeSandboxes: @Sendable () async throws -> SandboxCapability = {
        try await SandboxCapability.probe()
    }

    /// Probes whether this machine's kernel can provide a link.
    package var probeKernel: @Sendable () async throws -> KernelCapability = { try await KernelCapability.probe() }

    package init() {}
}
