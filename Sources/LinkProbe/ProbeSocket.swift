import Glibc
import NIOCore
import NIOPosix

/// A socket of a probe, with its options and the wait for results.
struct ProbeSocket {
    /// The bytes of one read: few, so that the time of a read is close to the arrival of its bytes.
    static let readSize = 4 << 10
    /// SO_SNDBUF in bytes (the kernel doubles it): small, so that few bytes are left to send when a load ends.
    static let sendBuffer: Int = 64 << 10

    let channel: any Channel
    let peer: String
    let deadline: NIODeadline

    /// Connects to `host`.
    ///
    /// Throws ``ProbeError`` if it cannot connect by the deadline.
    static func connect(
        to host: String, port: Int, loop: any EventLoop, deadline: NIODeadline
    ) async throws -> ProbeSocket {
        let peer = host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
        let start = NIODeadline.now()
        let bootstrap = bootstrap(loop)
            .channelOption(.socketOption(.so_sndbuf), value: sendBuffer)
            .connectTimeout(max(.milliseconds(1), deadline - start))
        let failed = { (outcome: ProbeError.Outcome) in ProbeError(attempt: "connect", peer: peer, outcome: outcome) }
        do {
            return ProbeSocket(
                channel: try await bootstrap.connect(host: host, port: port).get(), peer: peer, deadline: deadline)
        } catch ChannelError.connectTimeout {
            throw failed(.silent(start.elapsed))
        } catch let error as NIOConnectionError {
            throw failed(.unreachable(error.connectionErrors.first.map { "\($0.error)" } ?? "\(error)"))
        } catch {
            throw failed(.unreachable("\(error)"))
        }
    }

    /// Takes over a connected socket; throws ``ProbeError`` if it cannot.
    static func adopt(
        _ socket: NIOBSDSocket.Handle, peer: String, loop: any EventLoop, deadline: NIODeadline
    ) async throws -> ProbeSocket {
        do {
            return ProbeSocket(
                channel: try await bootstrap(loop).withConnectedSocket(socket).get(), peer: peer, deadline: deadline)
        } catch {
            throw ProbeError(attempt: "take over a socket", peer: peer, outcome: .unreachable("\(error)"))
        }
    }

    private static func bootstrap(_ loop: any EventLoop) -> ClientBootstrap {
        ClientBootstrap(group: loop)
            .channelOption(.tcpOption(.tcp_nodelay), value: 1)
            .channelOption(.recvAllocator, value: FixedSizeRecvByteBufferAllocator(capacity: readSize))
            .channelInitializer { channel in channel.eventLoop.makeCompletedFuture { channel.keepFromChildren() } }
    }

    /// Waits for the value of `goal`, which the handlers of `make`, added to the channel, or other code must settle.
    ///
    /// Throws ``ProbeError`` if the channel ends before or the deadline passes, and `CancellationError`.
    func bring<Value: Sendable>(
        _ goal: Goal<Value>, _ make: @escaping @Sendable () -> [any ChannelHandler]
    ) async throws -> Value {
        let channel = channel
        let start = NIODeadline.now()
        let timer = channel.eventLoop.scheduleTask(deadline: deadline + Self.grace) {
            goal.miss(.silent(start.elapsed))
        }
        channel.eventLoop.execute {
            do {
                try channel.pipeline.syncOperations.addHandlers(make() + [EndWatch(goal)])
            } catch {
                goal.miss(.closed(nil))
            }
        }
        defer { timer.cancel() }
        return try await withTaskCancellationHandler {
            try await goal.result.get()
        } onCancel: {
            goal.cancel()
        }
    }

    /// Resets the connection.
    func abort() async {
        let channel = channel
        // The channel may have closed already, which is fine.
        try? await channel.eventLoop.submit {
            channel.abortOnClose()
            channel.close(promise: nil)
        }.get()
    }

    /// The time after the deadline in which handlers return what they have.
    private static let grace = Duration.milliseconds(50)
}

extension NIODeadline {
    /// The time since this deadline.
    var elapsed: Duration { .nanoseconds((NIODeadline.now() - self).nanoseconds) }
}

extension Channel {
    /// Sets FD_CLOEXEC, so that programs that are started later do not inherit the socket.
    ///
    /// On the channel's loop only.
    ///
    /// NIO does not set it; a child would keep a port or a connection open.
    func keepFromChildren() {
        // A channel without a socket needs no flag.
        try? pipeline.syncOperations.withUnsafeTransportIfAvailable { (socket: CInt) in
            _ = fcntl(socket, F_SETFD, FD_CLOEXEC)
        }
    }

    /// Makes a close reset the connection, and drop bytes that would otherwise be sent for minutes over a slow link.
    ///
    /// On the channel's loop only. See socket(7), SO_LINGER.
    func abortOnClose() {
        try? pipeline.syncOperations.withUnsafeTransportIfAvailable { (socket: CInt) in
            var now = linger(l_onoff: 1, l_linger: 0)
            setsockopt(socket, SOL_SOCKET, SO_LINGER, &now, socklen_t(MemoryLayout<linger>.size))
        }
    }
}
