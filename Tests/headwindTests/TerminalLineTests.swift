import Testing

@testable import headwind

struct TerminalLineTests {
    @Test(
        arguments: [
            ("", 80, ""), ("0/3  tunnel 1/7", 80, "0/3  tunnel 1/7"), ("123456789", 10, "123456789"),
            ("1234567890", 10, "12345678…"), ("12345678901", 10, "12345678…"), ("ab", 2, "…"), ("ab", 0, "…"),
            ("·····", 5, "···…"), ("漢字漢字", 9, "漢字漢字"), ("漢字漢字", 8, "漢字漢…"), ("漢字漢字", 7, "漢字…"),
            ("e\u{301}e\u{301}e\u{301}", 4, "e\u{301}e\u{301}e\u{301}"),
        ] as [(String, Int, String)])
    func aLineStaysOnOneRow(text: String, columns: Int, line: String) {
        #expect(TerminalLine.cut(text, columns: columns) == line)
    }
}
