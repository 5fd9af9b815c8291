internal import LinkModel
internal import NIOCore
internal import NIOPosix

/// Connects to real targets.
struct Dialer {
    let eventLoop: any EventLoop
    let timeout: Duration

    func dial(_ target: Endpoint, tuning: SocketTuning) -> EventLoopFuture<any Channel> {
        var bootstrap = ClientBootstrap(group: eventLoop)
            .connectTimeout(TimeAmount(timeout))
            .channelOption(.autoRead, value: false)
            .channelOption(.allowRemoteHalfClosure, value: true)
            .channelOption(.maxMessagesPerRead, value: 1)
            .channelOption(.tcpOption(.tcp_nodelay), value: 1)
        for (option, value) in tuning.initialOptions(from: .host) {
            bootstrap = bootstrap.channelOption(option, value: value)
        }
        if let address = try? SocketAddress(ipAddress: target.host, port: target.port) {
            return bootstrap.connect(to: address)
        }
        return bootstrap.connect(host: target.host, port: target.port)
    }
}
