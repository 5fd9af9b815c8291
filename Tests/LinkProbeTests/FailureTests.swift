import NIOCore
import NIOPosix
import Testing

@testable import LinkProbe

@Suite struct FailureTests {
    private static let refusal =
        "HTTP/1.1 502 Bad Gateway\r\nProxy-Status: headwind; error=destination_ip_unroutable\r\nContent-Length: 0\r\n\r\n"

    @Test(arguments: [
        (
            OddServer.answering(refusal), "open a tunnel",
            "it answered 502 Bad Gateway (Proxy-Status: headwind; error=destination_ip_unroutable)."
        ),
        (.answering("SSH-2.0-OpenSSH_9\r\n\r\n"), "open a tunnel", "it answered something other than HTTP/1.1."),
        (
            .answering("HTTP/1.1 200 OK\r\nX: " + String(repeating: "x", count: 20_000)), "open a tunnel",
            "it answered a response head without an end."
        ),
        (.closing, "open a tunnel", "it closed the connection"),
        (.silent, "open a tunnel", "nothing came back for "),
        (.hollow, "send messages", "nothing came back for "),
    ])
    func errorSaysWhatCameBack(_ odd: OddServer, _ attempt: String, _ answer: String) async throws {
        try await odd.run { port in
            try await withProbeServer { server in
                let error = try await #require(throws: ProbeError.self) {
                    try await LinkProbe.measure(
                        through: .proxy(host: "127.0.0.1", port: port), target: server,
                        plan: ProbePlan(deadline: .milliseconds(300)))
                }
                #expect("\(error)".hasPrefix("Could not \(attempt) to 127.0.0.1:\(server.port) "), "\(error)")
                #expect("\(error)".contains(" at 127.0.0.1:\(port): \(answer)"), "\(error)")
            }
        }
    }

    @Test func aClosedPortIsUnreachable() async throws {
        let port = try await OddServer.silent.run { $0 }
        try await withProbeServer { server in
            let error = try await #require(throws: ProbeError.self) {
                try await LinkProbe.measure(
                    through: .proxy(host: "127.0.0.1", port: port), target: server, plan: ProbePlan())
            }
            guard case .unreachable(let reason) = error.outcome else {
                Issue.record("\(error)")
                return
            }
            #expect(reason.contains("Connection refused"))
        }
    }

    @Test func serverIsGoneAfterItsScope() async throws {
        let gone = try await withProbeServer { $0 }
        let error = try await #require(throws: ProbeError.self) {
            try await LinkProbe.measure(through: .direct, target: gone, plan: ProbePlan())
        }
        #expect(error.attempt == "connect")
    }

    @Test(arguments: [
        ByteBuffer(string: "GET / HTTP/1.1\r\n\r\n"), ByteBuffer(integer: UInt32.max),
        // A greeting and more echoes than any probe requests.
        ByteBuffer(bytes: [0, 0, 0, 32] + Array(repeating: 0, count: 8) + Array(repeating: 255, count: 24)),
        // An upload that was not announced.
        ByteBuffer(bytes: [0, 0, 0, 32] + Array(repeating: 0, count: 32) + [77]),
    ])
    func serverClosesOnAnythingElse(_ bytes: ByteBuffer) async throws {
        try await withProbeServer { server in
            let channel = try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
                .connect(host: server.host, port: server.port).get()
            try await channel.writeAndFlush(bytes)
            try await channel.closeFuture.get()
        }
    }
}
