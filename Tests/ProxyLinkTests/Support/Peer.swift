import Glibc
import NIOConcurrencyHelpers
import NIOCore
import NIOPosix
import ProxyLink
import Testing

/// One end of a real TCP connection, whose arriving bytes, end or reset a test can await.
final class Peer: Sendable {
    enum Arrival: Sendable, Equatable {
        case bytes([UInt8])
        case end
        case reset
    }

    let channel: any Channel
    private let arrivals: AsyncStream<Arrival>
    private let unread = NIOLockedValueBox<[UInt8]>([])

    fileprivate init(_ channel: any Channel, arrivals: AsyncStream<Arrival>) {
        self.channel = channel
        self.arrivals = arrivals
    }

    /// Connects; `sendBuffer` is SO_SNDBUF in bytes, and nil leaves it to the kernel.
    static func connect(to endpoint: Endpoint, reads: Bool = true, sendBuffer: Int? = nil) async throws -> Peer {
        let (arrivals, continuation) = AsyncStream.makeStream(of: Arrival.self)
        var bootstrap = ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
        if let sendBuffer {
            bootstrap = bootstrap.channelOption(.socketOption(.so_sndbuf), value: SocketOptionValue(sendBuffer))
        }
        let channel =
            try await bootstrap
            .channelOption(.allowRemoteHalfClosure, value: true)
            .channelOption(.autoRead, value: reads)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(ArrivalHandler(continuation))
                }
            }
            .connect(host: endpoint.host, port: endpoint.port).get()
        return Peer(channel, arrivals: arrivals)
    }

    func send(_ text: String) async throws { try await send(Array(text.utf8)) }

    func send(_ bytes: [UInt8]) async throws { try await channel.writeAndFlush(ByteBuffer(bytes: bytes)).get() }

    func finish() async throws { try await channel.close(mode: .output).get() }

    func close() { channel.close(promise: nil) }

    func reset() async throws {
        let provider = try #require(channel as? any SocketOptionProvider)
        try await provider.setSoLinger(linger(l_onoff: 1, l_linger: 0)).get()
        try await channel.close().get()
    }

    /// Waits for `count` bytes; returns fewer only if the stream ends first.
    func receive(_ count: Int) async -> [UInt8] {
        while unread.withLockedValue({ $0.count < count }) {
            guard case .bytes(let bytes)? = await next() else { break }
            unread.withLockedValue { $0 += bytes }
        }
        return unread.withLockedValue { unread in
            let taken = Array(unread.prefix(count))
            unread.removeFirst(taken.count)
            return taken
        }
    }

    func receiveText(_ count: Int) async -> String { String(decoding: await receive(count), as: UTF8.self) }

    /// All bytes up to the end, and how the stream ended.
    func receiveAll() async -> (bytes: [UInt8], ending: Arrival?) {
        while true {
            switch await next() {
            case .bytes(let bytes)?: unread.withLockedValue { $0 += bytes }
            case let ending:
                return (
                    unread.withLockedValue { unread in
                        defer { unread = [] }
                        return unread
                    }, ending
                )
            }
        }
    }

    func receiveAllText() async -> String { String(decoding: await receiveAll().bytes, as: UTF8.self) }

    private func next() async -> Arrival? {
        var iterator = arrivals.makeAsyncIterator()
        return await iterator.next()
    }
}

/// A listener that hands out its connections.
final class PeerListener: Sendable {
    let endpoint: Endpoint
    let peers: AsyncStream<Peer>
    private let channel: any Channel

    static func with<Result>(
        reads: Bool = true, _ body: (PeerListener) async throws -> Result
    ) async throws -> Result {
        let (peers, continuation) = AsyncStream.makeStream(of: Peer.self)
        let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .serverChannelOption(.backlog, value: 1024)
            .childChannelOption(.allowRemoteHalfClosure, value: true)
            .childChannelOption(.autoRead, value: reads)
            .childChannelInitializer { channel in
                let (arrivals, feed) = AsyncStream.makeStream(of: Peer.Arrival.self)
                continuation.yield(Peer(channel, arrivals: arrivals))
                return channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(ArrivalHandler(feed))
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        let listener = try PeerListener(channel, peers: peers)
        do {
            let result = try await body(listener)
            try await channel.close().get()
            return result
        } catch {
            try await channel.close().get()
            throw error
        }
    }

    private init(_ channel: any Channel, peers: AsyncStream<Peer>) throws {
        self.channel = channel
        self.peers = peers
        endpoint = Endpoint(host: "127.0.0.1", port: try #require(channel.localAddress?.port))
    }

    func accept() async throws -> Peer {
        var iterator = peers.makeAsyncIterator()
        return try #require(await iterator.next())
    }
}

private final class ArrivalHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    private let continuation: AsyncStream<Peer.Arrival>.Continuation
    private var hasEnded = false

    init(_ continuation: AsyncStream<Peer.Arrival>.Continuation) { self.continuation = continuation }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        continuation.yield(.bytes(Array(unwrapInboundIn(data).readableBytesView)))
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case .inputClosed? = event as? ChannelEvent { end(.end) }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        end(.reset)
        context.close(promise: nil)
    }

    func channelInactive(context: ChannelHandlerContext) {
        end(.end)
        continuation.finish()
    }

    private func end(_ arrival: Peer.Arrival) {
        if !hasEnded { continuation.yield(arrival) }
        hasEnded = true
    }
}
