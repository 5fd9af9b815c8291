import LinkModel
import Wording

/// Reads a fault of the link, the client or its device: `{after: 40 % of level-2, link: offline, for: 5 s}`.
struct LinkFaultDecoder {
    let context: ScenarioContext

    var decoder: FieldDecoder<LinkFault> {
        .mapping("a link fault") { fields in
            let trigger = fields.required("after", Self.trigger)
            let wait = fields.value("wait", .positiveDuration) ?? .zero
            let effect = effect(fields)
            let duration = fields.value("for", .positiveDuration)
            let until = fields.value("until", Self.trigger)
            guard let trigger, let effect else { return nil }
            let fault = LinkFault(trigger: trigger, wait: wait, effect: effect, duration: duration, until: until)
            checkEnd(of: fault, fields)
            return fault
        }
    }

    private func checkEnd(of fault: LinkFault, _ fields: Fields) {
        let ends = ["for", "until"].filter(fields.keys.contains)
        if ends.count == 2 {
            fields.refuse("until", "'until' cannot be combined with 'for' in a link fault", hint: "keep one of them")
        }
        let whyWithoutEnd: String? =
            switch fault.effect {
            case .cut: "a cut ends at once"
            case .clientKilled: "a killed client is restarted at once"
            case .deviceFull: "a full device stays full"
            case .offline, .profile: nil
            }
        if let whyWithoutEnd, let first = ends.first {
            fields.refuse(first, whyWithoutEnd, hint: "leave '\(first)' out")
        }
        if let start = fault.time, case .time(let end)? = fault.until, end <= start {
            fields.refuse("until", "the fault ends before it begins", hint: "to give its length, write 'for'")
        }
    }

    /// The effect on the link, on the client, or on its device.
    private func effect(_ fields: Fields) -> LinkFault.Effect? {
        let killed = FieldDecoder<String>.word("an effect on the client: killed", in: ["killed"])
        let full = FieldDecoder<String>.word("an effect on the device: full", in: ["full"])
        return fields.oneOf([
            ("link", effect), ("client", killed.map { _ in LinkFault.Effect.clientKilled }),
            ("device", full.map { _ in LinkFault.Effect.deviceFull }),
        ])
    }

    private static var trigger: FieldDecoder<LinkFault.Trigger> {
        let expected = "a moment, such as 3 s, 1 MiB, 40 % of level-2, progress + 3, or callback + 1"
        let pattern = TextPattern.whole(
            "start", "(progress|callback) *\\+ *\(TextPattern.digits)", TextPattern.duration,
            "\(TextPattern.share) of .+", "\(TextPattern.size)( of .+)?")
        let trigger = FieldDecoder<LinkFault.Trigger>.measured(expected, pattern: pattern) { text throws(UnitError) in
            if text == "start" { return .value(.time(.zero)) }
            if let report = report(text) { return .value(report) }
            let parts = text.split(separator: " of ", maxSplits: 1).map(String.init)
            return .value(try Self.trigger(parts[0], parts.count == 2 ? parts[1] : nil))
        }
        return trigger.then { trigger, node, problems in
            if let pack = trigger.pack { problems.mention(pack, at: node.mark) }
            return trigger
        }
    }

    /// `progress + 3`: the third report of progress; `callback + 1`: the first callback.
    private static func report(_ text: String) -> LinkFault.Trigger? {
        let words = text.split(separator: "+").map { $0.filter { $0 != " " } }
        guard words.count == 2, let moment = FaultSchedule.ClientMoment(rawValue: words[0]),
            let count = Int(words[1]), (1...1_000_000).contains(count)
        else { return nil }
        return .client(moment, count)
    }

    private static func trigger(_ amount: String, _ pack: String?) throws(UnitError) -> LinkFault.Trigger {
        func failure(_ reason: String) -> UnitError { UnitError(text: amount, expected: "a moment", reason: reason) }
        if amount.contains("%") {
            guard let pack else { throw failure("a share of what? write '\(amount) of' and a pack or tag") }
            return .packShare(try Ratio(parsing: amount), pack: pack)
        }
        if let time = try? Duration(parsing: amount) {
            guard pack == nil else { throw failure("a time counts from the link's start, so it takes no pack") }
            return .time(time)
        }
        if amount.utf8.allSatisfy({ (0x30...0x39).contains($0) || $0 == 0x2E }) {
            throw failure("it has no unit; write \(amount) s, \(amount) kB, or \(amount) % of a pack or tag")
        }
        let size = try ByteCount(parsing: amount).bytes
        return pack.map { .packBytes(size, pack: $0) } ?? .bytes(size, .downlink)
    }

    /// A way of being offline, a cut, or a profile.
    ///
    /// `offline` means that there is no route.
    private var effect: FieldDecoder<LinkFault.Effect> {
        let expected = "offline, silent, no-route, refused, no-name, cut, or a profile"
        let words = ["offline", "cut"] + OfflineKind.allCases.map(\.rawValue) + context.profiles.names
        let schema = { SchemaNode.any([SchemaNode.word(expected, words), ProfileLibrary.pathSchema]) }
        return FieldDecoder<String>.text.then(expected, schema: schema) { text, node, problems in
            if text == "offline" { return .offline(.noRoute) }
            if text == "cut" { return .cut }
            if let kind = OfflineKind(rawValue: text) { return .offline(kind) }
            if !ProfileLibrary.isPath(text), !words.contains(text) {
                let all = "write silent (a tunnel), offline, refused, no-name or cut, or the name of a profile"
                let hint = NearestName.hint(for: text, in: words) ?? all
                return problems.refuse(
                    "'\(text.abbreviated)' is neither an offline state nor a profile", at: node.mark, hint: hint)
            }
            return LinkSettingDecoder(context: context).profile.value(of: node, problems).map { .profile($0.profile) }
        }
    }
}
