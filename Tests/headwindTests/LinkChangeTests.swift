import LinkModel
import Testing

@testable import headwind

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
    func aTimeAndWhatThenHolds(text: String, after: Duration, state: String) throws {
        let change = try read(text)
        #expect(change.after == after)
        switch change.state {
        case .offline(let kind): #expect(state == "offline \(kind.rawValue)")
        case .online: #expect(state == "online")
        case .profile(let profile): #expect(state == profile.name)
        }
    }

    @Test(arguments: ["", "offline", "10s", "10s:", "10:offline", "x:online", "1s:offline=soft", "1s:3g"])
    func othersSayWhatIsWrong(text: String) {
        #expect(throws: (any Error).self) { try read(text) }
    }
}
