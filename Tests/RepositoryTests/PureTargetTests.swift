import Testing

/// Targets that docs/architecture.md calls pure read no clock, open nothing and start nothing.
@Suite("Pure targets")
struct PureTargetTests {
    /// The first word of a source that asks the system for something, or nil if there is none.
    private static func systemWord(in text: String) -> String? {
        let words =
            /\b(?:\w*Clock\.now|clock_gettime|Date\(\)|FileManager|FileDescriptor|ContainedFile|ProcessInfo|getenv|Task|DedicatedThread|withGuardedProcess|withPackHost|LinkProvider|import (?:NIO\w*|SystemPackage))\b/
        return text.split(separator: "\n").lazy.filter { !$0.drop { $0 == " " }.hasPrefix("//") }
            .compactMap { $0.firstMatch(of: words).map { String($0.output) } }.first
    }

    @Test("are those that the page calls pure") func arePure() throws {
        let page = try Repository.text("docs/architecture.md")
        let names = page.matches(of: /(?m)^(\w+): .*; pure\b/).map { String($0.output.1) }
        #expect(names.sorted() == ["Evidence", "Hunting", "LinkModel", "Results"])
        for name in names {
            let files = Repository.files(in: "Sources/\(name)", endings: ["swift"])
            #expect(!files.isEmpty)
            for file in files { #expect(Self.systemWord(in: try Repository.text(file)) == nil, "\(file)") }
        }
    }

    @Test(
        arguments: [
            ("let now = MonotonicClock.now", "MonotonicClock.now"), ("    // FileManager", nil), ("let task = 1", nil),
            ("Task { }", "Task"), ("struct TransmissionClock {", nil),
            ("package import SystemPackage", "import SystemPackage"),
        ] as [(String, String?)])
    func word(text: String, found: String?) { #expect(Self.systemWord(in: text) == found) }
}
