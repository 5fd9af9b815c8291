package import FoundationEssentials

extension Error {
    /// A decoder's error for people: where it is, and what is expected there, as a clause without a full stop.
    ///
    /// Examples are `cells[0].verdict: a text is expected` and `line 3, column 7: it is not JSON from there on`. It
    /// quotes only keys of the text. `json` is the decoded data; without it, no line is given. Other errors describe
    /// themselves.
    package func decodingReason(in json: Data? = nil) -> String {
        guard let error = self as? DecodingError else { return "\(self)" }
        switch error {
        case .keyNotFound(let key, let context):
            return context.place + "the key '\(key.stringValue.shortened)' is missing"
        case .typeMismatch(let type, let context):
            return context.place + "\(DecodingError.word(for: type)) is expected"
        case .valueNotFound(let type, let context):
            return context.place + "\(DecodingError.word(for: type)) is expected, but the value is null"
        case .dataCorrupted(let context):
            return context.reason(in: json)
        @unknown default:
            return "it is not the expected value"
        }
    }
}

extension DecodingError {
    /// A path in JSON: `steps[2].request`; empty for the whole text.
    package static func place(_ path: [any CodingKey]) -> String {
        path.reduce(into: "") { place, key in
            if let index = key.intValue {
                place += "[\(index)]"
            } else {
                place += (place.isEmpty ? "" : ".") + key.stringValue.shortened
            }
        }
    }

    /// The name of a type in JSON.
    fileprivate static func word(for type: Any.Type) -> String {
        switch type {
        case is String.Type: "a text"
        case is Bool.Type: "true or false"
        case is any BinaryInteger.Type: "a whole number"
        case is any BinaryFloatingPoint.Type: "a number"
        case is [String: Any].Type: "an object"
        case is [Any].Type: "a list"
        default: "another kind of value"
        }
    }
}

extension DecodingError.Context {
    /// `cells[0].verdict: `; empty for the whole text.
    fileprivate var place: String { codingPath.isEmpty ? "" : DecodingError.place(codingPath) + ": " }

    fileprivate func reason(in json: Data?) -> String {
        // This is the text of Foundation's decoder itself; any other was written here, for people.
        guard debugDescription.hasPrefix("The given data was not valid JSON") else {
            return debugDescription.hasPrefix("Cannot initialize")
                ? place + "this version does not know its value" : place + debugDescription.withoutEnd
        }
        guard let json else { return place + "it is not JSON" }
        if json.isEmpty { return "it is empty" }
        guard let fault = JSONReader.fault(in: String(decoding: json, as: UTF8.self)) else {
            return String(validating: json, as: UTF8.self) == nil
                ? "it is not UTF-8" : "a number in it is too large, or must be whole"
        }
        return "line \(fault.line), column \(fault.column): it is not JSON from there on"
    }
}

extension String {
    /// The text, cut to 60 characters: keys may be from outside, and long.
    fileprivate var shortened: String { count <= 60 ? self : "\(prefix(59))…" }

    fileprivate var withoutEnd: String { hasSuffix(".") ? String(dropLast()) : self }
}
