import NIOCore

/// Checks whether the server that answers on a port is the one that was started there.
package enum ServerIdentity {
    /// Sends `HEAD` directly, in plain HTTP/1.1, and compares a header field of the answer.
    ///
    /// The status is ignored.
    ///
    /// - Parameters:
    ///   - address: the server's address; `nil` skips the check, as for a server that speaks TLS.
    ///   - path: the request's target; by default `/`.
    ///   - header: the field; by default `Headwind-Run`.
    ///   - expected: the value that the field must have.
    ///   - deadline: the longest time of the whole check. Default 2 s.
    /// - Returns: the field's value; `nil` if the check was skipped.
    /// - Throws: ``ProbeError``, with ``ProbeError/Outcome/otherServer(header:expected:found:)`` for another server;
    ///   `CancellationError` if the task is cancelled.
    @discardableResult
    package static func check(
        _ address: (host: String, port: Int)?, path: String = "/", header: String = "Headwind-Run", expected: String,
        deadline: Duration = .seconds(2)
    ) async throws -> String? {
        guard let address else { return nil }
        let attempt = "ask for the server's \(header)"
        return try await withEventLoop { loop in
            let socket = try await ProbeSocket.connect(
                to: address.host, port: address.port, loop: loop, deadline: .now() + deadline)
            let question = "HEAD \(path) HTTP/1.1\r\nHost: \(socket.peer)\r\nConnection: close\r\n\r\n"
            let goal = Goal<HTTPHead>(attempt, peer: socket.peer, on: loop)
            let found = try await socket.bring(goal) { [HeadHandler(question, goal)] }[header]
            guard let found, found == expected else {
                let outcome = ProbeError.Outcome.otherServer(header: header, expected: expected, found: found)
                throw ProbeError(attempt: attempt, peer: socket.peer, outcome: outcome)
            }
            return found
        }
    }
}
