package import LinkModel
import LinuxSupport
package import SystemPackage

/// A link at packet level: moves IP packets between the network devices of two ends, as its profile says.
///
/// Packets of any protocol are really delayed, lost, duplicated or corrupted (fidelity: packet). It runs on a thread of
/// its own.
package struct PacketLink: ConditionedLink {
    /// Called on the link's thread with whether the client has a route, when that changes.
    ///
    /// It is called with false before the client's device loses its carrier, and with true after it has one again.
    package typealias RouteListener = @Sendable (Bool) -> Void

    private let thread: PacketThread

    package var events: any AsyncSequence<LinkEvent, Never> & Sendable { thread.events }

    package var conditions: LinkConditions {
        get async throws { try await onThread { loop, _ in loop.conditions } }
    }

    /// Changes the conditions, and returns the new generation; throws only if the link is down.
    ///
    /// Packets that already wait or travel are treated as by ``LinkModel/PacketPipe/set(_:followsTrace:at:)``.
    @discardableResult
    package func update(_ change: @escaping @Sendable (inout LinkConditions) -> Void) async throws -> Int {
        try await onThread { loop, now in
            var conditions = loop.conditions
            change(&conditions)
            return loop.take(.conditions(conditions), at: now)
        }
    }

    @discardableResult
    package func follow(_ profile: Profile, age: Duration) async throws -> Int {
        try await onThread { loop, now in loop.take(.profile(profile, since: now + (.zero - age)), at: now) }
    }

    @discardableResult
    package func release() async throws -> Int {
        try await onThread { loop, now in loop.take(.own, at: now) }
    }

    /// Resets every open TCP connection.
    package func cut() async throws {
        try await onThread { loop, now in
            loop.advance(to: now)
            loop.resetAll(at: now)
        }
    }

    /// What has crossed the link so far; also available after the link is down.
    package func counters() async throws -> PacketLinkCounters {
        try await onThread { loop, now in
            loop.advance(to: now)
            return loop.summary()
        } orDown: {
            $0.counters
        }
    }

    /// The payload bytes that receivers had over time; samples are 5 ms apart or more while there is traffic.
    ///
    /// Bytes of name lookups do not count. Bytes of TCP count once, as far as they arrived without gaps.
    package func samples() async throws -> [MeterSample<PerDirection<Int64>>] {
        try await onThread { loop, now in
            loop.sample(at: now)
            return loop.meter.samples.map(\.payload)
        } orDown: {
            $0.samples
        }
    }

    /// The decisions about packets so far; also available after the link is down.
    package func record() async throws -> FaultRecord {
        try await onThread { loop, _ in
            loop.record()
        } orDown: {
            $0.record
        }
    }

    /// Takes the link down; the descriptors stay open, as they are the caller's.
    package func close() async { _ = await thread.stop() }

    /// Takes the link down; throws the error with which it had ended by itself, if it had.
    fileprivate func end() async throws {
        if let failure = await thread.stop().failure { throw failure }
    }

    /// Runs `body` on the link's thread, or `orDown` with the final state of a link that is down.
    private func onThread<Value: Sendable>(
        _ body: @escaping @Sendable (inout PacketLoop, Instant) throws -> Value,
        orDown: ((PacketThread.Remains) throws -> Value)? = nil
    ) async throws -> Value {
        let value: Value? = try await withCheckedThrowingContinuation { continuation in
            let isRunning = thread.submit { loop, now in
                do {
                    continuation.resume(returning: try body(&loop, now))
                } catch {
                    continuation.resume(throwing: error)
                }
            }
            if !isRunning { continuation.resume(returning: nil) }
        }
        if let value { return value }
        let remains = await thread.stop()
        if let orDown { return try orDown(remains) }
        throw remains.failure ?? PacketLinkError.closed
    }

    fileprivate init(
        _ configuration: PacketLinkConfiguration, client: FileDescriptor, host: FileDescriptor,
        tellRoute: RouteListener?
    ) async throws(PacketLinkError) {
        thread = try PacketThread(configuration, client: client, host: host, tellRoute: tellRoute)
        try await thread.started()
    }

    package func use() async throws -> LinkUse {
        let counters = try await counters()
        var use = LinkUse()
        use.payload = counters.link.map(\.payload)
        use.model = counters.link
        use.connections = counters.flows - counters.known.count { $0.key.isToAllNeighbours }
        use.hasUnansweredPings = counters.hasUnansweredPings
        use.delivered = Dictionary(counters.known.map { ($0.ordinal, $0.downlink) }) { $1 }
        use.droppedEvents = counters.droppedEvents
        use.meter = try await samples()
        use.captureFailure = counters.capture?.failure.map { "\($0)" }
        use.uncapturedPackets = counters.capture?.missedPackets ?? 0
        use.record = try await record()
        use.unseenPackets = counters.missedPackets
        return use
    }
}

/// Runs `body` with a link that is up between two network devices; takes it down on return, throw and cancel.
///
/// Each descriptor reads and writes one IP packet at a time: a TUN of tun(4) with `IFF_TUN` and `IFF_NO_PI`, or a
/// socket that keeps message boundaries. Both stay the caller's, and are made non-blocking. `tellRoute` changes the
/// client's routes.
///
/// Throws ``PacketLinkError`` if the link cannot come up, or ends by itself before `body`; and each error of `body`.
package func withPacketLink<Result>(
    _ configuration: PacketLinkConfiguration,
    client: FileDescriptor,
    host: FileDescriptor,
    tellRoute: PacketLink.RouteListener? = nil,
    _ body: (PacketLink) async throws -> Result
) async throws -> Result {
    let link = try await PacketLink(configuration, client: client, host: host, tellRoute: tellRoute)
    return try await ending {
        try await body(link)
    } with: {
        try await link.end()
    }
}

extension PacketLinkCounters {
    fileprivate var hasUnansweredPings: Bool {
        let pings = known.filter { [IPProtocol.icmp, IPProtocol.icmp6].contains($0.key.transport) && $0.uplink > 0 }
        return !pings.isEmpty && pings.allSatisfy { $0.downlink == 0 }
    }
}

extension FlowKey {
    /// Whether it is IPv6 multicast of a kernel to all of its neighbours, which no program requested (RFC 4291).
    fileprivate var isToAllNeighbours: Bool { "\(self)".contains("[ff02:") }
}
