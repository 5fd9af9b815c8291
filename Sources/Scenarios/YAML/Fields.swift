import Documents
import Wording

/// A mapping while it is read: a key that is not asked for is a problem.
///
/// So a reader asks for every possible key, whatever it has found so far, and closes the mapping at the end.
/// ``FieldDecoder/mapping(_:_:)`` closes it.
final class Fields {
    /// What the mapping describes, for messages: "a profile".
    let what: String
    /// Where the mapping begins.
    let mark: Mark
    let problems: Problems
    private let entries: [YAMLNode.Entry]
    /// The possible keys, in the order of asking.
    private var asked: [String] = []
    private var isAsked: Set<String> = []
    /// Sets of keys of which one is required but absent, each with the message if none was misspelt.
    private var missing: [(keys: [String], message: String)] = []
    private let problemsBefore: Int
    /// Records the keys that are asked for, to make a schema; then the mapping has no keys.
    private let recorder: FieldRecorder?

    /// Opens a mapping; if `node` is not one, notes a problem and returns nil.
    init?(_ node: YAMLNode, of what: String, _ problems: Problems) {
        guard case .mapping(let entries) = node.content else {
            problems.add(
                "found \(node.kind), expected \(what)",
                at: node.mark,
                hint: "write keys, such as 'key: value'"
            )
            return nil
        }
        self.what = what
        self.entries = entries
        self.problems = problems
        mark = entries.first?.keyMark ?? node.mark
        problemsBefore = problems.found.count
        recorder = nil
    }

    private init(recorder: FieldRecorder, of what: String) {
        (self.what, self.recorder) = (what, recorder)
        (entries, mark, problems, problemsBefore) = ([], .start, Problems(file: ""), 0)
    }

    /// The schema of a mapping that `body` reads, from the keys that it asks for.
    static func schema(of what: String, _ body: (Fields) -> Void) -> JSONTree {
        let recorder = FieldRecorder()
        body(Fields(recorder: recorder, of: what))
        return recorder.schema(what)
    }

    /// The keys of the mapping, in their order.
    var keys: [String] { entries.map(\.key) }

    /// The node of `key`; nil if it is absent; `schema` is the schema of its value.
    func node(_ key: String, schema: @autoclosure () -> JSONTree? = nil) -> YAMLNode? {
        recorder?.add(key, schema())
        return given(key)
    }

    /// The node of a key that is not part of the schema, such as a likely mistake.
    func given(_ key: String) -> YAMLNode? {
        ask(key)
        return entries.first { $0.key == key }?.value
    }

    /// The place of `key`; the place of the mapping if the key is absent.
    func mark(of key: String) -> Mark { entries.first { $0.key == key }?.keyMark ?? mark }

    /// The value of `key`; nil if it is absent, or wrong and noted as a problem.
    func value<Value>(_ key: String, _ decoder: FieldDecoder<Value>) -> Value? {
        node(key, schema: decoder.schema()).flatMap { decoder.value(of: $0, problems) }
    }

    /// The value of a key that is required; its absence is a problem.
    func required<Value>(_ key: String, _ decoder: FieldDecoder<Value>) -> Value? {
        recorder?.add(key, decoder.schema(), isRequired: true)
        if let node = node(key) { return decoder.value(of: node, problems) }
        missing.append(([key], "\(what) needs the key '\(key)': \(decoder.expected)"))
        return nil
    }

    /// All entries of a mapping whose keys are names of the user's; `schema` is the schema of each value.
    func everyEntry(schema: @autoclosure () -> JSONTree = .object([:])) -> [YAMLNode.Entry] {
        recorder?.addOthers(schema())
        return takeAll()
    }

    /// All entries of a mapping whose keys are some of `names`.
    func everyEntry(among names: [String], schema: (String) -> JSONTree) -> [YAMLNode.Entry] {
        if let recorder { for name in names { recorder.add(name, schema(name)) } }
        return takeAll()
    }

    private func takeAll() -> [YAMLNode.Entry] {
        keys.forEach(ask)
        return entries
    }

    /// Notes a problem at `key`.
    func refuse(_ key: String, _ message: String, hint: String? = nil) {
        problems.add(message, at: mark(of: key), hint: hint)
    }

    /// The one of `keys` that is present.
    ///
    /// None or several are a problem.
    func exactlyOne(of keys: [String]) -> String? {
        recorder?.addAlternatives(keys)
        let present = keys.filter(self.keys.contains)
        if present.count > 1 {
            refuse(
                present[1], "'\(present[1])' cannot be combined with '\(present[0])' in \(what)",
                hint: "keep one of them")
        } else if present.isEmpty {
            missing.append((keys, "\(what) needs one of the keys \(keys.joined(separator: ", "))"))
        }
        return present.count == 1 ? present[0] : nil
    }

    /// The value of the one key of `choices` that is present.
    ///
    /// None or several are a problem. `keys` are those of the choices, in the order for its message and the schema
    /// (default: that of the choices).
    func oneOf<Value>(_ choices: [(String, FieldDecoder<Value>)], keys: [String]? = nil) -> Value? {
        let values = choices.map { value($0, $1) }
        guard exactlyOne(of: keys ?? choices.map(\.0)) != nil else { return nil }
        return values.lazy.compactMap { $0 }.first
    }

    /// Reads the key `version`, the version of a file's format; a version above `current` is refused.
    ///
    /// A file without it has the current version.
    @discardableResult
    func checkVersion(_ current: Int, of files: String) -> Int {
        let decoder = FieldDecoder<Int>.integer("a version of this format", in: 1...9999)
        guard let version = value("version", decoder) else { return current }
        if version > current {
            refuse("version", "this Headwind reads version \(current) of \(files)", hint: "use a later Headwind")
        }
        return version
    }

    /// Ends the reading; returns false if a problem was noted since the start.
    func close() -> Bool {
        let present = Set(keys)
        let free = asked.filter { !present.contains($0) }
        let unknown = entries.filter { !isAsked.contains($0.key) }
        var list: String? = "its keys are \(asked.joined(separator: ", "))"
        for entry in unknown where !problems.isFull {
            var hint = NearestName.hint(for: entry.key, in: free) ?? NearestName.hint(for: entry.key, in: asked)
            if hint == nil {
                // One list of keys is enough for a mapping.
                hint = list
                list = nil
            }
            problems.add("there is no key '\(entry.key.abbreviated)' in \(what)", at: entry.keyMark, hint: hint)
        }
        for (keys, message) in missing where unknown.prefix(100).allSatisfy({ NearestName.of($0.key, in: keys) == nil })
        {
            problems.add(message, at: mark)
        }
        return problems.found.count == problemsBefore
    }

    private func ask(_ key: String) {
        if isAsked.insert(key).inserted { asked.append(key) }
    }
}
