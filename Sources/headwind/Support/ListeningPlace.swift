import ProxyLink

/// An address to listen on, as users write it: `127.0.0.1:8080`, `[::1]:0`, `localhost:8080`, or a port alone.
enum ListeningPlace {
    /// The default address of a listener, which no other machine reaches.
    static let loopback = "127.0.0.1"

    /// Reads an address; throws for names other than `localhost`, as a name may have several addresses.
    static func read(_ text: String) throws -> Endpoint {
        let digits = text.hasPrefix(":") ? text.dropFirst() : text[...]
        let isPort = !digits.isEmpty && digits.allSatisfy { $0.isASCII && $0.isNumber }
        let place: Endpoint
        do {
            place = try Endpoint(parsing: isPort ? "\(loopback):\(digits)" : text)
        } catch {
            throw Unreadable(description: "\(error.reason). Write 127.0.0.1:8080, [::1]:8080, or 8080 alone.")
        }
        if place.host == "localhost" { return Endpoint(host: loopback, port: place.port) }
        guard place.isAddress else {
            throw Unreadable(
                description:
                    "'\(place.host)' is a name, but a listener needs an address of this machine. Write "
                    + "127.0.0.1:\(place.port), or 0.0.0.0:\(place.port) for all of its addresses."
            )
        }
        return place
    }

    /// Why a text is not a place to listen.
    struct Unreadable: Error, CustomStringConvertible {
        let description: String
    }
}

extension Endpoint {
    /// Reads a target, with port 0 if the text has none; the error says what is wrong, and what to write.
    init(allowed text: String) throws {
        do {
            try self.init(parsing: text, defaultPort: 0)
        } catch {
            throw ListeningPlace.Unreadable(
                description: "\(error.reason). Write localhost:3000, 127.0.0.1:3000, [::1]:3000, or the host alone.")
        }
    }

    /// Reads an address to listen on; the error says what is wrong, and what to write.
    init(listening text: String) throws { self = try ListeningPlace.read(text) }
}

/// `PORT=HOST:PORT`: a listener on this machine, and the target of its connections.
struct ReverseOption {
    let listener: ProxyLinkConfiguration.ReverseListener

    /// Reads the option; the error says what is wrong, and what to write.
    init(parsing text: String) throws {
        let halves = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard halves.count == 2 else { throw ListeningPlace.Unreadable(description: Self.missingSign(text)) }
        let target: Endpoint
        do {
            target = try Endpoint(parsing: halves[1])
        } catch {
            throw ListeningPlace.Unreadable(description: "\(error.reason). Write 8443=example.com:443.")
        }
        listener = ProxyLinkConfiguration.ReverseListener(listen: try ListeningPlace.read(halves[0]), target: target)
    }

    /// The error for a text without `=`; ssh(1) writes `8443:example.com:443`.
    private static func missingSign(_ text: String) -> String {
        let parts = text.split(separator: ":", maxSplits: 1)
        let isLikeSSH = parts.count == 2 && UInt16(parts[0]) != nil && (try? Endpoint(parsing: String(parts[1]))) != nil
        let example = isLikeSSH ? parts.joined(separator: "=") : "8443=example.com:443"
        return "it lacks the '=' between listener and target. Write \(example)."
    }
}
