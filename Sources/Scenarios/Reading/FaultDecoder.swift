import LinkModel
import PackFormat

/// The faults of a scenario, those of the host apart from those of the link.
struct Faults {
    var host: [HostFault] = []
    var link: [LinkFault] = []
}

/// Reads `faults`.
struct FaultDecoder {
    let context: ScenarioContext

    var decoder: FieldDecoder<Faults> {
        let schema = {
            let one = SchemaNode.any([Self.host.schema(), LinkFaultDecoder(context: context).decoder.schema()])
            return SchemaNode.list("a list of faults", of: one, most: 1000)
        }
        return FieldDecoder("a list of faults", schema: schema) { node, problems in
            var faults = Faults()
            let one = FieldDecoder<Bool>("a fault") { node, problems in
                if ["link", "client", "after"].contains(where: { node[$0] != nil }) {
                    LinkFaultDecoder(context: context).decoder.read(node, problems).map { faults.link.append($0) }
                        != nil
                } else {
                    Self.host.read(node, problems).map { faults.host.append($0) } != nil
                }
            }
            return FieldDecoder.list("a list of faults", of: one).read(node, problems).map { _ in faults }
        }
    }

    private static let actions = [
        "status", "redirect", "late-head", "no-head", "cut", "stall", "drip", "corrupt", "wrong-length", "ignore-range",
        "wrong-range", "changed-etag", "changed-content", "changed-size", "body", "portal",
    ]

    private static var host: FieldDecoder<HostFault> {
        .mapping("a fault") { fields in
            let pack = fields.required("pack", .packName)
            let tries = fields.value("try", tries)
            let found = found(fields)
            let key = fields.exactlyOne(of: Self.actions)
            // Whoever forgot `link` of a link fault is told of it too.
            _ = (fields.given("link"), fields.given("after"))
            guard let pack, let key, let action = found[key] else { return nil }
            return HostFault(pack: pack == "any" ? "*" : pack, tries: tries, action: action)
        }
    }

    private static var tries: FieldDecoder<ClosedRange<Int>> {
        let expected = "a try such as 1, or tries such as 1-3"
        return .scalar(expected) { text in
            let ends = text.split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false).map { end in
                end.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int(end) ?? 0 : 0
            }
            guard let first = ends.first, let last = ends.last, 1 <= first, first <= last, last <= 1_000_000 else {
                return .wrong(text, not: expected, hint: "tries are counted from 1")
            }
            return .value(first...last)
        }
    }

    /// What the host does, by key.
    ///
    /// Every key is read, and at most one should be there.
    private static func found(_ fields: Fields) -> [String: HostFault.Action] {
        var actions: [String: HostFault.Action] = [:]
        let status = fields.value("status", FieldDecoder<Int>.integer("an HTTP status of an error", in: 400...599))
        let retryAfter = fields.value("retry-after", retryAfter)
        if retryAfter != nil, !fields.keys.contains("status") {
            fields.refuse("retry-after", "'retry-after' goes with 'status' alone", hint: "add 'status: 503'")
        }
        actions["status"] = status.map { .status($0, retryAfter: retryAfter) }
        actions["redirect"] = fields.value("redirect", redirect)
        actions["late-head"] = fields.value("late-head", .positiveDuration).map(HostFault.Action.lateHead)
        actions["no-head"] = switchedOn("no-head", fields, .never)
        actions["cut"] = fields.value("cut", cut)
        actions["stall"] = fields.value("stall", stall)
        actions["drip"] = fields.value("drip", drip)
        actions["corrupt"] = fields.value("corrupt", .byteOffset).map { .corrupt(at: $0) }
        actions["wrong-length"] = fields.value("wrong-length", shift).map { .wrongLength(by: $0) }
        actions["ignore-range"] = switchedOn("ignore-range", fields, .ignoreRange)
        actions["wrong-range"] = fields.value("wrong-range", shift).map { .wrongRange(by: $0) }
        actions["changed-etag"] = switchedOn("changed-etag", fields, .changedETag)
        actions["changed-content"] = fields.value("changed-content", shift).map { .changedContent(by: $0) }
        actions["changed-size"] = fields.value("changed-size", shift).map { .changedSize(by: $0) }
        actions["portal"] = fields.value("portal", .longText).map(HostFault.Action.portal)
        actions["body"] = fields.value("body", body)
        return actions
    }

    private static func switchedOn(_ key: String, _ fields: Fields, _ action: HostFault.Action) -> HostFault.Action? {
        guard let isOn = fields.value(key, .flag) else { return nil }
        if !isOn { fields.refuse(key, "'\(key): false' does nothing", hint: "leave it out") }
        return action
    }
}

extension FaultDecoder {
    private static var retryAfter: FieldDecoder<HostFault.RetryAfter> {
        let schema = FieldDecoder<Duration>.duration.schema
        let seconds = FieldDecoder<HostFault.RetryAfter>("whole seconds", schema: schema) { node, problems in
            guard let delay = FieldDecoder<Duration>.duration.read(node, problems) else { return nil }
            guard delay.components.attoseconds == 0 else {
                problems.add("Retry-After counts whole seconds", at: node.mark)
                return nil
            }
            return .seconds(delay.components.seconds)
        }
        return .either(
            seconds,
            .mapping("a date") { fields in
                fields.required("date", .duration).map { .date(after: $0) }
            })
    }

    private static var redirect: FieldDecoder<HostFault.Action> {
        .either(
            FieldDecoder<String>.text.map { .redirect(to: $0, status: 302) },
            .mapping("a redirect") { fields in
                let target = fields.required("to", .text)
                let status = fields.value(
                    "status", FieldDecoder<String>.word("a redirect's status", in: ["301", "302", "303", "307", "308"]))
                return target.map { .redirect(to: $0, status: status.flatMap(Int.init) ?? 302) }
            })
    }

    private static var cut: FieldDecoder<HostFault.Action> {
        placed(
            "cut",
            .mapping("a cut") { fields in
                let place = fields.required("at", .byteOffset)
                let how = fields.value("how", FieldDecoder<String>.word("how a connection ends", in: ["fin", "rst"]))
                return place.map { .cut(at: $0, how: how == "rst" ? .rst : .fin) }
            })
    }

    private static var stall: FieldDecoder<HostFault.Action> {
        placed(
            "stall",
            .mapping("a stall") { fields in
                let place = fields.required("at", .byteOffset)
                let length = fields.value("for", .positiveDuration)
                return place.map { .stall(at: $0, for: length) }
            })
    }

    /// A mapping whose `at` stands alone in the mind of many: `cut: 40 %`.
    private static func placed(_ key: String, _ decoder: FieldDecoder<HostFault.Action>) -> FieldDecoder<
        HostFault.Action
    > {
        FieldDecoder(decoder.expected, schema: decoder.schema) { node, problems in
            guard case .text(let text, _) = node.content else { return decoder.read(node, problems) }
            let isPlace = FieldDecoder<ByteOffset>.byteOffset.read(node, Problems(file: "")) != nil
            problems.add(
                "\(node.kind) stands where \(decoder.expected) belongs", at: node.mark,
                hint: "write '\(key): {at: \(isPlace ? text : "40 %")}'")
            return nil
        }
    }

    private static var drip: FieldDecoder<HostFault.Action> {
        let expected = "a rate, such as 16 kbit/s or 2 kB/s"
        return .scalar(expected) { text in
            do throws(UnitError) {
                let rate = try BitRate(parsingBitsOrBytes: text)
                guard rate.bitsPerSecond >= 8 else {
                    return .wrong(text, not: expected, hint: "the lowest is 1 byte, 8 bits, a second")
                }
                return .value(.drip(bytesPerSecond: rate.bitsPerSecond / 8))
            } catch {
                return .wrong(text, not: expected, hint: error.reason)
            }
        }
    }

    /// Bytes too many or too few.
    private static var shift: FieldDecoder<Int64> {
        let expected = "a number of bytes with its sign, such as -10"
        return .scalar(expected) { text in
            let digits = text.drop { $0 == "+" || $0 == "-" }
            guard text.count - digits.count <= 1, !digits.isEmpty,
                digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
                let value = Int64(text), value != 0, value > -(1 << 40), value < 1 << 40
            else { return .wrong(text, not: expected) }
            return .value(value)
        }
    }

    private static var body: FieldDecoder<HostFault.Action> {
        .mapping("a body") { fields in
            let text = fields.required("text", .longText)
            let type = fields.value("type", .text) ?? "text/html"
            return text.map { .body($0, contentType: type) }
        }
    }
}
