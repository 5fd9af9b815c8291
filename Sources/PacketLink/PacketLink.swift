package import LinkModel
package import SystemPackage

/// A link at packet level: moves IP packets between the network devices of two ends, as its profile says.
///
/// Packets of any protocol are really delayed, lost, doubled or changed (fidelity: packet). It runs on a thread of its own.
package struct PacketLink: ConditionedLink {
    /// Told on the link's thread when the client has a way to anywhere, or none any more, before its device shows that.
    package typealias RouteListener = @Sendable (Bool) -> Void

    private let thread: PacketThread

    package var events: any AsyncSequence<LinkEvent, Never> & Sendable { thread.events }

    package var conditions: LinkConditions {
        get async throws { try await onThread { loop, _ in loop.conditions } }
    }

    /// What already waits or travels follows ``LinkModel/PacketPipe/set(_:followsTrace:at:)``; throws only when the link is down.
    @discardableResult
    package func update(_ change: @escaping @Sendable (inout LinkConditions) -> Void) async throws -> Int {
        try await onThread { loop, now in
            var conditions = loop.conditions
            change(&conditions)
            return loop.set(conditions, at: now)
        }
    }

    @discardableResult
    package func follow(_ profile: Profile, age: Duration) async throws -> Int {
        try await onThread { loop, now in loop.set(profile, age: age, at: now) }
    }

    @discardableResult
    package func release() async throws -> Int {
        try await onThread { loop, now in loop.release(at: now) }
    }

    /// Resets every open TCP connection.
    package func cut() async throws {
        try await onThread { loop, now in loop.resetConnections(at: now) }
    }

    /// What has crossed the link so far; still to be had when it has been taken down.
    package func counters() async throws -> PacketLinkCounters {
        try await onThread { loop, now in
            loop.advance(to: now)
            return loop.summary()
        } orDown: {
            $0.counters
        }
    }

    /// How many payload bytes receivers really had over time, 5 ms apart or more while there is traffic.
    ///
    /// Those of lookups of names do not count; of TCP what came without gaps does, and once.
    package func samples() async throws -> [MeterSample<PerDirection<Int64>>] {
        try await onThread { loop, now in
            loop.sample(at: now)
            return loop.meter.samples.map(\.payload)
        } orDown: {
            $0.samples
        }
    }

    /// What the link has decided about packets so far; still to be had when it has been taken down.
    package func record() async throws -> FaultRecord {
        try await onThread { loop, _ in
            loop.record()
        } orDown: {
            $0.record
        }
    }

    /// The descriptors stay open; they are the caller's.
    package func close() async { _ = await thread.stop() }

    /// Throws what the link ended with, if it did not end because it was closed.
    fileprivate func end() async throws {
        if let failure = await thread.stop().failure { throw failure }
    }

    /// Has the thread do something, or asks what is left of a link that is down.
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
}

/// Runs `body` with a link that is up between two network devices; takes it down on return, throw and cancel.
///
/// Each descriptor gives and takes one IP packet at a time: a TUN of tun(4) with `IFF_TUN` and `IFF_NO_PI`, or a socket that
/// keeps boundaries. Both stay the caller's, and are made non-blocking. `tellRoute` changes the client's routes. Throws ``PacketLinkError`` where the link cannot come up, or ended
/// by itself before `body` did, and whatever `body` throws.
package func withPacketLink<Result>(
    _ configuration: PacketLinkConfiguration,
    client: FileDescriptor,
    host: FileDescriptor,
    tellRoute: PacketLink.RouteListener? = nil,
    _ body: (PacketLink) async throws -> Result
) async throws -> Result {
    let link = try await PacketLink(configuration, client: client, host: host, tellRoute: tellRoute)
    let result: Result
    do {
        result = try await body(link)
    } catch {
        await link.close()
        throw error
    }
    try await link.end()
    return result
}
