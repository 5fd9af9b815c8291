import NIOCore
import NIOPosix
import SystemPackage

/// A running server of packs, by HTTP/1.1 and, if TLS negotiates it, HTTP/2; see RFC 9110, RFC 9112 and RFC 9113.
///
/// It exists only within ``withPackHost(_:_:)``.
package final class PackHost: Sendable {
    /// The numeric address that the host listens on; with several listeners, that of the first.
    package let address: String
    /// The TCP port of that listener.
    package let port: Int
    /// The host's URL without a path: `http://127.0.0.1:8080`.
    package let url: String
    /// The value of `Headwind-Run` on every response.
    package let nonce: String
    /// The host's events, in order on each connection; the stream ends with the host.
    ///
    /// No event is ever dropped: unread events are kept in memory. The stream has one reader.
    package let events: AsyncStream<HostEvent>

    private let core: HostCore
    private let listeners: [any Channel]

    /// What the host has done so far.
    package var statistics: HostStatistics { core.statistics }

    fileprivate init(_ configuration: HostConfiguration) async throws {
        let (events, continuation) = AsyncStream.makeStream(of: HostEvent.self, bufferingPolicy: .unbounded)
        // First, because from here on the sockets that were passed in have an owner.
        let sockets = try ListeningSocket.open([configuration.listener] + configuration.moreListeners)
        do {
            core = try HostCore(configuration, events: continuation)
        } catch {
            for socket in sockets { try? socket.close() }
            throw error
        }
        listeners = try await Self.listen(on: sockets, core)
        let first = listeners[0]
        address = first.localAddress?.ipAddress ?? ""
        port = first.localAddress?.port ?? 0
        let scheme = configuration.security == nil ? "http" : "https"
        url = "\(scheme)://\(address.contains(":") ? "[\(address)]" : address):\(port)"
        (self.events, nonce) = (events, configuration.nonce)
    }

    /// Makes redirects from one port lead to the other, and back, from now on.
    package func lead(from port: Int, to other: Int) { core.lead(from: port, to: other) }

    fileprivate func close() async {
        core.beginClosing()
        // Closing fails for a listener that has already failed.
        for listener in listeners { try? await listener.close() }
        await core.closeAll()
    }
}

/// Runs a host for as long as `body` runs.
///
/// When `body` returns or throws, also after cancellation, every socket is closed before this returns, and responses
/// under way are broken off. No client can end the host, whatever it sends.
///
/// Throws ``HostError`` if the host cannot be started, and the errors of `body`.
package func withPackHost<Result>(
    _ configuration: HostConfiguration, _ body: (PackHost) async throws -> Result
) async throws -> Result {
    let host = try await PackHost(configuration)
    do {
        let result = try await body(host)
        await host.close()
        return result
    } catch {
        await host.close()
        throw error
    }
}

extension PackHost {
    /// Makes NIO accept on every socket, and own it from then on; if one fails, the others are closed.
    private static func listen(
        on sockets: [SystemPackage.FileDescriptor], _ core: HostCore
    ) async throws -> [any Channel] {
        var listeners: [any Channel] = []
        do {
            for socket in sockets {
                listeners.append(try await bootstrap(core).withBoundSocket(socket.rawValue).get())
            }
            return listeners
        } catch {
            core.beginClosing()
            for listener in listeners { try? await listener.close() }
            // NIO has closed the one that failed.
            for socket in sockets.dropFirst(listeners.count + 1) { try? socket.close() }
            throw error
        }
    }

    private static func bootstrap(_ core: HostCore) -> ServerBootstrap {
        let capacity = min(max(1, core.limits.connections), HostLimits.mostConnections)
        return ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .serverChannelOption(.maxMessagesPerRead, value: 1)
            .serverChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    ListeningSocket.widen(channel)
                    try channel.pipeline.syncOperations.addHandler(AcceptGate(capacity: capacity, core: core))
                }
            }
            .childChannelOption(.allowRemoteHalfClosure, value: true)
            .childChannelOption(.recvAllocator, value: FixedSizeRecvByteBufferAllocator(capacity: 16 << 10))
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    KernelSocket.closeOnExec(channel)
                    guard let number = core.open(channel) else { throw ChannelError.alreadyClosed }
                    // Also for a channel that never became active.
                    channel.closeFuture.whenComplete { _ in core.forget(number) }
                    try ConnectionPipeline(number, core: core).build(channel)
                }
            }
    }
}
