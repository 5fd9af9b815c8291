import Testing

/// Profiles that would keep a machine busy without end, and traces that would show other files' content.
@Suite struct ProfileBoundsTests {
    private static let head = "profile: x\nsource: s\n"

    static let refused = [
        Case(
            "repeat without a pause", head + "repeat: 2 ns\nchanges: [{at: 1 ns, offline: silent}]\n",
            "3:9 '2 ns' is out of range: the least is 10 ms"),
        Case(
            "more changes than time",
            head + "repeat: 20 ms\nchanges: [{at: 1 ms, mtu: 900}, {at: 2 ms, mtu: 901}, {at: 3 ms, mtu: 902}]\n",
            "3:1 3 changes repeat every 20 ms | allow 10 ms or more for each"),
        Case(
            "stall without a pause", head + "stall: {every: 2 ns, for: 1 ns}\n",
            "3:16 '2 ns' is out of range: the least is 10 ms"),
        Case(
            "trace that is none", head + "trace: {uplink: secret.trace}\n",
            "1:1 'root:x:0:0:r…' is not a whole number of milliseconds"),
    ]

    @Test(arguments: refused) func refusesWithPlaceAndHint(_ example: Case) throws {
        let found = try problems(inProfile: example.text.utf8)
        #expect(found == example.problems)
    }

    @Test(arguments: [
        "repeat: 10 ms\nchanges: [{at: 1 ns, offline: silent}]\n", "stall: {every: 10 ms, for: 1 ns}\n",
        "trace: {uplink: traces/in.trace}\n",
    ])
    func takesTheSmallestAllowedValues(text: String) throws {
        #expect(try problems(inProfile: (Self.head + text).utf8).isEmpty)
    }

    @Test func followsNoLinkOutOfTheFolder() throws {
        let found = try problems(inProfile: (Self.head + "trace: {uplink: traces/out.trace}\n").utf8)
        #expect(found.count == 1 && found[0].hasSuffix("traces/out.trace' leads out of its folder"), "\(found)")
    }
}
