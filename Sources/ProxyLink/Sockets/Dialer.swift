internal import LinkModel
internal import NIOCore
internal import NIOPosix

/// Connects to real targets.
struct Dialer {
    let eventLoop: any EventLoop
    let timeout: Duration

    /// Connects to `target`; fails with a ``Denial`` if `admission` refuses an address of its name.
    func dial(_ target: Endpoint, tuning: SocketTuning, admission: Admission) -> EventLoopFuture<any Channel> {
        // `localhost` is not resolved: servers of this machine listen at either loopback address.
        guard target.host.lowercased() == "localhost" else { return connect(target, tuning, admission) }
        return connect(Endpoint(host: "127.0.0.1", port: target.port), tuning, admission).flatMapError { error in
            connect(Endpoint(host: "::1", port: target.port), tuning, admission).flatMapError { _ in
                eventLoop.makeFailedFuture(error)
            }
        }
    }

    private func connect(
        _ target: Endpoint, _ tuning: SocketTuning, _ admission: Admission
    ) -> EventLoopFuture<any Channel> {
        var bootstrap = ClientBootstrap(group: eventLoop)
            .connectTimeout(TimeAmount(timeout))
            .channelOption(.autoRead, value: false)
            .channelOption(.allowRemoteHalfClosure, value: true)
            .channelOption(.maxMessagesPerRead, value: 1)
            .channelOption(.tcpOption(.tcp_nodelay), value: 1)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(ConnectGate(admission))
                }
            }
        for (option, value) in KeepAlive.options + tuning.initialOptions(from: .host) {
            bootstrap = bootstrap.channelOption(option, value: value)
        }
        if let address = try? SocketAddress(ipAddress: target.host, port: target.port) {
            return bootstrap.connect(to: address)
        }
        return bootstrap.connect(host: target.host, port: target.port)
    }
}

/// Checks each address before connect(2), after names have been resolved.
private final class ConnectGate: ChannelOutboundHandler, RemovableChannelHandler {
    typealias OutboundIn = ByteBuffer

    private let admission: Admission

    init(_ admission: Admission) { self.admission = admission }

    func connect(context: ChannelHandlerContext, to address: SocketAddress, promise: EventLoopPromise<Void>?) {
        do throws(Denial) {
            try admission.check(address)
            context.connect(to: address, promise: promise)
            context.pipeline.syncOperations.removeHandler(context: context, promise: nil)
        } catch {
            promise?.fail(error)
            context.close(promise: nil)
        }
    }
}
