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
        #expect(FirstRequest(beginning: Array(text.utf8))?.path == path)
    }

    @Test(arguments: [511, 512, 513, 5000])
    func `only the first part of a long path counts, however it is cut`(count: Int) {
        let path = "/" + String(repeating: "a", count: count - 1)
        let whole = FirstRequest(beginning: Array("GET \(path) HTTP/1.1".utf8))?.path
        #expect(whole == String(path.prefix(512)))
        #expect(FirstRequest(beginning: Array("GET \(path)".utf8))?.path == (count < 512 ? nil : whole))
    }

    @Test func `connections with one path are counted, up to a maximum of paths`() {
        var keys = ConnectionKeys(most: 2)
        let found = ["/a", "/b", "/a", "/c", "/b"].enumerated().map {
            keys.key(for: FirstRequest(path: $1), order: $0 + 1).description
        }
        #expect(found == ["/a", "/b", "/a#2", "#4", "/b#2"])
    }

    @Test(arguments: [
        ("Range: bytes=500-999\r\n", 500), ("Host: b\r\nrange:bytes = 7-\r\n", 7), ("Range: bytes=0-\r\n", 0),
        ("Range: bytes=-500\r\n", -500), ("Range: bytes=1-2, 5-6\r\n", 1), ("RANGE: BYTES=3-\r\n\r\n", 3),
        ("Host: b\r\n\r\nRange: bytes=5-\r\n", nil), ("Range: bytes=5-", nil), ("Range: items=5-\r\n", nil),
        ("Range: bytes=x-\r\n", nil), ("Range: bytes=5\r\n", nil), ("Range: bytes=99999999999999999999-\r\n", nil),
        ("X-Range: bytes=5-\r\n", nil), ("Range: bytes=--5\r\n", nil), ("", nil),
    ])
    func `the first byte of a range is found in the head`(fields: String, byte: Int64?) {
        #expect(FirstRequest(beginning: Array("GET /a HTTP/1.1\r\n\(fields)".utf8))?.firstByte == byte)
    }

    @Test(arguments: [[0, 500, 1000], [1000, 0, 500], [500, 1000, 0]])
    func `ranges have the same names in any order of requests`(starts: [Int64]) {
        var keys = ConnectionKeys()
        let found = starts.map { keys.key(for: FirstRequest(path: "/a", firstByte: $0), order: 1) }
        #expect(found.map(\.description) == starts.map { "/a@\($0)" })
        // The alias counts all connections with the path; earlier schedules have such names.
        #expect(found.map(\.alias) == ["/a", "/a#2", "/a#3"])
        let again = keys.key(for: FirstRequest(path: "/a", firstByte: 500), order: 4)
        let whole = keys.key(for: FirstRequest(path: "/a"), order: 5)
        #expect([again.description, again.alias] == ["/a@500#2", "/a#4"])
        #expect([whole.description, whole.alias] == ["/a#5", nil])
    }

    /// Includes the longest names of a schedule.
    @Test func `every key can be read again`() throws {
        let path = "/" + String(repeating: ":", count: 511)
        for key in [
            ConnectionKey.path(path, nth: 12), .path("/", nth: 1), .order(7), .range(path, from: 9, nth: 2, place: 3),
            .range("/a", from: -500, nth: 1, place: 1),
        ] {
            let fault = FaultSchedule.PacketFault(
                connection: .named(key.description), direction: .downlink, place: .handshake, effect: .drop)
            #expect(try FaultSchedule(parsing: fault.text).packetFaults == [fault])
        }
    }
}
