import Testing

@testable import Documents

@Suite("JSON with places")
struct JSONReaderTests {
    @Test func readsEveryEscape() throws {
        let text = try JSONReader.read(#""\"\\\/\b\f\n\r\t\u00e9\ud83e\uddf2""#).text()
        #expect(text == "\"\\/\u{8}\u{C}\n\r\té\u{1F9F2}")
    }

    @Test(arguments: ["0", "-0", "10", "-1.5", "0.25", "1e9", "1E+9", "1.5e-3", "true", "false", "null"])
    func readsLiterals(text: String) throws {
        guard case .literal(text) = try JSONReader.read(text).content else {
            Issue.record("\(text) should be a literal")
            return
        }
    }

    @Test(arguments: [
        "+1", "01", "-01", ".5", "5.", "1.e5", "1e", "0x1", "inf", "-inf", "nan", "1-2", "True", "-", "1..2", "--1",
    ])
    func refusesInvalidLiterals(text: String) {
        #expect(throws: JSONProblem.self) { try JSONReader.read(text) }
        #expect(JSONReader.fault(in: text) == .start)
    }

    @Test(arguments: [
        (#"{"a": 1, "a": 2}"#, 10), (#"{"a": 1, "\u0061": 2}"#, 10), ("[1, {\"é\": 1,\"é\": 2}]", 13),
    ])
    func aKeyMayNotBeRepeated(text: String, column: Int) {
        let problem = #expect(throws: JSONProblem.self) { try JSONReader.read(text) }
        #expect(problem?.mark == Mark(line: 1, column: column))
        #expect(JSONReader.fault(in: text) == nil)
    }

    /// A file of names may not have both keys, which its own reader reports.
    @Test func keysAreBytes() throws {
        #expect(try JSONReader.read("{\"\u{E9}\": 1, \"e\u{301}\": 2}").members().count == 2)
    }

    @Test func deepTextsEnd() {
        let deep = String(repeating: "[", count: 100_000)
        #expect(throws: JSONProblem.self) { try JSONReader.read(deep) }
        #expect(JSONReader.fault(in: deep) == Mark(line: 1, column: 201))
    }
}
