package import LinkModel
import LinuxSupport
package import Netlink
import Synchronization
package import SystemPackage

/// A link of the kernel's own queues, on the two interfaces through which a router's packets leave.
///
/// Packets of any protocol are really delayed, lost, duplicated or changed (fidelity: packet).
/// docs/explanation/kernel.md has the table of properties and queues.
package final class KernelLink: Sendable {
    private let state: Mutex<State>

    private struct State: ~Copyable {
        let socket: RouteSocket
        var egresses: [Egress]
        var conditions: LinkConditions
        var generation = 0
        var seed: UInt64?
        var isOpen = true
    }

    /// The conditions that hold now.
    package var conditions: LinkConditions { state.withLock { $0.conditions } }

    /// Brings the link up; `socket` belongs to the network of the interfaces.
    ///
    /// Throws if the queues do not support the profile, another program has put a queue on an interface, or the kernel
    /// refuses; then nothing is changed.
    package init(_ configuration: KernelLinkConfiguration, socket: consuming sending RouteSocket)
        throws(KernelLinkError)
    {
        let obstacles = KernelObstacles.find(in: configuration.profile)
        guard obstacles.isEmpty else { throw .inexpressible(obstacles) }
        var egresses: [Egress] = []
        for direction in Direction.allCases { egresses.append(try Egress(direction, configuration, by: socket)) }
        try Self.start(egresses, by: socket)
        state = Mutex(
            State(
                socket: socket, egresses: egresses, conditions: configuration.profile.conditions,
                seed: configuration.seed))
    }

    /// Applies `conditions` from now on, and returns the new generation.
    ///
    /// Both directions change in one request, within some 0.1 ms. Waiting packets stay in their queue, and follow the
    /// new rate. Packets that are already delayed keep their delay, and nothing overtakes them. If the kernel refuses,
    /// everything is as before. Throws too if the kernel then reports something else than was requested.
    @discardableResult
    package func set(_ conditions: LinkConditions) throws(KernelLinkError) -> Int {
        try state.withLock { (state) throws(KernelLinkError) in
            guard state.isOpen else { throw .closed }
            let generation = state.generation + 1
            let seed = state.seed.map { $0 &+ UInt64(generation) }
            var changed = state.egresses
            var forth: [RouteMessage] = []
            var back: [RouteMessage] = []
            for (index, egress) in state.egresses.enumerated() {
                let plan = try egress.plan(conditions, seed: seed)
                forth += plan.messages(changing: egress.plan, on: egress.interface)
                back += egress.plan.messages(changing: plan, on: egress.interface)
                changed[index].plan = plan
            }
            do throws(NetlinkError) {
                try state.socket.request(forth)
            } catch {
                for message in back { try? state.socket.request(message) }
                throw .refused(error)
            }
            state.egresses = changed
            state.conditions = conditions
            state.generation = generation
            try Self.check(changed, by: state.socket)
            return generation
        }
    }

    /// Reads everything back, and throws if it is not as it was set.
    package func verify() throws(KernelLinkError) {
        try state.withLock { (state) throws(KernelLinkError) in
            guard state.isOpen else { throw .closed }
            try Self.check(state.egresses, by: state.socket)
        }
    }

    /// What the interfaces have counted so far.
    package func counters() throws(KernelLinkError) -> KernelLinkCounters {
        try state.withLock { (state) throws(KernelLinkError) in
            guard state.isOpen else { throw .closed }
            var counters = KernelLinkCounters(both: EgressCounters())
            do throws(NetlinkError) {
                for egress in state.egresses {
                    counters[egress.direction] = try egress.counters(by: state.socket)
                }
            } catch {
                throw .refused(error)
            }
            return counters
        }
    }

    /// Takes the link down: the interfaces are as they were, and waiting packets are lost.
    ///
    /// May be called more than once. Throws if the kernel refuses, but not if an interface is gone.
    package func close() throws(KernelLinkError) {
        try state.withLock { (state) throws(KernelLinkError) in
            guard state.isOpen else { return }
            state.isOpen = false
            // A direction that cannot be taken down is no reason to leave the other one up.
            var refusal: NetlinkError?
            for egress in state.egresses {
                do throws(NetlinkError) { try egress.end(by: state.socket) } catch { refusal = refusal ?? error }
            }
            if let refusal { throw .refused(refusal) }
        }
    }

    /// Brings up all directions or none.
    private static func start(_ egresses: [Egress], by socket: borrowing RouteSocket) throws(KernelLinkError) {
        var started: [Egress] = []
        do throws(KernelLinkError) {
            for egress in egresses {
                do { try egress.start(by: socket) } catch { throw .refused(error) }
                started.append(egress)
            }
            try check(egresses, by: socket)
        } catch {
            for egress in started { try? egress.end(by: socket) }
            throw error
        }
    }

    private static func check(_ egresses: [Egress], by socket: borrowing RouteSocket) throws(KernelLinkError) {
        for egress in egresses {
            let differences: [Difference]
            do { differences = try egress.differences(by: socket) } catch { throw .refused(error) }
            if !differences.isEmpty { throw .differs(egress.interface, differences) }
        }
    }
}

/// Runs `body` with a link that is up between two interfaces; takes it down on return, throw and cancel.
///
/// Reads everything back once more at the end. Throws ``KernelLinkError``, and the errors of `body`.
package func withKernelLink<Result>(
    _ configuration: KernelLinkConfiguration, socket: consuming sending RouteSocket,
    _ body: (KernelLink) async throws -> Result
) async throws -> Result {
    let link = try KernelLink(configuration, socket: socket)
    return try await ending {
        let result = try await body(link)
        try link.verify()
        return result
    } with: {
        try link.close()
    }
}

/// Does the same with a netlink socket (rtnetlink(7)) that was opened in the interfaces' network; it is closed at the
/// end.
package func withKernelLink<Result>(
    _ configuration: KernelLinkConfiguration, adopting socket: FileDescriptor,
    _ body: (KernelLink) async throws -> Result
) async throws -> Result {
    try await withKernelLink(configuration, socket: try RouteSocket(adopting: socket), body)
}

/// The configuration of a ``KernelLink``: its profile, its seed and its two ends.
package struct KernelLinkConfiguration: Sendable {
    /// The first conditions, and as changes all that can hold later.
    package var profile: Profile
    /// The seed of random numbers, on kernels since 6.6; nil (the default): the kernel chooses.
    package var seed: UInt64?
    /// The interface through which packets leave to the client.
    package var downlink: InterfaceName
    /// The interface through which packets leave to the host.
    package var uplink: InterfaceName

    /// Takes the names of the interfaces that lead to the client and to the host, as ip-link(8) has them.
    ///
    /// Throws if a name is not valid.
    package init(profile: Profile, seed: UInt64? = nil, toClient: String, toHost: String) throws {
        (self.profile, self.seed) = (profile, seed)
        (downlink, uplink) = (try InterfaceName(toClient), try InterfaceName(toHost))
    }
}
