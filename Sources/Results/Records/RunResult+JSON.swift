import Documents
package import FoundationEssentials

extension RunResult {
    /// The result as JSON with sorted keys, one value a line, and a final newline.
    ///
    /// Throws only for a number that JSON cannot hold, which the records refuse.
    package func json() throws -> Data {
        try json(of: cells.count, cells.map { try $0.json() }).reduce(into: Data()) { $0.append($1) }
    }

    /// The same as ``json()``, in consecutive pieces, with `count` texts of `CellResult.json()` instead of `cells`.
    ///
    /// An encoder builds a tree many times as large as the text, so it gets one cell at a time. The texts are made when
    /// they are needed.
    package func json(of count: Int, _ cells: some Sequence<Data>) throws -> AnySequence<Data> {
        var shell = self
        shell.cells = []
        let text = try Self.encoder.encode(shell)
        let (key, none) = (Data("{\n  \"cells\" : [".utf8), Data("\n\n  ]".utf8))
        guard text.starts(with: key + none) else { preconditionFailure("keys are sorted, and 'cells' is the first") }
        let end = (count == 0 ? none : Data("\n  ]".utf8)) + text.dropFirst(key.count + none.count) + Data("\n".utf8)
        let (first, next) = (Data("\n".utf8), Data(",\n".utf8))
        let pieces = cells.enumerated().lazy.flatMap { [$0.offset == 0 ? first : next, $0.element] }
        return AnySequence([AnySequence([key]), AnySequence(pieces), AnySequence([end])].joined())
    }

    /// Reads what ``json()`` wrote.
    ///
    /// It ignores unknown keys, because a later version may add some. It refuses a result that contradicts itself, so
    /// that nothing passes against its own numbers.
    package init(json: Data) throws(ResultError) {
        try self.init(checkedSchema: json)
        if let contradiction { throw .contradictory(contradiction) }
    }

    /// Reads a result of the schema that this version writes, even if it contradicts itself.
    init(checkedSchema json: Data) throws(ResultError) {
        let schema = try Self.decode(SchemaVersion.self, json).version
        guard schema == Self.currentSchema else { throw .unknownSchema(schema) }
        self = try Self.decode(Self.self, json)
    }

    /// Reads a part of a result.
    package static func decode<Value: Decodable>(_ type: Value.Type, _ json: Data) throws(ResultError) -> Value {
        let decoder = JSONDecoder()
        decoder.nonConformingFloatDecodingStrategy = .convertFromString(
            positiveInfinity: "Infinity", negativeInfinity: "-Infinity", nan: "NaN")
        do { return try decoder.decode(type, from: json) } catch {
            throw .unreadable(error.decodingReason(in: json))
        }
    }

    fileprivate static var encoder: JSONEncoder {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
        encoder.nonConformingFloatEncodingStrategy = .convertToString(
            positiveInfinity: "Infinity", negativeInfinity: "-Infinity", nan: "NaN")
        return encoder
    }
}

/// The version that a record was written in.
package struct SchemaVersion: Decodable {
    package var version: Int
    private enum CodingKeys: String, CodingKey { case version = "schema_version" }
}

extension CellResult {
    /// The cell's text in a result's JSON, without the newline of its last line; see ``RunResult/json(of:_:)``.
    package func json() throws -> Data {
        let indentation = Data("    ".utf8)
        let text = try RunResult.encoder.encode(self)
        // A JSON string has no newline that is not escaped.
        let lines = text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        var json = Data(capacity: text.count + lines.count * indentation.count)
        for (index, line) in lines.enumerated() {
            if index > 0 { json.append(UInt8(ascii: "\n")) }
            if !line.isEmpty { json += indentation }
            json += line
        }
        return json
    }
}
