import LinuxSupport
package import NIOCore
import NIOPosix

/// The far end of a probe: a TCP server that echoes, sends and receives bytes, and notes when bytes arrive.
///
/// ``withProbeServer(on:_:)`` runs it.
package struct ProbeServer: Sendable {
    /// The most connections at one time; further ones are closed at once.
    static let mostConnections = 64
    /// The longest time of a connection: 60 s.
    static let longestConnection = TimeAmount.seconds(60)

    /// The address that it listens on: 127.0.0.1, unless it was given a socket.
    package let host: String
    /// The port that it listens on.
    package let port: Int

    let uploads: UploadTable
}

/// Runs a probe's server, on a thread of its own, for as long as `body` runs.
///
/// It listens on a free port of 127.0.0.1, or on `socket`, a bound stream socket that it then owns.
///
/// However `body` ends, every socket of the server is closed before this returns. Throws ``ProbeError`` if the server
/// cannot listen, `ResourceShortage` if there is no thread for it, and each error of `body`.
package func withProbeServer<Result>(
    on socket: NIOBSDSocket.Handle? = nil, _ body: (ProbeServer) async throws -> Result
) async throws -> Result {
    try await withEventLoop { loop in
        let uploads = UploadTable()
        let listener = try await listen(on: loop, socket, uploads)
        // The loop closes its channels when it ends.
        let address = listener.localAddress
        return try await body(
            ProbeServer(host: address?.ipAddress ?? "127.0.0.1", port: address?.port ?? 0, uploads: uploads))
    }
}

/// Runs `body` with an event loop on a thread of its own; the thread and its channels have ended when this returns.
func withEventLoop<Result>(_ body: (any EventLoop) async throws -> Result) async throws -> Result {
    // Twice the need, as other code of this process may take resources at the same time.
    try (ResourceNeeds.eventLoop * 2).check(for: "A probe of a link")
    let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    return try await ending {
        try await body(group.next())
    } with: {
        try await group.shutdownGracefully()
    }
}

private func listen(
    on loop: any EventLoop, _ socket: NIOBSDSocket.Handle?, _ uploads: UploadTable
) async throws -> any Channel {
    // The open connections, counted on their common loop.
    let count = NIOLoopBoundBox.makeBoxSendingValue(0, eventLoop: loop)
    do {
        let bootstrap = ServerBootstrap(group: loop)
            .serverChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture { channel.keepFromChildren() }
            }
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
            .childChannelOption(.recvAllocator, value: FixedSizeRecvByteBufferAllocator(capacity: ProbeSocket.readSize))
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    channel.keepFromChildren()
                    guard count.value < ProbeServer.mostConnections else { throw ProbeMessage.Malformed() }
                    count.value += 1
                    let end = channel.eventLoop.scheduleTask(in: ProbeServer.longestConnection) {
                        channel.close(promise: nil)
                    }
                    channel.closeFuture.whenComplete { _ in
                        end.cancel()
                        count.value -= 1
                    }
                    try channel.pipeline.syncOperations.addHandler(ServerHandler(uploads))
                }
            }
        // Over a real link, a fixed buffer would limit the rate; the kernel's own grows with the window.
        if let socket { return try await bootstrap.withBoundSocket(socket).get() }
        return
            try await bootstrap
            .childChannelOption(.socketOption(.so_sndbuf), value: ProbeSocket.sendBuffer)
            .bind(host: "127.0.0.1", port: 0).get()
    } catch {
        throw ProbeError(
            attempt: "listen for the probe of a link", peer: "127.0.0.1", outcome: .unreachable("\(error)"))
    }
}
