import ProxyLink

/// A numeric address and a port: `127.0.0.1:8080`, `[::1]:0`.
struct ListenAddress: Hashable, CustomStringConvertible {
    let address: String
    let port: Int

    init(address: String, port: Int) {
        (self.address, self.port) = (address, port)
    }

    /// Reads ``ListeningPlace``; throws what is wrong, and what to write.
    init(parsing text: String) throws {
        let place = try ListeningPlace.read(text)
        self.init(address: place.host, port: place.port)
    }

    var description: String { address.contains(":") ? "[\(address)]:\(port)" : "\(address):\(port)" }
}
