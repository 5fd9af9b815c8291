import FoundationEssentials

extension Encodable {
    /// The value as readable JSON: sorted keys, a line for each, and a newline at the end.
    package func jsonText() throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(self), as: UTF8.self) + "\n"
    }
}
