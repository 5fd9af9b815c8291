import ProxyLink

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
