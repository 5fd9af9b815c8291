import NIOCore

/// Checks whether the server that answers on a port is the one that was started there.
package enum ServerIdentity {
    private static let header = "Headwind-Run"

    /// Sends `HEAD` directly, in plain HTTP/1.1, and compares the field `Headwind-Run` of the answer.
    ///
    /// The status is ignored.
    ///
    /// - Parameters:
    ///   - address: the server's address.
    ///   - expected: the value that the field must have.
    ///   - deadline: the longest time of the whole check. Default 2 s.
    /// - Throws: ``ProbeError``, with ``ProbeError/Outcome/otherServer(header:expected:found:)`` for another server;
    ///   `CancellationError` if the task is cancelled.
    package static func check(
        _ address: (host: String, port: Int), expected: String, deadline: Duration = .seconds(2)
    ) async throws {
        let attempt = "ask for the server's \(header)"
        try await withEventLoop { loop in
            let socket = try await ProbeSocket.connect(
                to: address.host, port: address.port, loop: loop, deadline: .now() + deadline)
            let question = "HEAD / HTTP/1.1\r\nHost: \(socket.peer)\r\nConnection: close\r\n\r\n"
            let goal = Goal<HTTPHead>(attempt, peer: socket.peer, on: loop)
            let found = try await socket.bring(goal) { [HeadHandler(question, goal)] }[header]
            guard found == expected else {
                let outcome = ProbeError.Outcome.otherServer(header: header, expected: expected, found: found)
                throw ProbeError(attempt: attempt, peer: socket.peer, outcome: outcome)
            }
        }
    }
}
