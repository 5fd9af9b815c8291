import NIOCore
import Testing

@testable import ProxyLink

struct RequestHeadTests {
    @Test func aPlainHeadIsRead() throws {
        let head = try RequestHead(parsing: "\r\nGET http://a/ HTTP/1.1\r\nHost:  a \r\nX-Empty:\r\n\r\n".utf8)
        #expect(head.method == "GET")
        #expect(head.target == "http://a/")
        #expect(head.fields.map(\.name) == ["Host", "X-Empty"])
        #expect(head.fields.map(\.text) == ["a", ""])
    }

    @Test(arguments: [
        ("", "the request line is missing"),
        ("\r\n\r\n", "the request line is missing"),
        ("GET\r\n\r\n", "METHOD TARGET"),
        ("GET  http://a/ HTTP/1.1\r\n\r\n", "METHOD TARGET"),
        ("GET http://a/ b HTTP/1.1\r\n\r\n", "METHOD TARGET"),
        ("GET http://a/\u{0}x HTTP/1.1\r\n\r\n", "METHOD TARGET"),
        ("GET http://ä/ HTTP/1.1\r\n\r\n", "METHOD TARGET"),
        ("GET http://a/\u{B}x HTTP/1.1\r\n\r\n", "METHOD TARGET"),
        ("G(T http://a/ HTTP/1.1\r\n\r\n", "the method"),
        ("GET http://a/ HTTP/2.0\r\n\r\n", "the version"),
        ("GET http://a/ HTTP/1.1x\r\n\r\n", "the version"),
        ("GET http://a/ http/1.1\r\n\r\n", "the version"),
        ("GET http://a/ HTTP/1.1\r\nX\r\n\r\n", "no colon"),
        ("GET http://a/ HTTP/1.1\r\n: x\r\n\r\n", "name is not a token"),
        ("GET http://a/ HTTP/1.1\r\nA : x\r\n\r\n", "name is not a token"),
        ("GET http://a/ HTTP/1.1\r\nA: x\r\n folded: y\r\n\r\n", "name is not a token"),
        ("GET http://a/ HTTP/1.1\r\nA: x\ry\r\n\r\n", "control character"),
        ("GET http://a/ HTTP/1.1\r\nA: \u{0}\r\n\r\n", "control character"),
        ("GET http://a/ HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 1\r\n\r\n", "is repeated"),
        ("GET http://a/ HTTP/1.1\r\nContent-Length: +1\r\n\r\n", "not a number"),
        ("GET http://a/ HTTP/1.1\r\nContent-Length: 1, 1\r\n\r\n", "not a number"),
        ("GET http://a/ HTTP/1.1\r\nContent-Length:\r\n\r\n", "not a number"),
        ("POST http://a/ HTTP/1.1\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n", "has both"),
        ("POST http://a/ HTTP/1.1\r\nTransfer-Encoding: xchunked\r\n\r\n", "is not chunked"),
        ("POST http://a/ HTTP/1.1\r\nTransfer-Encoding: gzip, chunked\r\n\r\n", "is not chunked"),
        ("GET http://a/ HTTP/1.1\r\nHost: a\r\nhost: b\r\n\r\n", "Host is repeated"),
    ])
    func aHostileHeadIsTurnedDown(text: String, reason: String) throws {
        let error = #expect(throws: Refusal.self) { try RequestHead(parsing: text.utf8) }
        #expect(try #require(error).details.contains(reason), "\(error?.details ?? "")")
    }

    @Test func theEndIsFoundWhereverTheHeadIsCut() throws {
        let text = Array("\r\nGET http://a/ HTTP/1.1\r\nA: b\r\n\r\nrest".utf8)
        let end = text.count - 4
        for cut in 0...text.count {
            var collector = HeadCollector(limit: 1000)
            var first = ByteBuffer(bytes: text[..<cut])
            var second = ByteBuffer(bytes: text[cut...])
            let early = try collector.append(&first)
            #expect(early.rest.map { Array($0.readableBytesView) } == (cut >= end ? Array(text[end..<cut]) : nil))
            if cut < end {
                #expect(try collector.append(&second).rest.map { String(buffer: $0) } == "rest")
            }
        }
    }

    @Test func aHeadOfSingleBytesIsReadInLinearTime() throws {
        var collector = HeadCollector(limit: 16 * 1024)
        let text =
            Array("GET http://a/ HTTP/1.1\r\n".utf8) + Array(repeating: Array("A: b\r\n".utf8), count: 2000).joined()
        for byte in text {
            var buffer = ByteBuffer(bytes: [byte])
            #expect(try collector.append(&buffer).rest == nil)
        }
        var end = ByteBuffer(string: "\r\n")
        #expect(try collector.append(&end).rest?.readableBytes == 0)
    }

    @Test func aHeadAboveTheLimitIsRefused() throws {
        var collector = HeadCollector(limit: 100)
        var fits = ByteBuffer(string: String(repeating: "x", count: 100))
        #expect(try collector.append(&fits).rest == nil)
        var more = ByteBuffer(string: "x")
        #expect(throws: Refusal.self) { try collector.append(&more) }
    }
}

extension HeadCollector.Progress {
    fileprivate var rest: ByteBuffer? {
        if case .complete(_, let rest) = self { rest } else { nil }
    }
}
