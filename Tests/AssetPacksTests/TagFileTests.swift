import SystemPackage
import Testing

@testable import AssetPacks

/// Tag files: how they are read, and the problems of wrong ones.
@Suite("Tag files")
struct TagFileTests {
    private func catalog(_ tagFile: String, files: [String]) throws -> Catalog {
        try withScratch { scratch in
            for file in files { try scratch.appending(file).write(file) }
            try scratch.appending("tags.json").write(tagFile)
            return try Catalog(tagFile: scratch.appending("tags.json"))
        }
    }

    @Test func givesTagsByPattern() throws {
        let catalog = try catalog(
            """
            {
              "bundle": "com.example.game",
              "initialInstall": ["menu"],
              "prefetch": ["level-1", "level-2"],
              "tags": {
                "menu": ["menu.png"],
                "level-1": ["levels/1/**", "music/?.ogg"],
                "level-2": ["levels/2/*.dat", "music/*"]
              }
            }
            """,
            files: [
                "menu.png", "levels/1/a.dat", "levels/1/deep/b.dat", "levels/2/c.dat", "music/1.ogg", "readme",
                ".git/x",
            ])
        #expect(catalog.bundleID == "com.example.game")
        #expect(catalog.initialInstall == ["menu"] && catalog.prefetch == ["level-1", "level-2"])
        #expect(
            Dictionary(uniqueKeysWithValues: catalog.resources.map { ($0.path, $0.tags) }) == [
                "menu.png": ["menu"], "levels/1/a.dat": ["level-1"], "levels/1/deep/b.dat": ["level-1"],
                "levels/2/c.dat": ["level-2"], "music/1.ogg": ["level-1", "level-2"], "readme": [],
            ])
        #expect(catalog.resources.map(\.path) == catalog.resources.map(\.path).sorted())
    }

    @Test(arguments: [
        ("", "1:1: the file ends here, and there should be a value"),
        ("[]", "1:1: there should be an object, and there is an array"),
        ("{\"bundle\": \"b\"}", "1:1: the key \"tags\" is missing"),
        ("{\"tags\": {}}", "1:1: the key \"bundle\" is missing"),
        ("{\n \"bundel\": \"b\"}", "2:2: the key \"bundel\" is unknown here; did you mean \"bundle\"?"),
        (
            "{\n \"xyz\": 1}",
            "2:2: the key \"xyz\" is unknown here; known are \"bundle\", \"initialInstall\", \"prefetch\", \"preservation\", \"tags\"."
        ),
        ("{\"bundle\": 7, \"tags\": {}}", "1:12: there should be a string, and there is 7"),
        ("{\"bundle\": \"a b\", \"tags\": {}}", "1:12: 'a b' is not a bundle identifier"),
        ("{\"bundle\": \"b\", \"tags\": []}", "1:25: there should be an object of tags, and there is an array"),
        (
            "{\"bundle\": \"b\", \"tags\": {\"t\": \"x\"}}",
            "1:31: there should be an array, and there is the string"
        ),
        ("{\"bundle\": \"b\", \"tags\": {\"t\": []}}", "1:31: the tag 't' has no pattern"),
        ("{\"bundle\": \"b\", \"tags\": {\"t\": [null]}}", "1:32: there should be a string, and there is null"),
        ("{\"bundle\": \"b\", \"tags\": {\"\": [\"*\"]}}", "1:26: The tag '' cannot be used: it is empty"),
        ("{\"bundle\": \"b\", \"tags\": {\"a:b\": [\"*\"]}}", "1:26: The tag 'a:b' cannot be used: it has ':'"),
        ("{\"bundle\": \"b\", \"tags\": {\"a/b\": [\"*\"]}}", "it has '/'"),
        ("{\"bundle\": \"b\", \"tags\": {\"a\\u0007\": [\"*\"]}}", "it has a control character"),
        ("{\"bundle\": \"b\", \"tags\": {\"t\": [\"../x\"]}}", "1:32: '../x' is not a pattern"),
        ("{\"bundle\": \"b\", \"tags\": {\"t\": [\"/etc/*\"]}}", "1:32: '/etc/*' is not a pattern"),
        ("{\"bundle\": \"b\", \"tags\": {\"t\": [\"nothing*\"]}}", "matches 'nothing*'"),
        ("{\"bundle\": \"b\", \"tags\": {\"t\": [\"*\"], \"t\": []}}", "1:38: the key \"t\" appears twice"),
        (
            "{\"bundle\": \"b\", \"prefetch\": [\"levle\"],\n\"tags\": {\"level\": [\"*\"]}}",
            "1:30: no file has the tag \"levle\"; did you mean \"level\"?"
        ),
        (
            "{\"bundle\": \"b\", \"prefetch\": [\"t\", \"t\"], \"tags\": {\"t\": [\"*\"]}}",
            "1:35: the tag \"t\" is listed"
        ),
        (
            "{\"bundle\": \"b\", \"preservation\": {\"t\": 1.5}, \"tags\": {\"t\": [\"*\"]}}",
            "1:39: a preservation priority is a number from 0 to 1, not 1.5"
        ),
        (
            "{\"bundle\": \"b\", \"preservation\": {\"u\": 1}, \"tags\": {\"t\": [\"*\"]}}",
            "1:34: no file has the tag \"u\""
        ),
        (
            "{\"bundle\": \"b\", \"preservation\": {\"\u{E9}\": 1, \"e\u{301}\": 0}, \"tags\": {\"\u{E9}\": [\"*\"]}}",
            "1:42: the tag \"e\u{301}\" is listed twice"
        ),
        (
            "{\"bundle\": \"b\", \"preservation\": {\"t\": 0x1}, \"tags\": {\"t\": [\"*\"]}}",
            "1:39: there should be a value"
        ),
        (
            "{\"bundle\": \"b\", \"preservation\": [], \"tags\": {\"t\": [\"*\"]}}",
            "1:33: there should be an object of tags"
        ),
        ("{\"bundle\": \"b\", \"tags\": {\"t\": [\"*\"]}} x", "1:39: there should be nothing more"),
        ("{\"bundle\": \"b\" \"tags\": {}}", "1:16: there should be a ',' or a '}'"),
        ("{\"bundle\": \"b\n\"}", "1:12: the string that begins here does not end on its line"),
        ("{\"bundle\": tru}", "1:12: there should be a value, and 'tru' is not one"),
        ("{\"bundle\": \"\\q\"}", "JSON has no such escape"),
        ("{\"bundle\": \"\\ud800x\"}", "half of a surrogate pair"),
        (String(repeating: "[", count: 100_000), "there are more than 16 levels"),
    ])
    func saysWhatIsWrongAndWhere(tagFile: String, message: String) {
        let error = #expect(throws: CatalogError.self) { try catalog(tagFile, files: ["a.txt"]) }
        #expect(error?.description.contains(message) == true, "\(error?.description ?? "")")
        #expect(error?.description.hasSuffix(".") == true || error?.description.hasSuffix("?") == true)
    }

    @Test func readsPreservationPriorities() throws {
        let catalog = try catalog(
            "{\"bundle\": \"b\", \"preservation\": {\"t\": 1, \"u\": 0.5}, \"tags\": {\"t\": [\"a\"], \"u\": [\"b\"]}}",
            files: ["a", "b"])
        #expect(catalog.preservation == ["t": 1, "u": 0.5])
    }

    @Test func aTagFileMayBeOutsideItsFolder() throws {
        try withScratch { scratch in
            try scratch.appending("files/a.txt").write("a")
            let tagFile = scratch.appending("my.json")
            try tagFile.write("{\"bundle\": \"b\", \"tags\": {\"t\": [\"*.txt\"]}}")
            let catalog = try Catalog(tagFile: tagFile, root: scratch.appending("files"))
            #expect(catalog.resources.map(\.path) == ["a.txt"] && catalog.tags == ["t"])
        }
    }

    @Test func aMissingTagFileIsReported() {
        let error = #expect(throws: CatalogError.self) { try Catalog(tagFile: "/nowhere/tags.json") }
        #expect(error?.description.contains("Could not read the tag file '/nowhere/tags.json'") == true)
    }

    @Test(arguments: [
        ("*", "a", true), ("*", "a/b", false), ("**", "a/b", true), ("a/**", "a/b/c", true), ("a/**", "a", false),
        ("**/c", "c", true), ("**/c", "a/b/c", true), ("a/**/c", "a/c", true), ("a/**/c", "a/b/b/c", true),
        ("a*c", "abbc", true), ("a*c", "abbd", false), ("?", "é", true), ("?", "", false), ("a?", "a", false),
        ("*.png", "x.png", true), ("*.png", "x.PNG", false), ("[a]", "a", false),
        ("*a*a*b", "aaaaaaaaaaaaaaaaaaaac", false),
    ])
    func matchesPatterns(pattern: String, path: String, matches: Bool) {
        #expect(PathPattern(pattern).matches(path) == matches)
    }

    /// Patterns for which other matchers take exponential time.
    @Test(.timeLimit(.minutes(1)))
    func matchesHostilePatterns() {
        let stars = String(repeating: "**/", count: 20) + "b"
        #expect(!PathPattern(stars).matches(String(repeating: "a/", count: 40) + "c"))
        #expect(!PathPattern(String(repeating: "*a", count: 40) + "b").matches(String(repeating: "a", count: 200)))
    }
}
