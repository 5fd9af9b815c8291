import Testing

@testable import Redaction

/// Values that a run knows to be secrets, wherever they occur.
@Suite struct HeldSecretsTests {
    @Test(arguments: [
        ("auth failed with user:s3cr3t-pw", "auth failed with [redacted]"),
        ("s3cr3t-pw,s3cr3t-pws3cr3t-pw!", "[redacted],[redacted][redacted]!"),
        ("/a/user%3As3cr3t-pw/b", "/a/[redacted]/b"), ("/a/user%3as3cr3t-pw/b", "/a/[redacted]/b"),
        ("Basic dXNlcjpzM2NyM3QtcHc=", "Basic [redacted]="), ("a+b/\"c d", "[redacted]"),
        (#"{"a": "a+b/\"c d"}"#, #"{"a": "[redacted]"}"#), (#"{"a": "a+b\/\"c d"}"#, #"{"a": "[redacted]"}"#),
        ("a%2Bb%2F%22c%20d", "[redacted]"), ("é s3cr3t-pw é", "é [redacted] é"), ("s3cr3t-p", "s3cr3t-p"),
        ("short stays", "short stays"), ("[redacted]", "[redacted]"), ("", ""),
    ])
    func everyForm(_ text: String, _ expected: String) {
        var held = HeldSecrets()
        held.hold(["s3cr3t-pw", "user:s3cr3t-pw", "a+b/\"c d", "short", "redacted"])
        #expect(held.redacted(text) == expected)
        #expect(held.redacted(expected) == expected)
        #expect(HeldSecrets().redacted(text) == text)
    }

    @Test func heldSecretsAreRedactedByEveryFunction() {
        let secret = "h3ld-by-the-process"
        Redaction.hold([secret])
        #expect(Redaction.url("https://a.example/\(secret)/b") == "https://a.example/[redacted]/b")
        #expect(Redaction.arguments(["x", secret]) == ["x", "[redacted]"])
        #expect(Redaction.value(secret, of: "path") == "[redacted]")
    }
}
