internal import NIOCore
internal import NIOPosix

extension Endpoint {
    /// A listen address as Toxiproxy's clients write it: `127.0.0.1:8080`, `[::]:8080`, `localhost:0`, `:8080`.
    ///
    /// Names are resolved. An empty text means a free port of 127.0.0.1, which no other machine reaches. Throws
    /// ``NamedProxyError/cannotListen(_:)`` if the text is no address or the name does not resolve.
    static func listening(at text: String) async throws -> Endpoint {
        if text.isEmpty { return .anyLoopbackPort }
        let place: Endpoint
        do {
            place = try Endpoint(parsing: text.hasPrefix(":") ? "[::]\(text)" : text)
        } catch {
            throw NamedProxyError.cannotListen(
                "Could not listen at '\(text)': \(error.reason). Write 127.0.0.1:8080, or [::]:8080 for every address.")
        }
        if place.host == "localhost" { return Endpoint(host: "127.0.0.1", port: place.port) }
        if place.isAddress { return place }
        do {
            // Resolving a name blocks, and so must not happen on an event loop.
            let address = try await NIOThreadPool.singleton.runIfActive {
                try SocketAddress.makeAddressResolvingHost(place.host, port: place.port)
            }
            return Endpoint(host: address.ipAddress ?? place.host, port: place.port)
        } catch {
            throw NamedProxyError.cannotListen(
                "Could not listen at '\(text)': '\(place.host)' has no address. Write an address of this machine.")
        }
    }
}
