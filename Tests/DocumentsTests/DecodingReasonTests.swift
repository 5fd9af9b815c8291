import Documents
import FoundationEssentials
import Testing

@Suite("Why a decoder refuses a text")
struct DecodingReasonTests {
    private enum Kind: String, Decodable { case one }

    private struct Record: Decodable {
        struct Part: Decodable {
            var flags: [Bool]
            var kind: Kind?
        }
        var number: Int
        var name: String
        var share: Double?
        var parts: [Part]
        var words: [String: String]?
    }

    private static let long = String(repeating: "k", count: 500)

    @Test(
        arguments: [
            ("", "it is empty"),
            ("{\"number\": 1,\n \"name\": \"a\",\n \"parts\": [", "line 3, column 12: it is not JSON from there on"),
            ("not JSON", "line 1, column 1: it is not JSON from there on"),
            ("{} more", "line 1, column 4: it is not JSON from there on"),
            ("{\"a\": 01x}", "line 1, column 7: it is not JSON from there on"),
            ("[]", "an object is expected"), ("{}", "the key 'number' is missing"),
            ("{\"number\": \"a\"}", "number: a whole number is expected"),
            ("{\"number\": null}", "number: a whole number is expected, but the value is null"),
            ("{\"number\": 1.5}", "a number in it is too large, or must be whole"),
            ("{\"number\": 1, \"name\": []}", "name: a text is expected"),
            ("{\"number\": 1, \"name\": \"\", \"share\": true}", "share: a number is expected"),
            ("{\"number\": 1, \"name\": \"\", \"parts\": {}}", "parts: a list is expected"),
            (
                "{\"number\": 1, \"name\": \"\", \"parts\": [{\"flags\": []}, {\"flags\": [true, 3]}]}",
                "parts[1].flags[1]: true or false is expected"
            ),
            (
                "{\"number\": 1, \"name\": \"\", \"parts\": [{\"flags\": [], \"kind\": \"secret\"}]}",
                "parts[0].kind: this version does not know its value"
            ),
            (
                "{\"number\": 1, \"name\": \"\", \"parts\": [], \"words\": {\"\(long)\": 1}}",
                "words.\(long.prefix(59))…: a text is expected"
            ),
        ] as [(String, String)])
    func isAClause(json: String, reason: String) throws {
        let data = Data(json.utf8)
        let error = #expect(throws: DecodingError.self) { try JSONDecoder().decode(Record.self, from: data) }
        #expect(error?.decodingReason(in: data) == reason)
    }

    @Test func otherEncodingsAndErrorsAreReported() {
        let latin = Data([0x22, 0xE9, 0x22])
        let error = #expect(throws: DecodingError.self) { try JSONDecoder().decode(String.self, from: latin) }
        #expect(error?.decodingReason(in: latin) == "it is not UTF-8")
        let behind = Data("[]\n".utf8) + [0xE9]
        let late = #expect(throws: DecodingError.self) { try JSONDecoder().decode([Int].self, from: behind) }
        #expect(late?.decodingReason(in: behind) == "line 2, column 1: it is not JSON from there on")
        struct Other: Error, CustomStringConvertible { let description = "something else" }
        #expect(Other().decodingReason() == "something else")
    }
}
