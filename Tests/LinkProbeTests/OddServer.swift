import NIOCore
import NIOPosix

/// A server that does one odd thing to each client.
enum OddServer: Sendable {
    /// Reads, and answers nothing.
    case silent
    /// Closes when it has read something.
    case closing
    /// Answers with this, and closes.
    case answering(String)
    /// Confirms the tunnel, and sends nothing more.
    case hollow

    func run<Value>(_ body: (_ port: Int) async throws -> Value) async throws -> Value {
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let listener = try await ServerBootstrap(group: group)
            .childChannelInitializer { [self] channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(OddHandler(self))
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        do {
            let value = try await body(listener.localAddress?.port ?? 0)
            try await group.shutdownGracefully()
            return value
        } catch {
            try await group.shutdownGracefully()
            throw error
        }
    }
}

private final class OddHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let server: OddServer
    private var hasAnswered = false

    init(_ server: OddServer) { self.server = server }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !hasAnswered else { return }
        hasAnswered = true
        let channel = context.channel
        switch server {
        case .silent: break
        case .closing: channel.close(promise: nil)
        case .hollow: channel.writeAndFlush(ByteBuffer(string: "HTTP/1.1 200 OK\r\n\r\n"), promise: nil)
        case .answering(let text):
            channel.writeAndFlush(ByteBuffer(string: text)).whenComplete { _ in channel.close(promise: nil) }
        }
    }
}
