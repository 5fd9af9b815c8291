import Testing
import Wording

@Suite struct ShellWordsTests {
    @Test(
        "a command line is split as a shell splits it",
        arguments: [
            ("curl -o '{output}' {url}", ["curl", "-o", "{output}", "{url}"]), ("a \"b c\"'d'\\ e", ["a", "b cd e"]),
            ("", []), ("'' a", ["", "a"]), ("a 'b", nil), ("a \\", nil), ("\"a\\n\\\"\"", ["a\\n\""]),
        ] as [(String, [String]?)])
    func words(_ line: String, _ expected: [String]?) {
        #expect(ShellWords.split(line) == expected)
    }
}
