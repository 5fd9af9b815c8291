import Glibc
import SandboxMessages
import Synchronization
import SystemPackage

/// Terminates the TCP connections of a sandbox's client in the host's network, and relays their bytes to this machine's
/// networks.
///
/// Both ends of the link thus use a kernel's TCP. pasta's own has no congestion control, and would flood a slow link.
/// The first connection to an end is admitted once this machine has connected to it. If it is refused, the client is
/// refused too.
final class OutsideRelay: Sendable {
    private struct State {
        /// The ends whose first connection is being made, and the packets that wait for it.
        var pending: [OutsideEnd: [OutsideEnd: ConnectPacket]] = [:]
        /// Connections made from here, for the client's next connection to the same end.
        var ready: [OutsideEnd: (socket: FileDescriptor, at: ContinuousClock.Instant)] = [:]
    }

    /// The most first packets kept; the client sends any further ones again.
    private static let mostPending = 1024
    /// How long a connection stays usable without being used: then its other end may have closed it.
    private static let freshness: Duration = .seconds(5)
    /// The most attempts to connect while descriptors are short.
    private static let mostTries = 50

    private let sandbox: Sandbox
    /// Reading it returns the first packets to ends that are not admitted yet; they or refusals are written back to it.
    private let intercept: FileDescriptor
    private let wakeup: (reading: FileDescriptor, writing: FileDescriptor)
    private let threads: SocketThreads
    private let state = Mutex(State())

    /// Starts the relay, which then owns `intercept`.
    init(_ sandbox: Sandbox, intercept: FileDescriptor) throws(Errno) {
        self.sandbox = sandbox
        self.intercept = intercept
        threads = SocketThreads(shortage: sandbox.shortage)
        do {
            let pipe = try FileDescriptor.pipe(options: .closeOnExec)
            wakeup = (pipe.readEnd, pipe.writeEnd)
        } catch {
            try? intercept.close()
            throw error
        }
        threads.start { self.watchIntercept() }
    }

    /// Ends all connections, and waits for their threads: an open socket would keep the sandbox's network.
    func end() async {
        try? wakeup.writing.close()
        await threads.end()
        for descriptor in [intercept, wakeup.reading] { try? descriptor.close() }
        for (socket, _) in state.withLock(\.ready).values { try? socket.close() }
    }

    // MARK: The intercept

    private func watchIntercept() {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            var events = [
                pollfd(fd: intercept.rawValue, events: Int16(POLLIN), revents: 0),
                pollfd(fd: wakeup.reading.rawValue, events: Int16(POLLIN), revents: 0),
            ]
            let count = unsafe poll(&events, 2, -1)
            guard count >= 0 || errno == EINTR, events[1].revents == 0 else { break }
            while let length = try? unsafe buffer.withUnsafeMutableBytes({ try unsafe intercept.read(into: $0) }),
                length > 0
            {
                let bytes = Array(buffer[..<length])
                if let packet = ConnectPacket(bytes) {
                    consider(packet)
                } else if let answer = PingPacket.answer(to: bytes) {
                    inject(answer)
                }
            }
            if events[0].revents & Int16(POLLERR) != 0 { break }
        }
    }

    private func consider(_ packet: ConnectPacket) {
        let isFirst = state.withLock { state in
            guard state.pending[packet.end, default: [:]].count < Self.mostPending,
                state.pending[packet.end] != nil || state.pending.count < Self.mostPending
            else { return false }
            let isFirst = state.pending[packet.end] == nil
            state.pending[packet.end, default: [:]][packet.origin] = packet
            return isFirst
        }
        guard isFirst else { return }
        // Without a thread, the client's next packet tries again.
        threads.start({ self.tryFirst(packet.end) }, orElse: { _ = takePending(packet.end) })
    }

    /// Makes the first connection to an end; admits the client if that succeeds.
    private func tryFirst(_ end: OutsideEnd) {
        let (socket, error) = connect(to: end)
        guard let socket else {
            _ = sandbox.shortage.wait(after: error)
            let packets = takePending(end)
            // After other failures it stays silent: the client waits as long as it would outside.
            if error == ECONNREFUSED { for packet in packets.values { inject(packet.refusal) } }
            return
        }
        threads.release(socket)
        state.withLock { $0.ready[end] = (socket, .now) }
        threads.startTask { [self] in
            let isLetIn = await letIn(end)
            let packets = takePending(end)
            if isLetIn { for packet in packets.values { inject(packet.bytes) } }
        }
    }

    /// Removes the packets that wait for a connection to an end; the next packet then counts as the first again.
    private func takePending(_ end: OutsideEnd) -> [OutsideEnd: ConnectPacket] {
        state.withLock { $0.pending.removeValue(forKey: end) ?? [:] }
    }

    private func inject(_ packet: [UInt8]) { _ = try? intercept.writeAll(packet) }

    /// Admits connections to an end to the host's network, and listens for them; returns whether that succeeded.
    private func letIn(_ end: OutsideEnd) async -> Bool {
        do {
            let listener = try await sandbox.listen(for: end)
            threads.start({ self.accept(listener) }, orElse: { threads.close(listener) })
            try await sandbox.admit(end)
            return true
        } catch {
            return false
        }
    }

    // MARK: Connections

    private func accept(_ listener: FileDescriptor) {
        threads.accept(listener) { near in threads.start({ self.carry(near) }, orElse: { refuse(near) }) }
    }

    private func refuse(_ near: FileDescriptor) {
        SocketPump.reset(near)
        try? near.close()
    }

    private func carry(_ near: FileDescriptor) {
        defer { threads.close(near) }
        guard threads.keep(near), let end = OutsideEnd(of: near.rawValue), let far = ready(for: end) else {
            return SocketPump.reset(near)
        }
        defer { threads.close(far) }
        var pump = SocketPump(near, far)
        pump.run()
    }

    /// A connection to an end: the one made before the client was admitted if it is still fresh, or else a new one.
    private func ready(for end: OutsideEnd) -> FileDescriptor? {
        let known = state.withLock { $0.ready.removeValue(forKey: end) }
        if let known {
            if known.at.duration(to: .now) < Self.freshness, threads.keep(known.socket) { return known.socket }
            try? known.socket.close()
        }
        // Another connection may end and free descriptors. But a waiting connection holds a descriptor too, so this
        // ends.
        for _ in 0..<Self.mostTries {
            let (socket, error) = connect(to: end)
            guard socket == nil, !threads.isEnding, sandbox.shortage.wait(after: error) else { return socket }
        }
        return nil
    }

    /// Connects from this machine's networks, and keeps the socket; if all places refuse, the error is the first one's.
    private func connect(to end: OutsideEnd) -> (socket: FileDescriptor?, error: Int32) {
        var first: Int32?
        for place in end.here {
            let (socket, error) = connect(here: place)
            guard socket == nil, error == ECONNREFUSED else { return (socket, first ?? error) }
            first = first ?? error
        }
        return (nil, first ?? ECONNREFUSED)
    }

    private func connect(here end: OutsideEnd) -> (socket: FileDescriptor?, error: Int32) {
        let kind = SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue
        let number = socket(end.family == .ipv4 ? AF_INET : AF_INET6, Int32(kind), 0)
        guard number >= 0 else { return (nil, errno) }
        let socket = FileDescriptor(rawValue: number)
        let error = threads.keep(socket) ? end.connect(number) : ECANCELED
        guard error == 0 else {
            threads.close(socket)
            return (nil, error)
        }
        return (socket, 0)
    }
}
