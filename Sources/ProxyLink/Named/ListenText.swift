internal import NIOCore
internal import NIOPosix

/// Where a named proxy is to listen, as Toxiproxy's clients write it: `127.0.0.1:8080`, `[::]:8080`, `localhost:0`, `:8080`.
struct ListenText {
    private let text: String

    init(_ text: String) { self.text = text }

    /// The address that it says; names are looked up.
    ///
    /// Nothing at all is a free port of 127.0.0.1, where no other machine reaches it.
    func endpoint() async throws -> Endpoint {
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
            // A look-up waits for others, and so has no place on an event loop.
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
