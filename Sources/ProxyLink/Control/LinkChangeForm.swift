internal import FoundationEssentials
internal import LinkModel

/// The JSON of a ``LinkChange``.
struct LinkChangeForm: Decodable {
    let change: LinkChange

    private enum Key: String, CodingKey, CaseIterable { case version, profile, conditions, offline }

    init(from decoder: any Decoder) throws {
        let fields = try decoder.fields(Key.self)
        let version = try fields.decodeIfPresent(Int.self, forKey: .version) ?? LinkDocument.currentVersion
        guard version == LinkDocument.currentVersion else {
            throw LinkChange.Malformed(description: "version \(version) is not spoken here; this is version 1")
        }
        let asked = [Key.profile, .conditions, .offline].filter(fields.contains)
        guard asked.count == 1, let only = asked.first else {
            throw LinkChange.Malformed(description: "exactly one of 'profile', 'conditions' and 'offline' is needed")
        }
        switch only {
        case .profile:
            // Of a profile that is sent only its reader knows the keys.
            let isSent = (try? fields.decode([String: Ignored].self, forKey: .profile)) != nil
            change = .profile(isSent ? .sent([]) : .named(try fields.decode(String.self, forKey: .profile)))
        case .conditions: change = .conditions(try fields.decode(LinkForm.self, forKey: .conditions).conditions)
        default:
            let text = try fields.decodeIfPresent(String.self, forKey: .offline)
            change = .offline(try text.map { try OfflineKind(control: $0) })
        }
    }
}

private struct Ignored: Decodable {
    init(from decoder: any Decoder) {}
}

private struct LinkForm: Decodable {
    let conditions: LinkConditions

    private enum Key: String, CodingKey, CaseIterable { case downlink, uplink, dnsDelay, offline, held }

    init(from decoder: any Decoder) throws {
        let fields = try decoder.fields(Key.self)
        var conditions = LinkConditions()
        conditions.downlink =
            try fields.decodeIfPresent(DirectionForm.self, forKey: .downlink)?.conditions ?? Conditions()
        conditions.uplink = try fields.decodeIfPresent(DirectionForm.self, forKey: .uplink)?.conditions ?? Conditions()
        if let text = try fields.decodeIfPresent(String.self, forKey: .dnsDelay) {
            conditions.dnsDelay = try readDelay(text)
        }
        conditions.offline = try fields.decodeIfPresent(String.self, forKey: .offline).map(OfflineKind.init(control:))
        conditions.isHeld = try fields.decodeIfPresent(Bool.self, forKey: .held) ?? false
        if let found = conditions.contradictions.first {
            throw LinkChange.Malformed(description: "\(found.message): \(found.hint)")
        }
        self.conditions = conditions
    }
}

private struct DirectionForm: Decodable {
    let conditions: Conditions

    private enum Key: String, CodingKey, CaseIterable { case rate, delay, jitter, loss }

    init(from decoder: any Decoder) throws {
        let fields = try decoder.fields(Key.self)
        var conditions = Conditions()
        if let text = try fields.decodeIfPresent(String.self, forKey: .rate) {
            conditions.rate = try read(text) { text throws(UnitError) in try BitRate(parsing: text) }
        }
        if let text = try fields.decodeIfPresent(String.self, forKey: .delay) {
            conditions.delay = try readDelay(text)
        }
        if let text = try fields.decodeIfPresent(String.self, forKey: .jitter) {
            conditions.jitter = Jitter(amount: try readDelay(text))
        }
        if let text = try fields.decodeIfPresent(String.self, forKey: .loss) {
            conditions.loss = .random(try read(text) { text throws(UnitError) in try Ratio(parsing: text) })
        }
        self.conditions = conditions
    }
}

private func read<Value>(_ text: String, _ body: (String) throws(UnitError) -> Value) throws -> Value {
    do throws(UnitError) {
        return try body(text)
    } catch {
        throw LinkChange.Malformed(description: "\(error)")
    }
}

/// A duration within the bounds of a link's delays.
private func readDelay(_ text: String) throws -> Duration {
    let delay = try read(text) { text throws(UnitError) in try Duration(parsing: text) }
    guard LinkBounds.delay.contains(delay) else {
        throw LinkChange.Malformed(
            description: "'\(text)' is out of range: the most is \(LinkBounds.delay.upperBound.text)")
    }
    return delay
}

extension OfflineKind {
    fileprivate init(control text: String) throws {
        guard let kind = OfflineKind(rawValue: text) else {
            let names = OfflineKind.allCases.map { "'\($0.rawValue)'" }.joined(separator: ", ")
            throw LinkChange.Malformed(description: "'\(text)' is no way to be offline; there are \(names)")
        }
        self = kind
    }
}

extension Decoder {
    /// The fields of an object that may have no others than those of `keys`.
    fileprivate func fields<Key: CodingKey & CaseIterable & RawRepresentable<String>>(
        _ keys: Key.Type
    ) throws -> KeyedDecodingContainer<Key> {
        let known = Set(Key.allCases.map(\.rawValue))
        for key in try container(keyedBy: AnyKey.self).allKeys where !known.contains(key.stringValue) {
            let names = known.sorted().map { "'\($0)'" }.joined(separator: ", ")
            throw LinkChange.Malformed(description: "there is no '\(key.stringValue)'; there are \(names)")
        }
        return try container(keyedBy: keys)
    }
}

private struct AnyKey: CodingKey {
    let stringValue: String
    let intValue: Int? = nil

    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
}
