import Testing

@testable import Harness
@testable import Links

struct PingGroupsTests {
    @Test(
        arguments: [
            ("1\t0\n", 0, false), ("0\t2147483647\n", 65_534, true), ("100\t200\n", 99, false),
            ("100\t200\n", 100, true),
            ("100\t200\n", 200, true), ("100\t200\n", 201, false), ("", 0, false), ("x y", 0, false), ("0", 0, false),
        ] as [(String, UInt32, Bool)])
    func groupsOfTheRangeMayPing(text: String, group: UInt32, mayPing: Bool) {
        let refusal = PingGroups(text).refusal(for: group)
        #expect((refusal == nil) == mayPing)
        if let refusal { #expect(refusal.contains("group \(group)") && refusal.contains("sudo sysctl -w")) }
    }
}
