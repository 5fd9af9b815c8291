import Glibc
import NIOCore
import NIOPosix

/// How a probe's sockets are set up, and what is awaited on them.
struct ProbeSocket {
    /// Bytes for one read: few, so that the time of a read is the time of its bytes.
    static let readSize = 4 << 10
    /// SO_SNDBUF, in bytes (the kernel doubles it): little is left to send when a direction was loaded enough.
    static let sendBuffer: Int = 64 << 10

    let channel: any Channel
    let peer: String
    let deadline: NIODeadline

    /// Connects to `host`.
    ///
    /// Throws ``ProbeError``, and `CancellationError`.
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

    /// Takes over a connected socket.
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

    /// What `goal` is settled with, by handlers that `make` makes and that are added to the channel, or by others.
    ///
    /// Throws ``ProbeError`` where the channel ends before, or nothing has come by the deadline; and `CancellationError`.
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
        // It may have closed already, which is as good.
        try? await channel.eventLoop.submit {
            channel.abortOnClose()
            channel.close(promise: nil)
        }.get()
    }

    /// At the deadline itself handlers give what they have.
    private static let grace = Duration.milliseconds(50)
}

extension NIODeadline {
    /// The time since then.
    var elapsed: Duration { .nanoseconds((NIODeadline.now() - self).nanoseconds) }
}

extension Channel {
    /// Keeps the socket from programs that are started later.
    ///
    /// On the channel's loop only.
    ///
    /// NIO does not; a child would keep a port or a connection open.
    func keepFromChildren() {
        // A channel without a socket has nothing to keep.
        try? pipeline.syncOperations.withUnsafeTransportIfAvailable { (socket: CInt) in
            _ = fcntl(socket, F_SETFD, FD_CLOEXEC)
        }
    }

    /// Makes closing a reset: what was written and not yet sent is dropped rather than sent for minutes over a slow
    /// link.
    ///
    /// On the channel's loop only. See socket(7), SO_LINGER.
    func abortOnClose() {
        try? pipeline.syncOperations.withUnsafeTransportIfAvailable { (socket: CInt) in
            var now = linger(l_onoff: 1, l_linger: 0)
            setsockopt(socket, SOL_SOCKET, SO_LINGER, &now, socklen_t(MemoryLayout<linger>.size))
        }
    }
}
