import LinkModel
import ProxyLink
import Testing

@testable import headwind

struct LinkSummaryTests {
    private func summary(down: Int64, up: Int64, connections: Int, refused: Int = 0, seconds: Int64 = 0) -> LinkSummary
    {
        var use = LinkUse()
        use.payload = PerDirection(downlink: down, uplink: up)
        use.connections = connections
        use.refusedConnections = refused
        use.meter = [
            MeterSample(at: Instant(nanoseconds: 0), totals: PerDirection(both: 0)),
            MeterSample(at: Instant(nanoseconds: seconds * 1_000_000_000), totals: use.payload),
        ]
        return LinkSummary(profile: "3g", use: use)
    }

    @Test(
        arguments: [
            (
                1_250_000, 4100, 3, 0, 10,
                "3g: 1.3 MB down, 4.1 kB up, 3 connections, 1.0 Mbit/s down in the mean over 10.0 s"
            ),
            (10, 2_000_000, 1, 0, 4, "3g: 10 B down, 2.0 MB up, 1 connection, 4.0 Mbit/s up in the mean over 4.0 s"),
            (0, 0, 2, 2, 0, "3g: 0 B down, 0 B up, 2 connections, 2 turned away"),
        ] as [(Int64, Int64, Int, Int, Int64, String)])
    func oneLineTellsWhatCrossed(down: Int64, up: Int64, connections: Int, refused: Int, seconds: Int64, line: String) {
        let summary = summary(down: down, up: up, connections: connections, refused: refused, seconds: seconds)
        #expect(summary.line == line)
        #expect(summary.warning == nil)
    }

    @Test func aLinkThatNothingCrossedIsWarnedOf() {
        #expect(summary(down: 0, up: 0, connections: 0).warning?.hasPrefix("WARNING: nothing crossed the link") == true)
    }

    @Test(arguments: [
        ("8080=example.com:80", "127.0.0.1:8080", "example.com:80"), ("[::1]:0=[::1]:80", "[::1]:0", "[::1]:80"),
        ("0.0.0.0:1=a:2", "0.0.0.0:1", "a:2"), ("localhost:1=a:2", "127.0.0.1:1", "a:2"),
    ])
    func aReverseDoorIsRead(text: String, listen: String, target: String) throws {
        let door = try ReverseOption(parsing: text).door
        #expect(door.listen.description == listen)
        #expect(door.target.description == target)
    }

    @Test(arguments: [
        ("", "Write 8443=example.com:443."), ("8080", "there is no '='"),
        ("=a:1", "neither a host name nor an address"),
        ("8080=", "Write 8443=example.com:443."), ("8080=a", "it has no port"), ("x=a:1", "it has no port"),
        ("name:80=a:1", "'name' is a name"), ("99999=a:1", "'99999' is no port"),
        ("18446:127.0.0.1:80", "Write 18446=127.0.0.1:80."), ("127.0.0.1:1:a:2", "Write 8443=example.com:443."),
    ])
    func whatIsNoReverseDoorIsTurnedDown(text: String, reason: String) {
        let error = #expect(throws: ListeningPlace.Unreadable.self) { try ReverseOption(parsing: text) }
        #expect(error?.description.contains(reason) == true)
    }

    @Test func aConnectionIsOneLine() {
        var log = ConnectionLog()
        let target = Endpoint(host: "a", port: 80)
        let events: [(Int64, ProxyEvent.Kind)] = [
            (0, .opened(door: .reverse, target: target, key: .order(3))), (1, .connected),
            (2, .keyed(.path("/x", nth: 2))), (3, .delivered(.downlink, total: 5)),
            (1500, .closed(downlink: 2000, uplink: 10, cause: .finished)),
        ]
        let lines = events.compactMap { time, kind in
            log.line(for: ProxyEvent(at: Instant(nanoseconds: time * 1_000_000), connection: 3, kind: kind))
        }
        #expect(lines == ["#3 reverse a:80 /x#2: 2.0 kB down, 10 B up, 1.5 s, finished"])
    }
}
