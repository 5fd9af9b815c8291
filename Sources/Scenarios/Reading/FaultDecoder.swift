import LinkModel
import PackFormat

/// The faults of a scenario: those of the host, and those of the link.
struct Faults {
    var host: [HostFault] = []
    var link: [LinkFault] = []
}

/// Reads `faults`.
struct FaultDecoder {
    let context: ScenarioContext

    var decoder: FieldDecoder<Faults> {
        let link = LinkFaultDecoder(context: context).decoder.map { Faults(link: [$0]) }
        let one = FieldDecoder<Faults>.oneOf("a fault", [Self.host.map { Faults(host: [$0]) }, link]) { node in
            ["link", "client", "after"].contains { node[$0] != nil } ? 1 : 0
        }
        return FieldDecoder.list("a list of faults", of: one).map { faults in
            Faults(host: faults.flatMap(\.host), link: faults.flatMap(\.link))
        }
    }

    private static var host: FieldDecoder<HostFault> {
        .mapping("a fault") { fields in
            let pack = fields.required("pack", .packName)
            let tries = fields.value("try", tries)
            // Reads every key, of which exactly one must be present.
            let found = HostFault.Kind.allCases.map { ($0.rawValue, action($0, fields)) }
            let key = fields.exactlyOne(of: found.map(\.0))
            // Asks for keys of link faults too, so that they are hints for misspelt keys.
            _ = (fields.given("link"), fields.given("after"))
            guard let pack, let key, let action = found.first(where: { $0.0 == key })?.1 else { return nil }
            return HostFault(pack: pack == "any" ? "*" : pack, tries: tries, action: action)
        }
    }

    private static var tries: FieldDecoder<ClosedRange<Int>> {
        let expected = "a try such as 1, or tries such as 1-3"
        return .scalar(expected, pattern: "^\(TextPattern.digits)(-\(TextPattern.digits))?$") { text in
            guard let tries = ClosedRange(tries: text), tries.upperBound <= 1_000_000 else {
                return .wrong(text, not: expected, hint: "tries are counted from 1")
            }
            return .value(tries)
        }
    }

    /// The action of one kind of fault; nil if it is absent or wrong.
    private static func action(_ kind: HostFault.Kind, _ fields: Fields) -> HostFault.Action? {
        let (key, row) = (kind.rawValue, kind.row)
        guard let values = row.value else {
            guard let isOn = fields.value(key, .flag) else { return nil }
            if !isOn { fields.refuse(key, "'\(key): false' does nothing", hint: "leave it out") }
            return row.make(.init())
        }
        let alone = argument(values).map { row.make(.init($0)) }
        switch row.form {
        case .value:
            let value = fields.value(key, argument(values))
            let options = options(row, fields)
            for name in options.keys where !fields.keys.contains(key) {
                fields.refuse(name, "'\(name)' needs '\(key)'", hint: "add '\(key): \(values.example)'")
            }
            return value.map { row.make(.init($0, options)) }
        case .mapping(let name): return fields.value(key, mapped(kind, values, name))
        case .valueOrMapping(let name): return fields.value(key, .either(alone, mapping(kind, values, name)))
        }
    }

    private static func mapping(
        _ kind: HostFault.Kind, _ values: HostFault.Values, _ name: String
    ) -> FieldDecoder<HostFault.Action> {
        .mapping("a \(kind.rawValue)") { fields in
            let value = fields.required(name, argument(values))
            let options = options(kind.row, fields)
            return value.map { kind.row.make(.init($0, options)) }
        }
    }

    private static func options(_ row: HostFault.Row, _ fields: Fields) -> [String: HostFault.Argument] {
        row.options.reduce(into: [:]) { options, option in
            options[option.name] = fields.value(option.name, argument(option.values))
        }
    }

    /// A mapping; a value alone, such as `cut: 40 %`, is a common mistake, and gets a hint.
    private static func mapped(
        _ kind: HostFault.Kind, _ values: HostFault.Values, _ name: String
    ) -> FieldDecoder<HostFault.Action> {
        let decoder = mapping(kind, values, name)
        return FieldDecoder(decoder.expected, schema: decoder.schema) { node, problems in
            guard case .text(let text, _) = node.content else { return decoder.read(node, problems) }
            let isValue = argument(values).read(node, Problems(file: "")) != nil
            return problems.refuse(
                "found \(node.kind), expected \(decoder.expected)", at: node.mark,
                hint: "write '\(kind.rawValue): {\(name): \(isValue ? text.abbreviated : values.example)}'")
        }
    }
}

extension FaultDecoder {
    private static func argument(_ values: HostFault.Values) -> FieldDecoder<HostFault.Argument> {
        switch values {
        case .httpStatus:
            FieldDecoder<Int>.integer("an HTTP error status", in: 400...599).map { .number($0) }
        case .redirectStatus:
            FieldDecoder<String>.word("a redirect's status", in: ["301", "302", "303", "307", "308"])
                .map { .number(Int($0) ?? 302) }
        case .duration: FieldDecoder<Duration>.positiveDuration.map { .duration($0) }
        case .retryAfter: retryAfter
        case .place: FieldDecoder<ByteOffset>.byteOffset.map { .place($0) }
        case .speed: speed
        case .difference: difference
        case .count: FieldDecoder<ByteCount>.size.map { .bytes($0.bytes) }
        case .field: FieldDecoder<String>.text.map { .text($0) }
        case .text: FieldDecoder<String>.longText.map { .text($0) }
        case .words(let what, let names): FieldDecoder<String>.word(what, in: names).map { .text($0) }
        }
    }

    private static var retryAfter: FieldDecoder<HostFault.Argument> {
        let seconds: FieldDecoder<HostFault.Argument> = FieldDecoder<Duration>.duration.then("whole seconds") {
            delay, node, problems in
            guard delay.components.attoseconds == 0 else {
                return problems.refuse("Retry-After counts whole seconds", at: node.mark)
            }
            return .duration(delay)
        }
        return .either(
            seconds,
            .mapping("a date") { fields in
                fields.required("date", date).map { .date(after: $0) }
            })
    }

    /// How far a date is in the future or the past: up to 100 years, so that dates after 2038 are possible.
    private static var date: FieldDecoder<Duration> {
        let expected = "a duration such as 2 s, or -2 s for the past"
        let most = Duration.seconds(100 * 365 * 86_400)
        let pattern = TextPattern.whole("-?" + TextPattern.duration)
        return .measured(expected, pattern: pattern) { text throws(UnitError) in
            let delay = try Duration(parsingSigned: text)
            guard (.zero - most...most).contains(delay) else {
                return .wrong("'\(text)' is out of range: the most is \(most.text)", hint: nil)
            }
            return .value(delay)
        }
    }

    private static var speed: FieldDecoder<HostFault.Argument> {
        let expected = "a rate, such as 16 kbit/s or 2 kB/s"
        let pattern = TextPattern.whole(TextPattern.rate, TextPattern.size + "/s")
        return .measured(expected, pattern: pattern) { text throws(UnitError) in
            let rate = try BitRate(parsingBitsOrBytes: text)
            guard rate.bitsPerSecond >= 8 else {
                return .wrong(text, not: expected, hint: "the least is 1 byte (8 bits) per second")
            }
            return .value(.bytes(rate.bitsPerSecond / 8))
        }
    }

    /// A number of bytes too many (+) or too few (-).
    private static var difference: FieldDecoder<HostFault.Argument> {
        let expected = "a number of bytes with its sign, such as -10"
        return .scalar(expected, pattern: "^\(TextPattern.integer)$") { text in
            guard let value = Int64(text), value != 0, value > -(1 << 40), value < 1 << 40 else {
                return .wrong(text, not: expected)
            }
            return .value(.bytes(value))
        }
    }
}

extension HostFault.Values {
    /// The example of such a value in hints.
    fileprivate var example: String {
        switch self {
        case .httpStatus: "503"
        case .redirectStatus: "302"
        case .duration, .retryAfter: "2 s"
        case .place: "40 %"
        case .speed: "16 kbit/s"
        case .difference: "+10"
        case .count: "4 GiB"
        case .field, .text: "TEXT"
        case .words(_, let names): names.first ?? ""
        }
    }
}
