import LinkModel
import NIOCore
import Testing

@testable import ProxyLink

@Suite(.timeLimit(.minutes(1)))
struct ControlTests {
    private struct Unknown: Error, CustomStringConvertible { let description = "there is no such profile" }

    private func withControl(_ body: (ProxyLink, Endpoint) async throws -> Void) async throws {
        let configuration = ProxyLinkConfiguration(profile: .link(rate: 1_000_000, delay: .milliseconds(1)))
        try await withProxyLink(configuration) { link in
            let find: @Sendable (String) throws -> Profile = { name in
                guard name == "slow" else { throw Unknown() }
                return Profile(name: "slow", conditions: .link(delay: .seconds(1)))
            }
            try await withControlServer(at: .anyLoopbackPort, for: link, profile: find) { address in
                try await body(link, address)
            }
        }
    }

    private func ask(_ address: Endpoint, _ method: String, _ body: String = "", host: String? = nil) async throws
        -> String
    {
        let peer = try await Peer.connect(to: address)
        try await peer.send(
            """
            \(method) /v1/link HTTP/1.1\r
            Host: \(host ?? address.description)\r
            Connection: close\r
            Content-Length: \(body.utf8.count)\r
            \r
            \(body)
            """)
        return await peer.receiveAllText()
    }

    @Test func aChangeTakesEffectAtOnceAndIsNumbered() async throws {
        try await withControl { link, address in
            let before = try await ask(address, "GET")
            #expect(before.contains("\"generation\" : 0") && before.contains("\"rate\" : \"1 Mbit/s\""))
            let after = try await ask(address, "PUT", #"{"version": 1, "profile": "slow"}"#)
            #expect(after.contains("\"generation\" : 1") && after.contains("\"profile\" : \"slow\""))
            #expect(try await link.conditions == .link(delay: .seconds(1)))
            _ = try await ask(address, "PUT", #"{"offline": "refused"}"#)
            #expect(try await link.conditions.offline == .refused)
            let online = try await ask(address, "PUT", #"{"offline": null}"#)
            #expect(online.contains("\"generation\" : 3"))
            #expect(try await link.conditions == .link(delay: .seconds(1)))
        }
    }

    @Test(arguments: [
        (#"{}"#, "exactly one of"), (#"{"profile": "slow", "offline": null}"#, "exactly one of"),
        (#"{"profil": "slow"}"#, "there is no 'profil'"), (#"{"profile": "fast"}"#, "no such profile"),
        (#"{"version": 2, "profile": "slow"}"#, "version 2"), (#"{"offline": "maybe"}"#, "no way to be offline"),
        (#"{"offline": 1}"#, "'offline' is not what it should be"), ("{", "the body is not JSON"),
        ("", "the body is not JSON"),
        (#"{"conditions": {"downlink": {"rate": "80"}}}"#, "no unit"),
        (#"{"conditions": {"uplink": {"delay": "-1 ms"}}}"#, "'-1 ms'"),
        (#"{"conditions": {"downlink": {"speed": "80 kbit/s"}}}"#, "there is no 'speed'"),
        (#"{"conditions": {"downlink": {"delay": "2562047 h"}}}"#, "the most is 1 h"),
        (#"{"conditions": {"uplink": {"delay": "1 h", "jitter": "61 min"}}}"#, "the most is 1 h"),
        (#"{"conditions": {"dnsDelay": "2 h"}}"#, "the most is 1 h"),
        (#"{"conditions": {"uplink": {"delay": "1 ms", "jitter": "5 s"}}}"#, "the jitter of the uplink"),
        (#"{"offline": "silent", "offline": null}"#, "'offline' stands twice"),
        (#"{"conditions": {"uplink": {"delay": "1 ms"}, "uplink": {}}}"#, "'uplink' stands twice"),
    ])
    func whatIsNoChangeSaysWhyAndChangesNothing(body: String, reason: String) async throws {
        try await withControl { link, address in
            let answer = try await ask(address, "PUT", body)
            #expect(answer.hasPrefix("HTTP/1.1 400 Bad Request\r\n"))
            #expect(answer.contains(reason), "\(answer)")
            #expect(try await link.counters().generation == 0)
        }
    }

    @Test func conditionsAreReadInTheirUnits() throws {
        let json = """
            {"conditions": {"downlink": {"rate": "780 kbit/s", "delay": "100 ms", "jitter": "5 ms", "loss": "1 %"},
                            "uplink": {"rate": "330 kbit/s"}, "dnsDelay": "50 ms", "held": true}}
            """
        var expected = LinkConditions(
            downlink: Conditions(
                rate: BitRate(bitsPerSecond: 780_000), delay: .milliseconds(100),
                jitter: Jitter(amount: .milliseconds(5)), loss: .random(try Ratio(parsing: "1 %"))),
            uplink: Conditions(rate: BitRate(bitsPerSecond: 330_000)))
        expected.dnsDelay = .milliseconds(50)
        expected.isHeld = true
        #expect(try LinkChange(json: Array(json.utf8)) == .conditions(expected))
    }

    @Test(arguments: [
        (#"{"a": {"b": 1}, "b": [{"a": 1}, {"a": 2}], "c": "a"}"#, nil), (#"["a", "a"]"#, nil), ("{}", nil), ("", nil),
        (#"{"a": 1 , "b": {"a": 2, "c": ":", "a" : 3}}"#, "a"), (#"{"x\"y": 1, "x\"y": 2}"#, #"x\"y"#),
        (#"{"a"#, nil), (#"{"a\"#, nil),
    ])
    func aKeyThatStandsTwiceIsFound(json: String, key: String?) {
        #expect(RepeatedKey.first(in: Array(json.utf8)) == key)
    }

    @Test func aNameThatLeadsHereIsNotEnough() async throws {
        try await withControl { _, address in
            let answer = try await ask(address, "PUT", #"{"offline": "silent"}"#, host: "evil.example")
            #expect(answer.hasPrefix("HTTP/1.1 403 Forbidden\r\n"))
        }
    }
}
