internal import NIOCore
internal import NIOPosix

/// A host name or an address, with a port (the authority of RFC 3986 §3.2 without user information).
package struct Endpoint: Hashable, Sendable, CustomStringConvertible {
    /// The name or address in lower case; an IPv6 address has no brackets.
    package let host: String
    /// The port, 0 to 65535; a listener at port 0 takes any free port.
    package let port: Int

    package init(host: String, port: Int) {
        precondition((0...65_535).contains(port), "a port is 0 to 65535: \(port)")
        self.host = host.lowercased()
        self.port = port
    }

    /// Reads `name:port`, `192.0.2.1:port` or `[2001:db8::1]:port`; `defaultPort` stands for a missing port.
    ///
    /// Throws ``EndpointError`` if the text is none of these, or lacks a port that has no default.
    package init(parsing text: String, defaultPort: Int? = nil) throws(EndpointError) {
        func failure(_ reason: String) -> EndpointError { EndpointError(text: text, reason: reason) }
        let host: Substring
        let rest: Substring
        if text.hasPrefix("[") {
            guard let end = text.firstIndex(of: "]") else { throw failure("the bracket of the address is not closed") }
            host = text[text.index(after: text.startIndex)..<end]
            rest = text[text.index(after: end)...]
            guard host.contains(":"), Self.isAddress(String(host)) else {
                throw failure("'\(host)' is not an IPv6 address")
            }
        } else {
            let colon = text.firstIndex(of: ":") ?? text.endIndex
            host = text[..<colon]
            rest = text[colon...]
            guard Self.isName(host) else { throw failure("'\(host)' is neither a host name nor an address") }
        }
        if rest.isEmpty, let defaultPort {
            self.init(host: String(host), port: defaultPort)
            return
        }
        guard rest.hasPrefix(":") else { throw failure("it has no port") }
        let digits = rest.dropFirst()
        guard digits.utf8.allSatisfy({ (48...57).contains($0) }), let port = Int(digits), port <= 65_535 else {
            throw failure("'\(digits)' is not a port; a port is 0 to 65535")
        }
        self.init(host: String(host), port: port)
    }

    /// Whether the host is an address, so that no name must be resolved.
    package var isAddress: Bool { Self.isAddress(host) }

    package var description: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }

    private static func isAddress(_ host: String) -> Bool { (try? SocketAddress(ipAddress: host, port: 0)) != nil }

    /// Whether it has only letters, digits, hyphens, dots, and the underscore of some names in private networks.
    private static func isName(_ host: Substring) -> Bool {
        (1...253).contains(host.utf8.count) && host.utf8.allSatisfy(nameBytes.contains)
    }

    private static let nameBytes = Set("-._0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz".utf8)

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

/// The reason why a text is not an ``Endpoint``.
package struct EndpointError: Error, Hashable, Sendable, CustomStringConvertible {
    package let text: String
    package let reason: String

    package var description: String {
        "Could not read '\(text)' as HOST:PORT: \(reason). Write for example packs.example:443 or [::1]:8080."
    }
}
