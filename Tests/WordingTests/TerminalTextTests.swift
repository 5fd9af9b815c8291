import Testing
import Wording

@Suite("Text on a terminal")
struct TerminalTextTests {
    /// Sets the title, clears the screen, begins a line, goes back, and reverses the direction of writing.
    private static let evil = "a\u{1B}]0;t\u{7}\u{1B}[2J\nFORGED\r\u{202E}\u{9B}31m\u{85}\u{2028}\u{7F}\u{61C}é"
    private static let escaped =
        "a\\u{1B}]0;t\\u{7}\\u{1B}[2J\\u{A}FORGED\\u{D}\\u{202E}\\u{9B}31m\\u{85}\\u{2028}\\u{7F}\\u{61C}é"

    @Test func interpolatedValuesAreEscaped() {
        let text: TerminalText = "\u{1B}[1m'\(Self.evil)'\n\(3) \(Optional("x") ?? "")"
        #expect(text.description == "\u{1B}[1m'\(Self.escaped)'\n3 x")
        let again: TerminalText = "(\(text))" + "\(Self.evil)"
        #expect(again.description == "(\(text.description))\(Self.escaped)")
        #expect(TerminalText(lines: ["a\nb", "c"]).description == "a\\u{A}b\nc")
    }

    @Test(arguments: ["", "plain", "tab\tand é", "👩\u{200D}🚀", "naïve 漢字"])
    func harmlessTextStays(text: String) {
        #expect(text.onOneLine == text)
        #expect(TerminalText(report: text + "\n").description == text + "\n")
    }

    @Test func reportsKeepOnlyLinesAndColours() {
        let report = "\u{1B}[31;1mFAIL\u{1B}[0m\n\t\u{1B}[2J\u{1B}]0;x\u{7}\u{1B}[\u{1B}[31\r\u{9B}31m"
        #expect(
            TerminalText(report: report).description
                == "\u{1B}[31;1mFAIL\u{1B}[0m\n\t\\u{1B}[2J\\u{1B}]0;x\\u{7}\\u{1B}[\\u{1B}[31\\u{D}\\u{9B}31m")
    }

    @Test func jsonStaysTheSameForPrograms() {
        let json = "{\n\t\"a\": \"\u{7F}\u{9B}\u{202E}\u{E0041}é\"\n}"
        #expect(
            TerminalText(json: json).description == "{\n\t\"a\": \"\\u007f\\u009b\\u202e\\udb40\\udc41é\"\n}")
    }
}
