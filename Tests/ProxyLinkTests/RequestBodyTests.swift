import LinkModel
import NIOCore
import NIOEmbedded
import Testing

@testable import ProxyLink

/// Bytes after the first request of a connection, and agreement on where that request ends.
struct RequestBodyTests {
    private static let second = "GET http://other.test/private HTTP/1.1\r\nHost: other.test\r\n\r\n"

    /// A framing, and the bytes that belong to the body.
    private static let bodies: [(framing: String, body: String)] = [
        ("", ""), ("Content-Length: 0\r\n", ""), ("Content-Length: 5\r\n", "hello"),
        ("Content-Length: 005\r\n", "hello"), ("Transfer-Encoding: chunked\r\n", "0\r\n\r\n"),
        ("Transfer-Encoding: chunked\r\n", "5\r\nhello\r\n0\r\n\r\n"),
        ("Transfer-Encoding: chunked\r\n", "000a;name=\"v;al\";x\r\n0123456789\r\n00;last\r\nX-Sum: 1\r\nY:\r\n\r\n"),
        ("Transfer-Encoding: Chunked\r\n", "2\r\n\r\n\r\n0\r\n\r\n"),
    ]

    /// The target gets one request and nothing after it, wherever the reads split the bytes.
    @Test(arguments: bodies)
    func forwardsNothingBehindARequest(framing: String, body: String) throws {
        let sent = Array("POST http://first.test/a HTTP/1.1\r\n\(framing)\r\n\(body)\(Self.second)".utf8)
        let expected = "POST /a HTTP/1.1\r\nHost: first.test\r\n\(framing)Connection: close\r\n\r\n\(body)"
        for profile in [Profile.open, .link(delay: .milliseconds(1))] {
            var ways = stride(from: 1, through: sent.count, by: 7).map { [Array(sent[..<$0]), Array(sent[$0...])] }
            ways.append(sent.map { [$0] })
            for pieces in ways {
                let link = try VirtualLink(profile)
                defer { link.stop() }
                let client = link.connect(.forward)
                for piece in pieces where !piece.isEmpty {
                    client.receive(piece)
                    link.advance(.milliseconds(5))
                }
                link.advance(.seconds(1))
                #expect(String(decoding: link.host().sent(), as: UTF8.self) == expected, "\(pieces.count) pieces")
                link.host().receive(Array("HTTP/1.1 200 OK\r\n\r\nanswer".utf8))
                link.advance(.seconds(1))
                #expect(String(decoding: client.sent(), as: UTF8.self) == "HTTP/1.1 200 OK\r\n\r\nanswer")
            }
        }
    }

    /// If a client sends a second request on the connection, its target sees the end of the stream.
    @Test func aSecondRequestAfterAnAnswerEndsTheFirst() async throws {
        try await PeerListener.with { listener in
            let origin = Endpoint(host: "first.test", port: 80)
            try await withTestLink(to: listener, routes: [origin: listener.endpoint]) { link in
                let client = try await link.connectToProxy()
                try await client.send("GET http://first.test/ HTTP/1.1\r\n\r\n")
                let host = try await listener.accept()
                let head = "GET / HTTP/1.1\r\nHost: first.test\r\nConnection: close\r\n\r\n"
                #expect(await host.receiveText(head.utf8.count) == head)
                try await host.send("HTTP/1.1 204 No Content\r\n\r\n")
                #expect(await client.receiveText(27) == "HTTP/1.1 204 No Content\r\n\r\n")
                try await client.send(Self.second)
                let (rest, ending) = await host.receiveAll()
                #expect(rest.isEmpty && ending == .end)
            }
        }
    }

    private static let wrong: [(body: String, reason: String)] = [
        ("g\r\n", "not a hexadecimal number"), ("\r\n", "not a hexadecimal number"),
        ("-1\r\n", "not a hexadecimal number"),
        ("+5\r\nhello\r\n", "not a hexadecimal number"), ("0x5\r\nhello\r\n", "not a hexadecimal number"),
        (" 5\r\nhello\r\n", "not a hexadecimal number"), ("5 \r\nhello\r\n", "not a hexadecimal number"),
        ("5 ;a\r\nhello\r\n", "not a hexadecimal number"), (";a\r\n", "not a hexadecimal number"),
        ("ffffffffffffffff\r\n", "not a hexadecimal number"), ("1000000000000000\r\n", "not a hexadecimal number"),
        ("5\nhello\r\n", "ends without CRLF"), ("5;a\nb\r\nhello\r\n", "ends without CRLF"),
        ("5;a\rb\r\nhello\r\n", "has a CR in it"), ("5;a\0\r\nhello\r\n", "control character"),
        ("5\r\nhello!\r\n", "a chunk is longer than its size"), ("5\r\nhello\n0\r\n\r\n", "ends without CRLF"),
        ("5\r\nhello0\r\n\r\n", "a chunk is longer than its size"), ("5\r\nhello\r0\r\n\r\n", "has a CR in it"),
        ("0\r\nX\r\n\r\n", "no colon"), ("0\r\nX : 1\r\n\r\n", "not a token"), ("0\r\n X: 1\r\n\r\n", "not a token"),
        ("0\r\nX: 1\n\r\n", "ends without CRLF"), ("5;\(String(repeating: "a", count: 1024))", "is longer than 1024"),
        ("0\r\n\(String(repeating: "X: 1\r\n", count: 4097))", "is longer than"),
    ]

    @Test(arguments: wrong)
    func refusesAnAmbiguousBody(body: String, reason: String) throws {
        for profile in [Profile.open, .link(delay: .milliseconds(1))] {
            let link = try VirtualLink(profile)
            defer { link.stop() }
            let client = link.connect(.forward)
            client.receive(Array("POST http://first.test/ HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n\(body)".utf8))
            link.advance(.seconds(1))
            let answer = String(decoding: client.sent(), as: UTF8.self)
            #expect(answer.hasPrefix("HTTP/1.1 400 Bad Request\r\n") && answer.contains(reason), "\(answer)")
            #expect(!link.host().isActive)
            link.advance(.seconds(3))
            #expect(link.engine.connections.isEmpty)
        }
    }

    /// An answer that has begun is not changed.
    @Test func aFaultAfterTheAnswerBeganIsAReset() throws {
        let link = try VirtualLink(.open)
        defer { link.stop() }
        let client = link.connect(.forward)
        client.receive(Array("POST http://first.test/ HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n".utf8))
        link.host().receive(Array("HTTP/1.1 100 Continue\r\n\r\n".utf8))
        client.receive(Array("zz\r\n".utf8))
        #expect(String(decoding: client.sent(), as: UTF8.self) == "HTTP/1.1 100 Continue\r\n\r\n")
        #expect(!client.isActive && !link.host().isActive && link.engine.connections.isEmpty)
    }

    @Test(arguments: [
        "Content-Length: 99999999999999999999\r\n", "Content-Length: 5, 5\r\n",
        "Content-Length: 5\r\nContent-Length: 5\r\n",
        "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n", "Transfer-Encoding: chunked, chunked\r\n",
        "Transfer-Encoding: xchunked\r\n", "Transfer-Encoding:\r\n",
    ])
    func invalidFramingIsRefused(framing: String) throws {
        let link = try VirtualLink(.open)
        defer { link.stop() }
        let client = link.connect(.forward)
        client.receive(Array("POST http://first.test/ HTTP/1.1\r\n\(framing)\r\nhello".utf8))
        link.advance(.seconds(3))
        #expect(String(decoding: client.sent(), as: UTF8.self).hasPrefix("HTTP/1.1 400 Bad Request\r\n"))
        #expect(link.hostCount == 0)
    }

    @Test func chunksAreRefusedInHTTP10() {
        #expect(throws: Refusal.self) {
            try RequestHead(parsing: Array("POST http://a/ HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n".utf8))
        }
    }
}
