internal import LinkModel
internal import NIOCore
internal import NIOPosix

/// Opens the listeners of a link.
struct Listener {
    let engine: NIOLoopBound<LinkEngine>
    let eventLoop: any EventLoop
    let tuning: SocketTuning

    /// Listens at `endpoint` for clients of `entrance`, and returns the listener and its address with the real port.
    ///
    /// Throws ``ProxyLinkError/listen(_:_:code:)`` if the address is in use, not this machine's, or not allowed.
    func listen(
        at endpoint: Endpoint, entrance: LinkEngine.Entrance
    ) async throws -> (channel: any Channel, address: Endpoint) {
        let engine = self.engine
        let listener = try await ServerBootstrap.listening(on: eventLoop)
            .serverChannelOption(.backlog, value: 1024)
            .childChannelInitializer { channel in
                engine.value.accept(channel, by: entrance)
                return channel.eventLoop.makeSucceededVoidFuture()
            }
            .childChannelOption(.autoRead, value: false)
            .childChannelOption(.allowRemoteHalfClosure, value: true)
            .childChannelOption(.maxMessagesPerRead, value: 1)
            .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
            .listen(at: endpoint, options: tuning.initialOptions(from: .client))
        try await eventLoop.submit {
            engine.value.listeners.append(listener.channel)
            if case .reverse(let target) = entrance { engine.value.reverseTargets[listener.address] = target }
        }.get()
        return listener
    }
}

extension ServerBootstrap {
    /// What all listeners have in common.
    static func listening(on eventLoop: any EventLoop) -> ServerBootstrap {
        ServerBootstrap(group: eventLoop)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            // If descriptors run out, accept(2) fails again and again: this tries it less often.
            .serverChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(AcceptBackoffHandler())
                }
            }
    }

    /// Listens at `endpoint`, with the options of ``KeepAlive`` and these; the address has the real port.
    ///
    /// Throws ``ProxyLinkError/listen(_:_:code:)`` if the address cannot be used.
    func listen(
        at endpoint: Endpoint, options: [(ChannelOptions.Types.SocketOption, SocketOptionValue)] = []
    ) async throws -> (channel: any Channel, address: Endpoint) {
        var bootstrap = self
        for (option, value) in KeepAlive.options + options {
            bootstrap = bootstrap.serverChannelOption(option, value: value)
        }
        do {
            let address = try SocketAddress(ipAddress: endpoint.host, port: endpoint.port)
            let channel = try await bootstrap.bind(to: address).get()
            return (channel, Endpoint(host: endpoint.host, port: channel.localAddress?.port ?? endpoint.port))
        } catch {
            throw ProxyLinkError.listening(at: endpoint, error)
        }
    }
}
