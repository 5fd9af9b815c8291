import LinkModel
import Links
import LinuxSupport
import ProxyLink
import Scenarios
import Testing

@testable import Execution

struct LinkChangeTests {
    private struct Unknown: Error {}

    private func read(_ text: String) throws -> LinkChange {
        try LinkChange(parsing: text) { name in
            guard name == "lte" else { throw Unknown() }
            return Profile(name: name, conditions: LinkConditions())
        }
    }

    @Test(
        arguments: [
            ("10s:offline", .seconds(10), "offline silent"),
            ("500ms:offline=refused", .milliseconds(500), "offline refused"),
            ("1.5s:online", .milliseconds(1500), "online"), ("2 min:lte", .seconds(120), "lte"),
        ] as [(String, Duration, String)])
    func aChangeHasATimeAndAState(text: String, after: Duration, state: String) throws {
        let change = try read(text)
        #expect(change.after == after)
        switch change.effect {
        case .offline(let kind): #expect(state == "offline \(kind.rawValue)" && change.name == kind.rawValue)
        case nil: #expect(state == "online")
        case .profile(let profile): #expect(state == profile.name && state == change.name)
        case .cut, .clientKilled, .deviceFull: Issue.record("no text of a change has this effect")
        }
    }

    @Test(
        arguments: [
            (["10s:offline", "15s:online"], "silent@10 s for 5 s"),
            (
                ["1s:online", "2s:lte", "3s:offline=refused", "4s:online", "9s:lte"],
                "lte@2 s for 1 s, refused@3 s for 1 s, lte@9 s"
            ),
            (["5s:offline", "10s:lte", "20s:online"], "silent@5 s for 5 s, lte@10 s for 10 s"),
            (["1s:offline", "1s:lte"], "lte@1 s"), (["1s:offline", "1s:online"], ""),
        ] as [([String], String)])
    func changesAreFaultsOfAScenario(texts: [String], expected: String) throws {
        let faults = LinkChange.faults(try texts.map(read))
        let found = faults.map { fault, name in
            "\(name)@\(fault.trigger.time?.text ?? "?")" + (fault.duration.map { " for \($0.text)" } ?? "")
        }
        #expect(found.joined(separator: ", ") == expected)
    }

    @Test(arguments: ["offline", "lte"]) func onlineEndsAllChanges(first: String) async throws {
        let changes = try ["0s:\(first)", "20ms:offline=refused", "40ms:lte", "60ms:online"].map(read)
        let own = LinkConditions(
            downlink: Conditions(rate: BitRate(bitsPerSecond: 9_000_000)), uplink: Conditions())
        try await withProxyLink(ProxyLinkConfiguration(profile: Profile(name: "own", conditions: own))) {
            link async throws in
            let driver = LinkFaultDriver(LinkChange.faults(changes).map(\.fault), link: link)
            await driver.playTimed(from: MonotonicClock.now)
            #expect(driver.played.count == 3)
            #expect(try await link.conditions == own)
        }
    }

    @Test(arguments: ["", "offline", "10s", "10s:", "10:offline", "x:online", "1s:offline=soft", "1s:3g"])
    func unreadableChangesAreRefused(text: String) {
        #expect(throws: (any Error).self) { try read(text) }
    }
}
