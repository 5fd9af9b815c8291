import LinkModel
import Testing

@testable import Scenarios

/// What a YAML file may contain, before its meaning matters.
@Suite(.sideBySide) struct YAMLTests {
    static let refused = [
        Case("empty", "", "1:1 the file is empty"),
        Case("comment alone", "# nothing\n", "1:1 the file is empty"),
        Case("a text", "hello\n", "1:1 found 'hello', expected a profile | write keys, such as 'key: value'"),
        Case("a list", "- a\n", "1:1 found a list, expected a profile | write keys, such as 'key: value'"),
        Case(
            "two documents", "profile: x\nsource: s\n---\nprofile: y\n",
            "3:1 a second document begins here | move it to its own file"),
        Case(
            "duplicate keys", "profile: x\nsource: s\nrtt: 1 ms\nrtt: 2 ms\nmtu: 9\n",
            "4:1 the key 'rtt' appears twice; it is also on line 3", "5:6 9 is out of range | the range is 576 to 65535"
        ),
        Case(
            "duplicate keys at two levels",
            "profile: x\nsource: s\nprofile: y\ndownlink: {rate: 1 bit/s, rate: 2 bit/s}\n",
            "3:1 the key 'profile' appears twice; it is also on line 1",
            "4:27 the key 'rate' appears twice; it is also on this line"),
        Case(
            "three of a quoted key", "source: s\n\"profile\": x\n'profile': y\nprofile: z\n",
            "3:1 the key 'profile' appears twice; it is also on line 2",
            "4:1 the key 'profile' appears twice; it is also on line 2"),
        Case(
            "tab", "profile: x\nsource: s\ndownlink:\n\trate: 1 bit/s\n",
            "4:1 this is not YAML: found character that cannot start any token while scanning for the next token, "
                + "begun on line 4 | indent with spaces, not with a tab"),
        Case(
            "unquoted colon", "profile: x\nsource: from: there\n",
            "2:13 this is not YAML: mapping values are not allowed in this context | a text that holds ': ' needs quotes"
        ),
        Case("control character", "profile: x\u{7}\n", "1:11 the character U+0007 is not allowed in a text file"),
        Case(
            "no break that others count", "profile: x\nsource: a\u{2028}b\n",
            "2:10 the character U+2028 is not allowed in a text file"),
        Case("private character", "profile: \u{E100}\n", "1:10 the character U+E100 is not allowed in a text file"),
        Case(
            "anchor and alias", "profile: x\nsource: &a s\ntitle: *a\n",
            "2:9 anchors (&) and aliases (*) are not supported | put a text in quotes",
            "3:8 anchors (&) and aliases (*) are not supported | put a text in quotes"),
        Case(
            "anchor of a mapping", "profile: x\nsource: s\ndownlink: &a {mtu: 3}\n",
            "3:18 this is not YAML: mapping values are not allowed in this context | anchors (&) and aliases (*) are not"
        ),
        Case(
            "billion laughs", "a: &a [x, x]\nb: &b [*a, *a]\nc: &c [*b, *b]\n? *c\n: x\n",
            "1:1", "1:1", "1:1", "1:4 anchors (&) and aliases (*) are not supported | put a text in quotes"),
        Case("tag", "profile: !!int 3\nsource: s\n", "1:10 YAML tags (!…) are not supported | put a text in quotes"),
        Case(
            "own tag", "profile: x\nsource: !env SECRET\n",
            "2:9 YAML tags (!…) are not supported | put a text in quotes"),
        Case("a key that is a list", "profile: x\nsource: s\n[a]: b\n", "3:1 a key must be a plain name"),
        Case(
            "a key that is a list, twice", "profile: x\nsource: s\n[a]: b\n[a]: b\n", "3:1 a key must be a plain name",
            "4:1 a key must be a plain name"),
        Case(
            "duplicate keys of other forms", "profile: x\nsource: s\n? |-\n  source\n: t\n? \"source\"\n: u\n",
            "3:3 the key 'source' appears twice; it is also on line 2",
            "6:3 the key 'source' appears twice; it is also on line 2"),
        Case(
            "merge key", "profile: x\nsource: s\n<<: {mtu: 1500}\n",
            "3:1 there is no key '<<' in a profile | its keys are "),
        Case(
            "no value", "profile: x\nsource: s\nrtt:\n",
            "3:5 found nothing, expected a duration such as 100 ms or 1.5 s"),
        Case("null", "profile: x\nsource: s\nrtt: null\n", "3:6 'null' is not a duration such as 100 ms or 1.5 s"),
        Case("tilde", "profile: x\nsource: s\nrtt: ~\n", "3:6 '~' is not a duration such as 100 ms or 1.5 s"),
    ]

    @Test(arguments: refused) func refusesWithPlace(_ example: Case) throws {
        let found = try problems(inProfile: example.text.utf8)
        for (index, expected) in example.problems.enumerated() {
            #expect(found.indices.contains(index) && found[index].hasPrefix(expected), "\(found)")
        }
        #expect(!found.isEmpty)
    }

    @Test(arguments: [
        ("yes", "yes"), ("0755", "0755"), ("1e3", "1e3"), ("null", "null"), ("2026-01-01", "2026-01-01"),
        ("'a: b'", "a: b"),
        ("a & b * c", "a & b * c"), ("'*'", "*"), ("\"&a\"", "&a"), (">-\n  one\n  two", "one two"),
        ("\u{1F4F6}", "\u{1F4F6}"),
        ("!!str x", "x"),
    ])
    func textsStayTexts(written: String, read: String) throws {
        #expect(try profile("profile: x\nsource: \(written)\n".utf8).source == read)
    }

    @Test func acceptsByteOrderMarkAndReturns() throws {
        let profile = try profile([0xEF, 0xBB, 0xBF] + "profile: x\r\nsource: s\r\nmtu: 1400\r\n".utf8)
        #expect(profile.conditions.mtu == 1400)
    }

    @Test func countsLinesThatEndInReturns() throws {
        #expect(
            try problems(inProfile: "profile: x\rsource: s\rmtu: 1\r".utf8) == [
                "3:6 1 is out of range | the range is 576 to 65535"
            ])
    }

    @Test func placesBytesThatAreNotUTF8() throws {
        let found = try problems(inProfile: Array("profile: x\nsource: é".utf8) + [0xFF])
        #expect(found == ["2:10 this byte is not UTF-8 | save the file as UTF-8"])
        let utf16 = try problems(inProfile: [0xFF, 0xFE, 0x70, 0])
        #expect(utf16 == ["1:1 this byte is not UTF-8 | it looks like UTF-16; save it as UTF-8"])
    }

    @Test func boundsSize() throws {
        let found = try problems(inProfile: Array(repeating: UInt8(ascii: "#"), count: 1 << 20 + 1))
        #expect(found == ["1:1 the file is larger than 1 MiB | split it"])
    }

    @Test func boundsDepth() throws {
        let found = try problems(
            inProfile: ("profile: x\nsource: s\nmtu: " + String(repeating: "[", count: 200)
                + String(repeating: "]", count: 200)).utf8)
        #expect(found.contains("3:30 this is nested more than 24 levels deep"))
        // Deeper than the parser's own stack allows.
        #expect(try !problems(inProfile: String(repeating: "[", count: 500_000).utf8).isEmpty)
        #expect(try !problems(inProfile: String(repeating: "- ", count: 500_000).utf8).isEmpty)
        #expect(try !problems(inProfile: String(repeating: "? ", count: 500_000).utf8).isEmpty)
    }

    @Test func boundsCount() throws {
        let found = try problems(inProfile: ("mtu: [" + String(repeating: "a,", count: 100_000) + "]").utf8)
        #expect(found.contains { $0.contains("more than 10000 values") })
    }

    @Test func reportsEveryDuplicateKey() throws {
        let found = try problems(inProfile: (1...100).map { "mtu: \($0)\n" }.joined().utf8)
        #expect(found.filter { $0.contains("the key 'mtu' appears twice; it is also on line 1") }.count == 99)
    }

    @Test func boundsProblems() throws {
        let text = (0..<5000).map { "k\($0): x\n" }.joined()
        #expect(try problems(inProfile: text.utf8).count == 200)
    }
}
