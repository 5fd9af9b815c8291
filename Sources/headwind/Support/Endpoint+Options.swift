import ArgumentParser
import ProxyLink

extension Endpoint {
    /// Reads an address to listen on, as users write it: `127.0.0.1:8080`, `[::1]:0`, `localhost:8080`, or a port alone.
    ///
    /// Throws `ValidationError`, also for names other than `localhost`, as a name may have several addresses.
    init(listening text: String) throws {
        let digits = text.hasPrefix(":") ? text.dropFirst() : text[...]
        let isPort = !digits.isEmpty && digits.allSatisfy { $0.isASCII && $0.isNumber }
        do {
            try self.init(parsing: isPort ? "127.0.0.1:\(digits)" : text)
        } catch {
            throw ValidationError("\(error.reason). Write 127.0.0.1:8080, [::1]:8080, or 8080 alone.")
        }
        if host == "localhost" { self = Endpoint(host: "127.0.0.1", port: port) }
        guard isAddress else {
            throw ValidationError(
                "'\(host)' is a name, but a listener needs an address of this machine. Write "
                    + "127.0.0.1:\(port), or 0.0.0.0:\(port) for all of its addresses."
            )
        }
    }

    /// Reads a target, with port 0 if the text has none; throws `ValidationError`.
    init(allowed text: String) throws {
        do {
            try self.init(parsing: text, defaultPort: 0)
        } catch {
            throw ValidationError(
                "\(error.reason). Write localhost:3000, 127.0.0.1:3000, [::1]:3000, or the host alone.")
        }
    }
}

/// `PORT=HOST:PORT`: a listener on this machine, and the target of its connections.
struct ReverseOption {
    let listener: ProxyLinkConfiguration.ReverseListener

    /// Reads the option; throws `ValidationError`.
    init(parsing text: String) throws {
        let halves = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard halves.count == 2 else { throw ValidationError(Self.missingSign(text)) }
        let target: Endpoint
        do {
            target = try Endpoint(parsing: halves[1])
        } catch {
            throw ValidationError("\(error.reason). Write 8443=example.com:443.")
        }
        listener = ProxyLinkConfiguration.ReverseListener(listen: try Endpoint(listening: halves[0]), target: target)
    }

    /// The error for a text without `=`; ssh(1) writes `8443:example.com:443`.
    private static func missingSign(_ text: String) -> String {
        let parts = text.split(separator: ":", maxSplits: 1)
        let isLikeSSH = parts.count == 2 && UInt16(parts[0]) != nil && (try? Endpoint(parsing: String(parts[1]))) != nil
        let example = isLikeSSH ? parts.joined(separator: "=") : "8443=example.com:443"
        return "it lacks the '=' between listener and target. Write \(example)."
    }
}
