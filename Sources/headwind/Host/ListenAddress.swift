import ArgumentParser

/// A numeric address and a port: `127.0.0.1:8080`, `[::1]:0`.
struct ListenAddress: ExpressibleByArgument, Hashable, CustomStringConvertible {
    let address: String
    let port: Int

    init(address: String, port: Int) {
        (self.address, self.port) = (address, port)
    }

    init?(argument: String) {
        guard let colon = argument.lastIndex(of: ":"), let port = UInt16(argument[argument.index(after: colon)...])
        else {
            return nil
        }
        var address = argument[..<colon]
        if address.hasPrefix("[") && address.hasSuffix("]") {
            address = address.dropFirst().dropLast()
        } else if address.contains(":") {
            return nil  // an IPv6 address without brackets: its end could be the port
        }
        guard !address.isEmpty else { return nil }
        self.init(address: String(address), port: Int(port))
    }

    var description: String { address.contains(":") ? "[\(address)]:\(port)" : "\(address):\(port)" }

    var defaultValueDescription: String { description }
}
