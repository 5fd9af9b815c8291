import Documents

/// The members of a JSON object by name; null counts as absent, as in Toxiproxy.
struct Fields {
    /// How the keys of an object are read.
    enum Keys {
        /// In upper and lower case, and unknown ones are ignored, as in Toxiproxy. Some of its clients write `"Name"`.
        case ofToxiproxy
        /// Only as they are documented: a key that is misspelt is an error.
        case exact
    }

    private let members: [JSONNode.Member]
    private let keys: Keys

    /// Reads a body; throws a `JSONProblem` if it is no object.
    init(body: [UInt8], _ keys: Keys) throws {
        guard let text = String(validating: body, as: UTF8.self) else {
            throw JSONProblem(.start, "it is not UTF-8")
        }
        self = try Fields(JSONReader.read(text), keys)
    }

    init(_ node: JSONNode, _ keys: Keys) throws {
        members = try node.members()
        self.keys = keys
    }

    /// Throws if keys are read exactly, and there is another key than these.
    func refuseAll(but known: [String]) throws(JSONProblem) {
        guard keys == .exact, let other = members.first(where: { !known.contains($0.key) }) else { return }
        let rest = known.isEmpty ? "" : ", only \(known.joined(separator: ", "))"
        throw JSONProblem(other.value.mark, "there is no key \(other.key.jsonQuoted) here\(rest)")
    }

    /// The value of a key; nil if it is absent or null.
    func node(_ key: String) -> JSONNode? {
        guard let value = raw(key) else { return nil }
        if case .literal("null") = value.content { return nil }
        return value
    }

    /// The value of a key, which may be null; nil if the key is absent.
    func raw(_ key: String) -> JSONNode? {
        if let member = members.first(where: { $0.key == key }) { return member.value }
        guard keys == .ofToxiproxy else { return nil }
        return members.last { $0.key.lowercased() == key }?.value
    }

    func text(_ key: String) throws(JSONProblem) -> String? { try node(key)?.text() }

    func flag(_ key: String) throws(JSONProblem) -> Bool? {
        guard let node = node(key) else { return nil }
        switch node.content {
        case .literal("true"): return true
        case .literal("false"): return false
        case .literal, .string, .object, .array: throw wrong(node, key, "true or false")
        }
    }

    /// A whole number in any notation: 5, 5.0 and 5e0 are the same.
    func whole(_ key: String) throws(JSONProblem) -> Int64? {
        guard let node = node(key) else { return nil }
        guard case .literal(let word) = node.content,
            let value = Int64(word) ?? Double(word).flatMap(Int64.init(exactly:))
        else { throw wrong(node, key, "a whole number") }
        return value
    }

    func number(_ key: String) throws(JSONProblem) -> Double? {
        guard let node = node(key) else { return nil }
        guard let value = node.number else { throw wrong(node, key, "a number") }
        return value
    }

    /// The attributes of a toxic; empty if the object has none.
    var attributes: Fields {
        get throws { try node("attributes").map { try Fields($0, keys) } ?? Fields(members: [], keys: keys) }
    }

    private init(members: [JSONNode.Member], keys: Keys) { (self.members, self.keys) = (members, keys) }

    private func wrong(_ node: JSONNode, _ key: String, _ wanted: String) -> JSONProblem {
        JSONProblem(node.mark, "the value of \"\(key)\" must be \(wanted), not \(node.kind)")
    }
}
