import FoundationEssentials

/// Reads and writes the property lists of packs, which come from outside and are bounded.
enum PropertyList {
    /// The largest list that is read: the manifest of 1000 packs has some 300 kB.
    static let mostBytes = 16 << 20

    static func decode<Value: Decodable>(
        _ type: Value.Type, from bytes: [UInt8], what: String
    ) throws(PackFormatError) -> Value {
        guard !bytes.isEmpty else { throw .notReadable(what: what, reason: "it is empty") }
        guard bytes.count <= mostBytes else {
            throw .notReadable(what: what, reason: "it has \(bytes.count) bytes, and at most \(mostBytes) are read")
        }
        try BinaryPropertyList.check(bytes, what: what)
        do {
            return try PropertyListDecoder().decode(type, from: Data(bytes))
        } catch let error as DecodingError {
            throw .notReadable(what: what, reason: reason(error))
        } catch {
            throw .notReadable(what: what, reason: "it is no property list (\(error))")
        }
    }

    static func encode(_ value: some Encodable, what: String) throws(PackFormatError) -> [UInt8] {
        let encoder = PropertyListEncoder()
        encoder.outputFormat = .binary
        do { return Array(try encoder.encode(value)) } catch {
            throw .notReadable(what: what, reason: "it cannot be written as a property list (\(error))")
        }
    }

    private static func reason(_ error: DecodingError) -> String {
        func place(_ context: DecodingError.Context) -> String {
            let path = context.codingPath.map { $0.intValue.map { "[\($0)]" } ?? $0.stringValue }
            return path.isEmpty ? "at its top" : "at '\(path.joined(separator: "."))'"
        }
        switch error {
        case .keyNotFound(let key, let context):
            return "\(place(context)) the key '\(key.stringValue)' is missing"
        case .typeMismatch(let type, let context):
            return "\(place(context)) there should be a \(type)"
        case .valueNotFound(let type, let context):
            return "\(place(context)) a \(type) is missing"
        case .dataCorrupted(let context):
            return "it is no property list (\(context.debugDescription))"
        @unknown default:
            return "\(error)"
        }
    }
}
