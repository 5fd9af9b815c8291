package import LinkModel
package import Netlink
import Synchronization
package import SystemPackage

/// A link by the kernel's own queues, on the two interfaces by which a router's packets leave.
///
/// Packets of any protocol are really delayed, lost, doubled or changed (fidelity: packet). What is compiled to what is
/// in docs/explanation/kernel.md.
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

    /// What holds now.
    package var conditions: LinkConditions { state.withLock { $0.conditions } }

    /// Brings the link up; the socket is one of the network that the interfaces are in.
    ///
    /// Throws where the profile cannot be had, an interface is somebody else's, or the kernel refuses; then nothing is changed.
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

    /// Lets `conditions` hold from now on, and returns the new generation.
    ///
    /// Both directions change in one request, within some 0.1 ms; what waits stays in its queue, and follows the new rate. What is already delayed
    /// keeps its delay, and nothing overtakes it. Where the kernel refuses, all is as before. Throws too where the kernel then tells something else
    /// than it was asked for.
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
            do throws(KernelLinkError) {
                try Self.request(forth, by: state.socket)
            } catch {
                for message in back { try? state.socket.request(message) }
                throw error
            }
            state.egresses = changed
            state.conditions = conditions
            state.generation = generation
            try Self.check(changed, by: state.socket)
            return generation
        }
    }

    /// Reads everything back, and throws where it is not as it was set.
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
            var counters = KernelLinkCounters()
            counters.generation = state.generation
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

    /// Takes the link down: the interfaces are as they were, and what waited is gone.
    ///
    /// May be called again. Throws where the kernel refuses, but not where an interface has gone.
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

    /// Brings up all or none.
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

    private static func request(
        _ messages: [RouteMessage], by socket: borrowing RouteSocket
    ) throws(KernelLinkError) {
        do {
            try socket.request(messages)
        } catch {
            throw .refused(error)
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
/// Reads everything back once more at the end. Throws ``KernelLinkError``, and whatever `body` throws.
package func withKernelLink<Result>(
    _ configuration: KernelLinkConfiguration, socket: consuming sending RouteSocket,
    _ body: (KernelLink) async throws -> Result
) async throws -> Result {
    let link = try KernelLink(configuration, socket: socket)
    let result: Result
    do {
        result = try await body(link)
        try link.verify()
    } catch {
        // What was thrown first says more.
        try? link.close()
        throw error
    }
    try link.close()
    return result
}

/// The same by a netlink socket (rtnetlink(7)) that somebody has opened in the interfaces' network; it is closed at the end.
package func withKernelLink<Result>(
    _ configuration: KernelLinkConfiguration, adopting socket: FileDescriptor,
    _ body: (KernelLink) async throws -> Result
) async throws -> Result {
    try await withKernelLink(configuration, socket: try RouteSocket(adopting: socket), body)
}

/// What a ``KernelLink`` is: its profile, its seed and its two ends.
package struct KernelLinkConfiguration: Sendable {
    /// What holds at first, and all that can hold later.
    package var profile: Profile
    /// What random numbers start from, on kernels since 6.6; nil (the default): the kernel chooses.
    package var seed: UInt64?
    /// The interface by which packets leave to the client.
    package var downlink: InterfaceName
    /// The interface by which packets leave to the host.
    package var uplink: InterfaceName

    package init(profile: Profile, seed: UInt64? = nil, downlink: InterfaceName, uplink: InterfaceName) {
        (self.profile, self.seed, self.downlink, self.uplink) = (profile, seed, downlink, uplink)
    }

    /// The same by the names of the interfaces that lead to the client and to the host, as ip-link(8) has them.
    ///
    /// Throws what is wrong with a name.
    package init(profile: Profile, seed: UInt64? = nil, toClient: String, toHost: String) throws {
        self.init(
            profile: profile, seed: seed, downlink: try InterfaceName(toClient), uplink: try InterfaceName(toHost))
    }
}
