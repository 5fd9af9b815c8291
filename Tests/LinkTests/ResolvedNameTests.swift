import Links
import Testing

/// How `--resolve` is read.
struct ResolvedNameTests {
    @Test(
        arguments: [
            ("Staging.example:192.0.2.7", "staging.example:192.0.2.7"), ("a_b:::1", "a_b:::1"),
            ("a:[2001:db8::7]", "a:2001:db8::7"),
        ])
    func aNameWithAnAddress(text: String, read: String) throws {
        #expect(try ResolvedName(parsing: text).text == read)
    }

    @Test(
        arguments: [
            ("", "no ':'"), ("staging.example", "no ':'"), (":127.0.0.1", "not a host name"),
            ("a:", "not an IPv4 or IPv6 address"),
            ("a:b", "not an IPv4 or IPv6 address"), ("a:1.2.3.4 5", "not an IPv4 or IPv6 address"),
            ("a:[1.2.3.4]", "not an IPv4 or IPv6 address"),
            ("a:1.2.3.4:443", "not an IPv4 or IPv6 address"), ("a:443:1.2.3.4", "leave the port out"),
            ("a b:1.2.3.4", "not a host name"),
            ("a\nb:1.2.3.4", "not a host name"), ("a..b:1.2.3.4", "not a host name"),
            ("1.2.3.4:1.2.3.4", "not a host name"),
            ("*:1.2.3.4", "not a host name"), ("localhost:1.2.3.4", "loopback"),
            (String(repeating: "a", count: 64) + ":1.2.3.4", "not a host name"),
            ("a:1.2.3.4\n", "not an IPv4 or IPv6 address"),
        ])
    func anUnreadableNameIsRefused(text: String, why: String) {
        let error = #expect(throws: ResolvedName.Refusal.self) { try ResolvedName(parsing: text) }
        #expect(error?.description.contains(why) == true, "\(String(describing: error))")
    }
}
