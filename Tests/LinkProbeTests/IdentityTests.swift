import Testing

@testable import LinkProbe

@Suite struct IdentityTests {
    private func check(_ odd: OddServer, deadline: Duration = .seconds(2)) async throws {
        try await odd.run { port in
            try await ServerIdentity.check(("127.0.0.1", port), expected: "run-1", deadline: deadline)
        }
    }

    @Test(arguments: [
        "HTTP/1.1 200 OK\r\nHeadwind-Run: run-1\r\n\r\n",
        "HTTP/1.1 404 Not Found\r\nA: b\r\nheadwind-run:\t run-1 \r\n\r\n",
        "HTTP/1.0 500\nHEADWIND-RUN:run-1\n\n",
    ])
    func sameServerIsFound(_ answer: String) async throws {
        try await check(.answering(answer))
    }

    @Test(arguments: [
        ("HTTP/1.1 200 OK\r\nHeadwind-Run: run-0\r\n\r\n", "run-0"), ("HTTP/1.1 200 OK\r\n\r\n", nil),
    ])
    func otherServerIsFound(_ answer: String, _ found: String?) async throws {
        let error = try await #require(throws: ProbeError.self) { try await check(.answering(answer)) }
        #expect(error.outcome == .otherServer(header: "Headwind-Run", expected: "run-1", found: found))
    }

    @Test func silenceAndClosingAreErrors() async throws {
        let closed = try await #require(throws: ProbeError.self) { try await check(.closing) }
        #expect(closed.outcome == .closed(nil))
        let silent = try await #require(throws: ProbeError.self) {
            try await check(.silent, deadline: .milliseconds(100))
        }
        guard case .silent = silent.outcome else {
            Issue.record("\(silent)")
            return
        }
    }
}
