import Glibc
import NIOCore
import NIOPosix

/// One direction of a relay: bytes leave in turn at its rate, and arrive after its delay.
struct Pace: Sendable {
    /// Payload bits per second; `nil` is unlimited.
    var rate: Double?
    var delay: TimeAmount = .zero
    /// The relay reads again when the waiting bytes take less time than this.
    var readAhead: TimeAmount = .milliseconds(50)
}

/// An HTTP CONNECT proxy whose tunnels carry a known rate and delay, by a schedule of its own.
struct PacedRelay {
    let port: Int

    static func run<Value>(
        uplink: Pace, downlink: Pace, _ body: (PacedRelay) async throws -> Value
    ) async throws -> Value {
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let listener = try await ServerBootstrap(group: group)
            .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
            .childChannelInitializer { client in
                client.eventLoop.makeCompletedFuture {
                    try client.pipeline.syncOperations.addHandler(TunnelOpener(uplink, downlink))
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        do {
            let value = try await body(PacedRelay(port: listener.localAddress?.port ?? 0))
            try await group.shutdownGracefully()
            return value
        } catch {
            try await group.shutdownGracefully()
            throw error
        }
    }
}

/// Reads CONNECT, connects, and adds a pacer on either side.
private final class TunnelOpener: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let uplink: Pace
    private let downlink: Pace
    private var head = ""

    init(_ uplink: Pace, _ downlink: Pace) { (self.uplink, self.downlink) = (uplink, downlink) }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        head += String(buffer: unwrapInboundIn(data))
        guard head.hasSuffix("\r\n\r\n"), let port = Int(head.split(separator: " ")[1].split(separator: ":")[1]) else {
            return
        }
        let client = context.channel
        ClientBootstrap(group: context.eventLoop)
            .channelOption(.tcpOption(.tcp_nodelay), value: 1)
            .channelOption(.autoRead, value: false)
            .connect(host: "127.0.0.1", port: port)
            .assumeIsolated()
            .whenSuccess { [self] server in
                client.setOption(.autoRead, value: false).assumeIsolated().whenSuccess { [self] in
                    guard (try? join(client, server)) != nil else { return client.close(promise: nil) }
                }
            }
    }

    private func join(_ client: any Channel, _ server: any Channel) throws {
        try client.pipeline.syncOperations.addHandler(Pacer(to: server, uplink))
        try server.pipeline.syncOperations.addHandler(Pacer(to: client, downlink))
        client.writeAndFlush(ByteBuffer(string: "HTTP/1.1 200 OK\r\nVia: 1.1 test\r\n\r\n"), promise: nil)
        client.pipeline.syncOperations.removeHandler(self, promise: nil)
        client.read()
        server.read()
    }
}

/// Forwards bytes at their time, and reads again when few wait.
private final class Pacer: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let other: any Channel
    private let pace: Pace
    private var free = NIODeadline.now()

    init(to other: any Channel, _ pace: Pace) { (self.other, self.pace) = (other, pace) }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        var bytes = unwrapInboundIn(data)
        free = max(free, .now())
        while let packet = bytes.readSlice(length: min(1448, bytes.readableBytes)), packet.readableBytes > 0 {
            if let rate = pace.rate { free = free + .nanoseconds(Int64(Double(packet.readableBytes) * 8e9 / rate)) }
            let arrival = free + pace.delay
            guard pace.rate != nil || pace.delay > .zero else {
                other.writeAndFlush(packet, promise: nil)
                continue
            }
            context.eventLoop.scheduleTask(deadline: arrival) { [other] in other.writeAndFlush(packet, promise: nil) }
        }
        let next = max(.now(), free - pace.readAhead)
        context.eventLoop.assumeIsolated().scheduleTask(deadline: next) { context.read() }
    }

    func channelInactive(context: ChannelHandlerContext) { other.close(promise: nil) }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}
