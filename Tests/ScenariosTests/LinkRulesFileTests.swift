import LinkModel
import Testing

@testable import Scenarios

/// Files with rules for an interface.
@Suite struct LinkRulesFileTests {
    private func read(_ text: String, interface: String = "wlan0") throws -> LinkRulesFile {
        let folder = try TemporaryFolder()
        try folder.write("slow.yaml", "profile: slow\nsource: a test\nuplink: {rate: 1 Mbit/s}\n")
        let file = try folder.write("rules.yaml", text)
        return try LinkRulesFile.read(file, interface: interface, library: Repository.profiles)
    }

    @Test func readsProfilesInItsFolder() throws {
        let file = try read(
            """
            profile: lte
            devices: true
            exceptions: [22, 10.0.0.0/8]
            rules:
            - {match: 192.168.1.20, profile: 3g}
            - match: 02:00:00:00:00:01
              profile: ./slow.yaml
            """)
        #expect(file.profile?.name == "lte" && file.hasDevices && file.exceptions == ["22", "10.0.0.0/8"])
        #expect(file.rules.map(\.match) == ["192.168.1.20", "02:00:00:00:00:01"])
        #expect(file.rules.map(\.profile.name) == ["3g", "slow"])
        #expect(file.rules[1].profile.conditions.uplink.rate == BitRate(bitsPerSecond: 1_000_000))
    }

    /// The output of `headwind link show --format json` is read; a name that is not bundled means the shown conditions.
    @Test func theOutputOfLinkShowIsRead() throws {
        let shown = """
            {"version": 2, "links": [
              {"interface": "eth0", "profile": "3g", "since": "2026-11-21T20:51:04Z", "watchdog": "running",
               "watchdog_pid": 7, "download": {"sent_packets": 1}},
              {"interface": "wlan0", "devices": true, "exceptions": ["22"], "replaced": {"queue": "pfifo 7:"},
               "rules": [{"match": "443", "profile": "mine", "upload": {"sent_packets": 1},
                          "conditions": {"downlink": {"rate": "2 Mbit/s", "delay": "20 ms"}}},
                         {"match": "fd00::/8", "profile": "3g", "conditions": {"offline": "silent"}}]}]}
            """
        let file = try read(shown)
        #expect(file.profile == nil && file.hasDevices && file.exceptions == ["22"])
        #expect(file.rules.map(\.profile.name) == ["mine", "3g"])
        #expect(file.rules[0].profile.conditions.downlink.delay == .milliseconds(20))
        #expect(file.rules[1].profile.conditions.offline == nil)
        let other = try read(shown, interface: "eth0")
        #expect(other.profile?.name == "3g" && other.rules.isEmpty && !other.hasDevices)
    }

    @Test(arguments: [
        ("rules: 7", "expected"), ("exceptions: [22]", "the file has no rules"), ("- 1", "expected"),
        ("rules: [{match: 443}]", "a rule needs the key 'profile'"),
        ("rules: [{profile: 3g}]", "a rule needs the key 'match'"),
        ("rules: [{match: 443, profile: 3gg}]", "there is no profile '3gg'"),
        ("rules: [{match: 443, profile: ./none.yaml}]", "there is no file"),
        ("rules: [{match: 443, profile: 3g, speed: 1}]", "there is no key 'speed' in a rule"),
        ("rules: [{match: 443, profile: mine, conditions: {downlink: {rate: fast}}}]", "'fast' is not a rate"),
        ("links: [{interface: eth0, rules: [{match: 443, profile: 3g}]}]", "no rules for 'wlan0', only for"),
        ("links: [{profile: 3g}]", "needs the key 'interface'"), ("devices: maybe\nprofile: 3g", "'maybe'"),
    ])
    func problemsAreReported(text: String, wanted: String) {
        let error = #expect(throws: InvalidFiles.self) { try read(text) }
        #expect(error?.description.contains(wanted) == true, "\(error?.description ?? "")")
    }
}
