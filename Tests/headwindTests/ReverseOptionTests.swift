import ArgumentParser
import LinkModel
import ProxyLink
import Testing

@testable import headwind

struct ReverseOptionTests {
    @Test(arguments: [
        ("8080=example.com:80", "127.0.0.1:8080", "example.com:80"), ("[::1]:0=[::1]:80", "[::1]:0", "[::1]:80"),
        ("0.0.0.0:1=a:2", "0.0.0.0:1", "a:2"), ("localhost:1=a:2", "127.0.0.1:1", "a:2"),
    ])
    func aReverseListenerIsRead(text: String, listen: String, target: String) throws {
        let listener = try ReverseOption(parsing: text).listener
        #expect(listener.listen.description == listen)
        #expect(listener.target.description == target)
    }

    @Test(arguments: [
        ("", "Write 8443=example.com:443."), ("8080", "it lacks the '='"),
        ("=a:1", "neither a host name nor an address"),
        ("8080=", "Write 8443=example.com:443."), ("8080=a", "it has no port"), ("x=a:1", "it has no port"),
        ("name:80=a:1", "'name' is a name"), ("99999=a:1", "'99999' is not a port"),
        ("18446:127.0.0.1:80", "Write 18446=127.0.0.1:80."), ("127.0.0.1:1:a:2", "Write 8443=example.com:443."),
    ])
    func anInvalidReverseListenerIsRefused(text: String, reason: String) {
        let error = #expect(throws: ValidationError.self) { try ReverseOption(parsing: text) }
        #expect(error?.description.contains(reason) == true)
    }

    @Test func aConnectionIsOneLine() {
        var log = ConnectionLog()
        let events: [(Int64, LinkEvent.Kind)] = [
            (0, .opened(mode: "reverse", target: "a:80", key: "#3")), (1, .connected),
            (2, .keyed(key: "/x#2", alias: nil)), (3, .delivered(direction: .downlink, total: 5)),
            (1500, .closed(downlink: 2000, uplink: 10, cause: .finished)),
        ]
        let lines = events.compactMap { time, kind in
            log.line(for: LinkEvent(at: Instant(nanoseconds: time * 1_000_000), connection: 3, kind: kind))
        }
        #expect(lines == ["#3 reverse a:80 /x#2: 2.0 kB down, 10 B up, 1.5 s, finished"])
    }
}
