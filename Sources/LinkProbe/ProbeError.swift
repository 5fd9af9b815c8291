/// A measurement that could not be made.
package struct ProbeError: Error, Equatable, CustomStringConvertible {
    /// What came back instead.
    package enum Outcome: Sendable, Equatable {
        /// No connection: the system's words.
        case unreachable(String)
        /// The proxy's answer to CONNECT, with its `Proxy-Status` field (RFC 9209) where it sent one.
        case refused(status: Int, reason: String, proxyStatus: String?)
        /// Nothing, for this long.
        case silent(Duration)
        /// The connection ended too early; the system's words where it was reset.
        case closed(String?)
        /// Something else than the protocol has.
        case unexpected(String)
        /// An answer from another server: the value of the header field that it sent, `nil` where it had none.
        case otherServer(header: String, expected: String, found: String?)
    }

    /// What was attempted, as in "open a tunnel to 127.0.0.1:4711".
    package var attempt: String
    /// Whom it was attempted with: `127.0.0.1:8080`.
    package var peer: String
    /// What came back.
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
