import Testing

@testable import LinkModel

@Suite struct ConnectionKeyTests {
    @Test(arguments: [
        ("GET /a/b.zip?secret HTTP/1.1\r\n", "/a/b.zip"), ("GET /a HT", "/a"), ("POST / HTTP/1.1\r\n\r\n", "/"),
        ("GET /a?sec", "/a"), ("GET /a#b HTTP/1.1", "/a"), ("GET /a\r\nHost: b", "/a"), ("GET /a", nil), ("GET", nil),
        ("\u{16}\u{3}\u{1}", nil), ("GET http://a/ HTTP/1.1", nil), ("SSH-2.0-x\r\n", nil), ("", nil),
        ("GET /\u{7} HTTP/1.1", nil), ("PRI * HTTP/2.0\r\n\r\n", nil),
    ])
    func `a path is found at the beginning`(text: String, path: String?) {
        #expect(RequestPath.path(beginning: Array(text.utf8)) == path)
    }

    @Test(arguments: [511, 512, 513, 5000])
    func `of a long path the first part counts, however it is cut`(count: Int) {
        let path = "/" + String(repeating: "a", count: count - 1)
        let whole = RequestPath.path(beginning: Array("GET \(path) HTTP/1.1".utf8))
        #expect(whole == String(path.prefix(512)))
        #expect(RequestPath.path(beginning: Array("GET \(path)".utf8)) == (count < 512 ? nil : whole))
    }

    @Test func `connections with one path are counted, and beyond the most paths nothing is kept`() {
        var keys = ConnectionKeys(mostPaths: 2)
        let found = ["/a", "/b", "/a", "/c", "/b"].enumerated().map { keys.key(path: $1, order: $0 + 1).description }
        #expect(found == ["/a", "/b", "/a#2", "#4", "/b#2"])
    }

    /// The names that take the most room in a list.
    @Test func `every key can be read again`() throws {
        let path = "/" + String(repeating: ":", count: 511)
        for key in [ConnectionKey.path(path, nth: 12), .path("/", nth: 1), .order(7)] {
            let fault = FaultSchedule.PacketFault(
                connection: .named(key.description), direction: .downlink, place: .handshake, effect: .drop)
            #expect(try FaultSchedule(parsing: fault.text).packetFaults == [fault])
        }
    }
}
