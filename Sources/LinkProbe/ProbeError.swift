/// A measurement that could not be made.
package struct ProbeError: Error, Equatable, CustomStringConvertible {
    /// What happened instead of the expected answer.
    package enum Outcome: Sendable, Equatable {
        /// The connection failed, with the system's message.
        case unreachable(String)
        /// The proxy refused CONNECT, with its `Proxy-Status` field (RFC 9209) if it sent one.
        case refused(status: Int, reason: String, proxyStatus: String?)
        /// Nothing came back for this time.
        case silent(Duration)
        /// The connection ended too early; with the error if it failed.
        case closed(String?)
        /// The answer does not follow the protocol; with what it was.
        case unexpected(String)
        /// Another server answered: the value of the header field that it sent, `nil` if it sent none.
        case otherServer(header: String, expected: String, found: String?)
    }

    /// What was attempted, as in "open a tunnel to 127.0.0.1:4711".
    package var attempt: String
    /// The peer of the attempt, such as `127.0.0.1:8080`.
    package var peer: String
    /// What happened instead of the expected answer.
    package var outcome: Outcome

    /// A sentence with what was attempted, on what, what came back, and what to try.
    package var description: String {
        "Could not \(attempt) at \(peer): " + answer
    }

    private var answer: String {
        switch outcome {
        case .unreachable(let reason):
            return "the connection failed (\(reason)). Check that it is still running."
        case .refused(let status, let reason, let proxyStatus):
            let said = proxyStatus.map { " (Proxy-Status: \($0))" } ?? ""
            return "it answered \(status) \(reason)\(said). Check what it allows, and whether its link is offline."
        case .silent(let time):
            return
                "nothing came back for \(time.inSeconds). A slow link needs a longer deadline; a silent one is offline."
        case .closed(let reason):
            return "it closed the connection" + (reason.map { " (\($0))" } ?? "") + ". See its own messages for why."
        case .unexpected(let what):
            return "it answered \(what). Something else may be listening on that port."
        case .otherServer(let header, let expected, let found):
            let said = found.map { "its \(header) is '\($0)'" } ?? "it sent no \(header)"
            return
                "\(said), not '\(expected)'. Another program uses that port: end it, or use another port."
        }
    }
}
