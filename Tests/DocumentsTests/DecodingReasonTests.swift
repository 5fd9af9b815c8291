import Documents
import FoundationEssentials
import Testing

@Suite("What a decoder has against a text")
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
            ("[]", "an object belongs there"), ("{}", "the key 'number' is missing"),
            ("{\"number\": \"a\"}", "number: a whole number belongs there"),
            ("{\"number\": null}", "number: a whole number belongs there, and it is null"),
            ("{\"number\": 1.5}", "a number in it is too large, or not whole where a whole one belongs"),
            ("{\"number\": 1, \"name\": []}", "name: a text belongs there"),
            ("{\"number\": 1, \"name\": \"\", \"share\": true}", "share: a number belongs there"),
            ("{\"number\": 1, \"name\": \"\", \"parts\": {}}", "parts: a list belongs there"),
            (
                "{\"number\": 1, \"name\": \"\", \"parts\": [{\"flags\": []}, {\"flags\": [true, 3]}]}",
                "parts[1].flags[1]: true or false belongs there"
            ),
            (
                "{\"number\": 1, \"name\": \"\", \"parts\": [{\"flags\": [], \"kind\": \"secret\"}]}",
                "parts[0].kind: its value is none that this version knows"
            ),
            (
                "{\"number\": 1, \"name\": \"\", \"parts\": [], \"words\": {\"\(long)\": 1}}",
                "words.\(long.prefix(59))…: a text belongs there"
            ),
        ] as [(String, String)])
    func isAClause(json: String, reason: String) throws {
        let data = Data(json.utf8)
        let error = #expect(throws: DecodingError.self) { try JSONDecoder().decode(Record.self, from: data) }
        #expect(error?.decodingReason(in: data) == reason)
    }

    @Test func otherEncodingsAndErrorsAreTold() {
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
