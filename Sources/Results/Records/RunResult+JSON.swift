package import FoundationEssentials
import Wording

extension RunResult {
    /// The result as JSON: keys sorted, one value a line, a line's end at the end.
    ///
    /// Throws only for a number that JSON cannot hold, which the records refuse.
    package func json() throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
        encoder.nonConformingFloatEncodingStrategy = Self.nonFinite
        return try encoder.encode(self) + Data("\n".utf8)
    }

    /// Reads what ``json()`` wrote.
    ///
    /// Unknown keys are left alone: a later version may add some. A result that contradicts itself is refused, so that
    /// nothing passes of which its own numbers say something else.
    package init(json: Data) throws(ResultError) {
        try self.init(checkedSchema: json)
        if let contradiction { throw .contradictory(contradiction) }
    }

    /// Reads a result of the schema that this version writes, whether it contradicts itself or not.
    init(checkedSchema json: Data) throws(ResultError) {
        let schema = try Self.decode(Schema.self, json).version
        guard schema == Self.currentSchema else { throw .unknownSchema(schema) }
        self = try Self.decode(Self.self, json)
    }

    /// Reads a part of a result.
    static func decode<Value: Decodable>(_ type: Value.Type, _ json: Data) throws(ResultError) -> Value {
        let decoder = JSONDecoder()
        decoder.nonConformingFloatDecodingStrategy = .convertFromString(
            positiveInfinity: "Infinity", negativeInfinity: "-Infinity", nan: "NaN")
        do { return try decoder.decode(type, from: json) } catch {
            throw .unreadable(error.decodingReason(in: json))
        }
    }

    private struct Schema: Decodable {
        var version: Int
        private enum CodingKeys: String, CodingKey { case version = "schema_version" }
    }

    private static var nonFinite: JSONEncoder.NonConformingFloatEncodingStrategy {
        .convertToString(positiveInfinity: "Infinity", negativeInfinity: "-Infinity", nan: "NaN")
    }
}
