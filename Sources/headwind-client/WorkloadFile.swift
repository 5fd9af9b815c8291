import Documents
import Events
import ResourceLoading

/// The file format of a workload; every unknown key is an error.
extension Workload: Decodable {
    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: FileKey.self)
        try container.refuseKeys(except: ["steps"])
        steps = try container.decode([Step].self, forKey: "steps")
    }
}

/// A key of any name, so that unknown keys are found.
struct FileKey: CodingKey, ExpressibleByStringLiteral {
    let stringValue: String
    var intValue: Int? { nil }
    init(stringValue: String) { self.stringValue = stringValue }
    init(stringLiteral value: String) { stringValue = value }
    init?(intValue: Int) { nil }
}

extension KeyedDecodingContainer where Key == FileKey {
    /// Throws `WorkloadError` if an unknown key is present.
    func refuseKeys(except known: Set<String>) throws {
        for key in allKeys where !known.contains(key.stringValue) {
            let place = DecodingError.place(codingPath)
            let names = known.sorted().joined(separator: ", ")
            throw WorkloadError(
                "\(place.isEmpty ? "The file" : place): unknown key '\(key.stringValue)'. Known: \(names).")
        }
    }

    /// The error for the value of a key, or, by default, for the whole object.
    func wrong(_ what: String, at key: FileKey? = nil) -> WorkloadError {
        let path = codingPath + [key].compactMap { $0 as (any CodingKey)? }
        return WorkloadError("\(DecodingError.place(path)): \(what)")
    }

    /// Reads a number of seconds, 0 to 1,000,000.
    func seconds(_ key: FileKey) throws -> Duration {
        let value = try decode(Double.self, forKey: key)
        guard value >= 0, value <= 1_000_000 else {
            throw wrong("\(value) is not a time in seconds between 0 and 1000000.", at: key)
        }
        return .nanoseconds(Int64(value * 1e9))
    }

    /// Reads a number of bytes, 1 or more.
    func bytes(_ key: FileKey) throws -> Int64 {
        let value = try decode(Int64.self, forKey: key)
        guard value > 0 else { throw wrong("\(value) is not a size of 1 byte or more.", at: key) }
        return value
    }

    /// Reads a share, 0 to 1; nil if the key is absent.
    func share(_ key: FileKey) throws -> Double? {
        guard let value = try decodeIfPresent(Double.self, forKey: key) else { return nil }
        guard (0...1).contains(value) else { throw wrong("\(value) is not between 0 and 1.", at: key) }
        return value
    }

    /// Reads a priority: 0 to 1, or `urgent`.
    func priority(_ key: FileKey) throws -> LoadingPriority {
        if (try? decode(String.self, forKey: key)) == "urgent" { return .urgent }
        let value = try decode(Double.self, forKey: key)
        guard (0...1).contains(value) else {
            throw wrong("\(value) is neither between 0 and 1 nor \"urgent\".", at: key)
        }
        return .normal(value)
    }
}

/// One step in the file format: an object with one key that names its kind, and keys for its details.
extension Workload.Step: Decodable {
    /// The kinds of steps, each with the keys that it may also have.
    private static let kinds: KeyValuePairs<FileKey, Set<String>> = [
        "request": ["background"], "begin": ["background"], "end": ["wait"], "cancel": ["after", "at"],
        "pause": ["at"], "resume": [], "priority": ["to"], "wait": [], "sleep": [], "use": [], "install": [],
        "launch": ["bundle"], "quit": [], "update": ["tagTable"], "buy": [], "preserve": ["to"], "radio": [],
        "fill": [], "purge": [], "remove": [],
    ]

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: FileKey.self)
        guard let (kind, details) = Self.kinds.first(where: { container.contains($0.key) }) else {
            let names = Self.kinds.map(\.key.stringValue).joined(separator: ", ")
            throw container.wrong("a step is one of \(names).")
        }
        try container.refuseKeys(except: details.union([kind.stringValue]))
        self = try Self.step(kind, container)
    }

    private static func step(
        _ kind: FileKey,
        _ container: KeyedDecodingContainer<FileKey>
    ) throws -> Workload.Step {
        func isBackground() throws -> Bool { try container.decodeIfPresent(Bool.self, forKey: "background") ?? false }
        func text() throws -> String { try container.decode(String.self, forKey: kind) }
        func texts() throws -> [String] { try container.decode([String].self, forKey: kind) }
        switch kind.stringValue {
        case "request":
            return try request(container.nestedContainer(keyedBy: FileKey.self, forKey: kind), isBackground())
        case "begin": return .begin(try text(), isBackground: try isBackground())
        case "end":
            return .end(try text(), waits: try container.decodeIfPresent(Bool.self, forKey: "wait") ?? true)
        case "cancel": return try cancel(container, try text())
        case "pause": return .pause(try text(), fraction: try container.share("at"))
        case "priority": return .setPriority(try text(), try container.priority("to"))
        case "sleep": return .sleep(try container.seconds("sleep"))
        case "resume": return .resume(try text())
        case "wait": return .wait(try text())
        case "use": return .use(try text())
        case "install", "launch", "quit":
            guard try container.decode(Bool.self, forKey: kind) else {
                throw container.wrong("it must be true, or absent.", at: kind)
            }
            if kind.stringValue == "install" { return .install }
            if kind.stringValue == "quit" { return .quit }
            return .launch(bundle: try container.decodeIfPresent(String.self, forKey: "bundle"))
        case "update":
            return .update(
                manifest: try text(), tagTable: try container.decodeIfPresent(String.self, forKey: "tagTable"))
        case "preserve":
            guard let priority = try container.share("to") else { throw container.wrong("'to' is missing.") }
            return .preserve(try texts(), priority: priority)
        case "fill": return .press(.fill(try container.bytes(kind)))
        case "purge": return .press(.purge(try container.bytes(kind)))
        case "buy": return .buy(try texts())
        case "remove": return .remove(try texts())
        default:
            let name = try text()
            guard let radio = LoaderConfiguration.Radio(rawValue: name) else {
                let names = LoaderConfiguration.Radio.allCases.map(\.rawValue).joined(separator: ", ")
                throw container.wrong("'\(name)' is not one of \(names).", at: kind)
            }
            return .radio(radio)
        }
    }

    private static func cancel(_ container: KeyedDecodingContainer<FileKey>, _ id: String) throws -> Workload.Step {
        guard let fraction = try container.share("at") else {
            return .cancel(id, after: container.contains("after") ? try container.seconds("after") : .zero)
        }
        guard !container.contains("after") else {
            throw container.wrong("a cancel is either 'after' a time or 'at' a share of progress.")
        }
        return .cancelAt(id, fraction: fraction)
    }

    private static func request(
        _ container: KeyedDecodingContainer<FileKey>,
        _ isBackground: Bool
    ) throws -> Workload.Step {
        try container.refuseKeys(except: ["id", "tags", "priority", "conditional"])
        let priority = container.contains("priority") ? try container.priority("priority") : .normal(0.5)
        let isConditional = try container.decodeIfPresent(Bool.self, forKey: "conditional") ?? false
        guard !isConditional || !isBackground else {
            throw container.wrong("a conditional request is answered at once: leave 'background' out.")
        }
        return .request(
            id: try container.decode(String.self, forKey: "id"),
            tags: try container.decode([String].self, forKey: "tags"),
            priority: priority,
            isBackground: isBackground,
            isConditional: isConditional
        )
    }
}
