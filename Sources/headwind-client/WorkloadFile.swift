import OnDemandResources

/// A workload as it stands in a file; every key that is not known is an error.
struct WorkloadFile: Decodable {
    let steps: [FileStep]

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: FileKey.self)
        try container.refuseKeys(except: ["steps"])
        steps = try container.decode([FileStep].self, forKey: "steps")
    }
}

/// A key of any name, so that unknown ones can be seen.
struct FileKey: CodingKey, ExpressibleByStringLiteral {
    let stringValue: String
    var intValue: Int? { nil }
    init(stringValue: String) { self.stringValue = stringValue }
    init(stringLiteral value: String) { stringValue = value }
    init?(intValue: Int) { nil }
}

extension KeyedDecodingContainer where Key == FileKey {
    /// Throws for a key that stands here and means nothing.
    func refuseKeys(except known: Set<String>) throws {
        for key in allKeys where !known.contains(key.stringValue) {
            let place = WorkloadError.place(codingPath)
            let names = known.sorted().joined(separator: ", ")
            throw WorkloadError(
                "\(place.isEmpty ? "The file" : place): unknown key '\(key.stringValue)'. Known: \(names).")
        }
    }

    /// Reads a number of seconds: finite, and not negative.
    func seconds(_ key: FileKey) throws -> Duration {
        let value = try decode(Double.self, forKey: key)
        guard value >= 0, value <= 1_000_000 else {
            let place = WorkloadError.place(codingPath + [key])
            throw WorkloadError("\(place): \(value) is no time in seconds between 0 and 1000000.")
        }
        return .nanoseconds(Int64(value * 1e9))
    }
}

/// One step as it stands in a file: an object whose one key, or whose first, says what it is.
struct FileStep: Decodable {
    let step: Workload.Step

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: FileKey.self)
        let kinds: [FileKey] = ["request", "begin", "end", "cancel", "wait", "sleep"]
        guard let kind = kinds.first(where: { container.contains($0) }) else {
            let names = kinds.map(\.stringValue).joined(separator: ", ")
            throw WorkloadError("\(WorkloadError.place(container.codingPath)): a step is one of \(names).")
        }
        switch kind.stringValue {
        case "request":
            try container.refuseKeys(except: ["request", "background"])
            let isBackground = try container.decodeIfPresent(Bool.self, forKey: "background") ?? false
            step = try Self.request(container.nestedContainer(keyedBy: FileKey.self, forKey: kind), isBackground)
        case "begin":
            try container.refuseKeys(except: ["begin", "background"])
            let isBackground = try container.decodeIfPresent(Bool.self, forKey: "background") ?? false
            step = .begin(try container.decode(String.self, forKey: kind), isBackground: isBackground)
        case "end":
            try container.refuseKeys(except: ["end", "wait"])
            let waits = try container.decodeIfPresent(Bool.self, forKey: "wait") ?? true
            step = .end(try container.decode(String.self, forKey: kind), waits: waits)
        case "cancel":
            try container.refuseKeys(except: ["cancel", "after", "at"])
            step = try Self.cancel(container, try container.decode(String.self, forKey: kind))
        case "sleep":
            try container.refuseKeys(except: ["sleep"])
            step = .sleep(try container.seconds("sleep"))
        default:
            try container.refuseKeys(except: [kind.stringValue])
            step = .wait(try container.decode(String.self, forKey: kind))
        }
    }

    private static func cancel(_ container: KeyedDecodingContainer<FileKey>, _ id: String) throws -> Workload.Step {
        let place = WorkloadError.place(container.codingPath)
        guard let fraction = try container.decodeIfPresent(Double.self, forKey: "at") else {
            return .cancel(id, after: container.contains("after") ? try container.seconds("after") : .zero)
        }
        guard !container.contains("after") else {
            throw WorkloadError("\(place): a cancel is either 'after' a time or 'at' a share of progress.")
        }
        guard (0...1).contains(fraction) else {
            throw WorkloadError("\(place).at: \(fraction) is not between 0 and 1.")
        }
        return .cancelAt(id, fraction: fraction)
    }

    private static func request(
        _ container: KeyedDecodingContainer<FileKey>,
        _ isBackground: Bool
    ) throws -> Workload.Step {
        try container.refuseKeys(except: ["id", "tags", "priority", "conditional"])
        var priority = LoadingPriority.normal(0.5)
        if (try? container.decode(String.self, forKey: "priority")) == "urgent" {
            priority = .urgent
        } else if let value = try container.decodeIfPresent(Double.self, forKey: "priority") {
            guard (0...1).contains(value) else {
                let place = WorkloadError.place(container.codingPath)
                throw WorkloadError("\(place).priority: \(value) is neither between 0 and 1 nor \"urgent\".")
            }
            priority = .normal(value)
        }
        let isConditional = try container.decodeIfPresent(Bool.self, forKey: "conditional") ?? false
        guard !isConditional || !isBackground else {
            let place = WorkloadError.place(container.codingPath)
            throw WorkloadError("\(place): a conditional request is answered at once: leave 'background' out.")
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
