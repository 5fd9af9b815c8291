import Foundation
import Testing

@testable import HeadwindControl

/// Conditions and profiles in the notation of the proxy.
extension LinkTests {
    static let bursts = Loss.bursts(goodToBad: "1 %", badToGood: "20 %", lossInBad: "90 %", lossInGood: "0.5 %")

    @Test(arguments: [
        ("{}", Conditions()), (#"{"dns-delay":"1 s"}"#, .init(dnsDelay: "1 s")), (#"{"mtu":1200}"#, .init(mtu: 1200)),
        (#"{"offline":"no-name"}"#, .init(offline: .noName)), (#"{"held":true}"#, .init(held: true)),
        (#"{"uplink":{"rate":"1 Mbit/s"}}"#, .init(uplink: .init(rate: "1 Mbit/s"))),
        (
            #"{"downlink":{"delay":"20 ms","jitter":"10 ms","loss":"1 %"}}"#,
            .init(downlink: .init(delay: "20 ms", jitter: "10 ms", loss: "1 %"))
        ),
        (
            #"{"downlink":{"delay":"20 ms","jitter":{"amount":"10 ms","distribution":"normal"}}}"#,
            .init(downlink: .init(delay: "20 ms", jitter: .init("10 ms", .normal)))
        ),
        (
            #"{"uplink":{"loss":{"bad-to-good":"20 %","good-to-bad":"1 %","loss-in-bad":"90 %","#
                + #""loss-in-good":"0.5 %"}}}"#, .init(uplink: .init(loss: bursts))
        ),
        (
            #"{"downlink":{"corrupt":"0.2 %","duplicate":"0.1 %","queue":"50 packets","reorder":"1 %"}}"#,
            .init(downlink: .init(duplicate: "0.1 %", reorder: "1 %", corrupt: "0.2 %", queue: "50 packets"))
        ),
    ])
    func conditionsHaveTheNotationOfProfiles(text: String, conditions: Conditions) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        #expect(String(decoding: try encoder.encode(conditions), as: UTF8.self) == text)
        #expect(try JSONDecoder().decode(Conditions.self, from: Data(text.utf8)) == conditions)
    }

    @Test func aLaterKeyIsIgnored() throws {
        let text = #"{"downlink":{"rate":"1 Mbit/s","later":[1]},"mtu":1400,"later":{"a":null}}"#
        let expected = Conditions(downlink: .init(rate: "1 Mbit/s"), mtu: 1400)
        #expect(try JSONDecoder().decode(Conditions.self, from: Data(text.utf8)) == expected)
    }

    @Test func theProxyTakesAndGivesEachCondition() async throws {
        let all = Conditions(
            downlink: .init(
                rate: "1 Mbit/s", delay: "20 ms", jitter: .init("10 ms", .normal), loss: Self.bursts,
                duplicate: "0.1 %", reorder: "1 %", corrupt: "0.2 %", queue: "50 packets"),
            uplink: .init(delay: "10 ms", jitter: "5 ms", loss: "1 %"), dnsDelay: "1 s", mtu: 1200, offline: .silent,
            held: true)
        try await withStandingProxy(program: Self.program) { proxy in
            let link = try await proxy.control.putLink("all", conditions: all)
            let state = try await link.state
            #expect(state.conditions == all && state.status.conditions == all && state.profile == nil)
            try await link.set(Conditions(rtt: "75 ms"))
            let halves = Conditions(downlink: .init(delay: "38 ms"), uplink: .init(delay: "37 ms"))
            #expect(try await link.status.conditions == halves)
            try await link.set(Conditions(downlink: .init(loss: .bursts(goodToBad: "1 %", badToGood: "20 %"))))
            #expect(try await link.status.conditions.downlink?.loss != nil)
        }
    }

    @Test func aWholeProfileIsFollowed() async throws {
        let profile = Profile(["profile": "mine", "source": "a try", "extends": "3g", "mtu": 1400])
        #expect(profile.name == "mine")
        try await withStandingProxy(options: ["--profile", "3g"], program: Self.program) { proxy in
            try await proxy.link.follow(profile)
            let state = try await proxy.link.state
            #expect(state.profile?.name == "mine" && state.profile?.document?["mtu"] == 1400)
            #expect(state.status.conditions.mtu == 1400 && state.conditions == nil)
            try await proxy.link.follow("lte")
            #expect(try await proxy.link.state.profile == "lte")
        }
    }
}
