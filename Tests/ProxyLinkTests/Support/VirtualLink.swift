import LinkModel
import NIOCore
import NIOEmbedded
import Testing

@testable import ProxyLink

/// A link in virtual time: sockets are embedded channels, and time passes only when a test advances it.
final class VirtualLink {
    let loop = EmbeddedEventLoop()
    let engine: LinkEngine
    private let box: HostBox
    private let address: SocketAddress

    /// Makes a link; `dialTime` is how long the real connection to a target takes.
    init(
        _ profile: Profile, seed: UInt64 = 1, limits: ProxyLimits = ProxyLimits(), dialTime: Duration = .zero,
        access: ClientAccess = ClientAccess()
    ) throws {
        let loop = loop
        let address = try SocketAddress(ipAddress: "192.0.2.1", port: 80)
        let box = HostBox()
        let configuration = ProxyLinkConfiguration(
            profile: profile, seed: seed, routes: RouteTable(policy: .direct), access: access, limits: limits)
        engine = LinkEngine(
            configuration, eventLoop: loop, meterClock: { Instant(loop.now) },
            dial: { _, _, _ in
                let channel = EmbeddedChannel(loop: loop)
                box.hosts.append(channel)
                channel.connect(to: address, promise: nil)
                if dialTime == .zero { return loop.makeSucceededFuture(channel) }
                return loop.scheduleTask(in: TimeAmount(dialTime)) { channel }.futureResult
            })
        self.box = box
        self.address = address
    }

    private final class HostBox { var hosts: [EmbeddedChannel] = [] }

    var now: Duration { .nanoseconds(Instant(loop.now).nanoseconds) }

    func host(_ index: Int = 0) -> EmbeddedChannel { box.hosts[index] }
    var hostCount: Int { box.hosts.count }

    func connect(_ entrance: LinkEngine.Entrance = .reverse(Endpoint(host: "192.0.2.1", port: 80))) -> EmbeddedChannel {
        let channel = EmbeddedChannel(loop: loop)
        engine.accept(channel, by: entrance)
        channel.connect(to: address, promise: nil)
        return channel
    }

    func advance(_ time: Duration) { loop.advanceTime(by: TimeAmount(time)) }

    /// Passes time until `condition` holds, and returns that moment; nil if it does not hold within `limit`.
    func advance(upTo limit: Duration, by step: Duration = .microseconds(100), until condition: () -> Bool) -> Duration?
    {
        let end = now + limit
        while !condition() {
            guard now < end else { return nil }
            advance(step)
        }
        return now
    }

    /// Closes the link, so that no channel stays open.
    func stop() {
        engine.stop()
        for channel in box.hosts { _ = try? channel.finish(acceptAlreadyClosed: true) }
    }
}

extension EmbeddedChannel {
    func receive(_ bytes: [UInt8]) {
        pipeline.fireChannelRead(ByteBuffer(bytes: bytes))
        pipeline.fireChannelReadComplete()
    }

    /// The bytes written to this socket since the last call.
    func sent() -> [UInt8] {
        var bytes: [UInt8] = []
        while let buffer = try? readOutbound(as: ByteBuffer.self) { bytes += buffer.readableBytesView }
        return bytes
    }
}
