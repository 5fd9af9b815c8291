import FoundationEssentials

extension Encodable {
    /// The value as JSON for people and programs: sorted keys, a line for each, the end of the last line.
    func jsonText() throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(self), as: UTF8.self) + "\n"
    }
}
