import Glibc
import SandboxMessages
import Synchronization
import SystemPackage

/// Ends the TCP connections of a sandbox's client in the host's network, and carries their bytes to this machine's networks.
///
/// So they have a kernel's TCP at both ends of the link: pasta's own has no congestion control, and a slow link would be
/// flooded. The first connection to an end is let in when the same could be made from here; a refusal is a refusal to the
/// client too.
final class OutsideRelay: Sendable {
    private struct State {
        /// Ends whose first connection is being made, and the packets that wait for it.
        var pending: [OutsideEnd: [OutsideEnd: ConnectPacket]] = [:]
        /// Connections that were made from here, for the next that the client makes to the same end.
        var ready: [OutsideEnd: (socket: FileDescriptor, at: ContinuousClock.Instant)] = [:]
    }

    /// More first packets than these are not kept; the client sends them again.
    private static let mostPending = 1024
    /// After this a connection that was not accepted may have been given up by its other end.
    private static let freshness: Duration = .seconds(5)
    /// So often a connection is tried where descriptors are short.
    private static let mostTries = 50

    private let sandbox: Sandbox
    /// Gives the first packets to ends that are not let in yet, and takes them and refusals.
    private let intercept: FileDescriptor
    private let wakeup: (reading: FileDescriptor, writing: FileDescriptor)
    private let threads: SocketThreads
    private let state = Mutex(State())

    /// Begins; the intercept is its own from here on.
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
        // Where there is no thread, the client's next packet tries again.
        threads.start({ self.tryFirst(packet.end) }, orElse: { _ = takePending(packet.end) })
    }

    /// Makes the first connection to an end; lets the client in if that could be made.
    private func tryFirst(_ end: OutsideEnd) {
        let (socket, error) = connect(to: end)
        guard let socket else {
            _ = sandbox.shortage.wait(after: error)
            let packets = takePending(end)
            // Other failures are silence: the client waits for as long as it would have waited.
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

    /// The packets that wait for a connection to an end, of which the next one is the first again.
    private func takePending(_ end: OutsideEnd) -> [OutsideEnd: ConnectPacket] {
        state.withLock { $0.pending.removeValue(forKey: end) ?? [:] }
    }

    private func inject(_ packet: [UInt8]) { _ = try? intercept.writeAll(packet) }

    /// Has the host's network take connections to an end for its own, and listens for them.
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

    /// A connection to an end: the one that was made before the client was let in, if it is there.
    private func ready(for end: OutsideEnd) -> FileDescriptor? {
        let known = state.withLock { $0.ready.removeValue(forKey: end) }
        if let known {
            if known.at.duration(to: .now) < Self.freshness, threads.keep(known.socket) { return known.socket }
            try? known.socket.close()
        }
        // Somebody else's end may make room; but who waits holds a descriptor, too.
        for _ in 0..<Self.mostTries {
            let (socket, error) = connect(to: end)
            guard socket == nil, !threads.isEnding, sandbox.shortage.wait(after: error) else { return socket }
        }
        return nil
    }

    /// Makes a connection from this machine's networks, which is kept; a refusal is that of the first place.
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
