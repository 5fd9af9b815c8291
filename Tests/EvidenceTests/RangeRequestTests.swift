import Testing

@testable import Evidence
@testable import PackHost

/// Which requests are for ranges that a client requests side by side.
@Suite struct RangeRequestTests {
    /// A request of a connection, with its Range field, or the end of the connection.
    enum Step: Sendable {
        case ask(Int, String?, pack: String = "a")
        case close(Int)
    }

    private static func events(_ steps: [Step]) -> [HostEvent] {
        var counts: [String: Int] = [:]
        return steps.map { step in
            switch step {
            case .close(let connection):
                let end = HostConnectionEnd(cause: .client, received: 1, sent: 2)
                return HostEvent(nanoseconds: 1, connection: connection, kind: .closed(end))
            case .ask(let connection, let range, let pack):
                counts[pack, default: 0] += 1
                let request = HostRequest(
                    method: "GET", path: "/\(pack)", pack: pack, number: counts[pack], range: range)
                return HostEvent(nanoseconds: 1, connection: connection, kind: .request(request))
            }
        }
    }

    private static let table: [(String, [Step], [String])] = [
        (
            "a download divided among three connections",
            [.ask(1, "bytes=20-29"), .ask(2, "bytes=0-9"), .ask(3, "bytes=10-19")], ["20#1", "0#1", "10#1"]
        ),
        (
            "a range that is requested again beside another one",
            [.ask(1, "bytes=0-9"), .ask(2, "bytes=10-"), .close(1), .ask(3, "bytes=0-9")], ["0#1", "10#1", "0#2"]
        ),
        ("a rest that is requested while the first connection still stands", [.ask(1, nil), .ask(2, "bytes=5-")], []),
        ("a rest of a range", [.ask(1, "bytes=0-"), .ask(2, "bytes=5-")], []),
        ("blocks on one connection", [.ask(1, "bytes=0-9"), .ask(1, "bytes=10-19")], []),
        ("blocks on connections one after the other", [.ask(1, "bytes=0-9"), .close(1), .ask(2, "bytes=10-19")], []),
        ("ranges of two packs", [.ask(1, "bytes=0-9"), .ask(2, "bytes=10-19", pack: "b")], []),
        ("the last bytes, which have no place", [.ask(1, "bytes=0-9"), .ask(2, "bytes=-5")], []),
    ]

    @Test(arguments: table) func sideBySide(name: String, steps: [Step], parallel: [String]) {
        let events = Self.events(steps)
        let ranges = RangeRequests(events)
        let found = events.compactMap { event -> String? in
            guard case .request(let request) = event.kind, let number = request.number, let pack = request.pack,
                let range = ranges[pack, number], range.isParallel
            else { return nil }
            return "\(range.start)#\(range.number)"
        }
        #expect(found == parallel, "\(name)")
    }
}
