import Testing
import Wording

@Suite struct ShellWordsTests {
    @Test(
        "words of a command line are those of a shell",
        arguments: [
            ("curl -o '{output}' {url}", ["curl", "-o", "{output}", "{url}"]), ("a \"b c\"'d'\\ e", ["a", "b cd e"]),
            ("", []), ("'' a", ["", "a"]), ("a 'b", nil), ("a \\", nil), ("\"a\\n\\\"\"", ["a\\n\""]),
        ] as [(String, [String]?)])
    func words(_ line: String, _ expected: [String]?) {
        #expect(ShellWords.split(line) == expected)
    }
}
