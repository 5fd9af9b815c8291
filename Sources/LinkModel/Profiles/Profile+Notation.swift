package import Documents

extension Profile {
    /// The version of the notation, which files of profiles have.
    package static let notationVersion = 1

    /// The profile as a file that extends no other.
    ///
    /// `traces` has the file names of its traces; a trace without one is written out.
    package func notation(traces files: [Direction: String] = [:]) -> JSONTree {
        var start = conditions
        // A trace replaces the rate.
        for direction in Direction.allCases where trace(direction) != nil { start[direction].rate = nil }
        let changes = changes.map { change in
            JSONTree.object([("at", .text(change.at.text))] + change.conditions.members(over: start))
        }
        let traces: [(String, JSONTree?)] = Direction.allCases.map { direction in
            let written = trace(direction)?.notation
            return (direction.rawValue, written == nil ? nil : files[direction].map(JSONTree.text) ?? written)
        }
        var members: [(String, JSONTree?)] = [
            ("profile", .text(name)), ("version", .whole(Self.notationVersion)),
            ("title", title.isEmpty ? nil : .text(title)), ("summary", summary.isEmpty ? nil : .text(summary)),
            ("source", .text(source.isEmpty ? "unknown" : source)),
        ]
        members += start.members(over: LinkConditions())
        members += [
            ("changes", changes.isEmpty ? nil : .list(changes)),
            ("repeat", repeatsEvery.map { .text($0.text) }),
            ("stall", stall.map { .object([("every", .text($0.period.text)), ("for", .text($0.length.text))]) }),
            ("trace", traces.allSatisfy { $0.1 == nil } ? nil : .object(traces)),
        ]
        return .object(members)
    }
}

extension JSONTree {
    /// An object of these members, without those that have no value.
    fileprivate static func object(_ members: [(String, JSONTree?)]) -> JSONTree {
        .object(members.compactMap { key, value in value.map { Member(key: key, value: $0) } })
    }
}

extension LinkConditions: Encodable {
    /// Encodes their notation.
    package func encode(to encoder: any Encoder) throws { try notation.encode(to: encoder) }

    /// The conditions in the notation of profiles: what differs from an unshaped link.
    ///
    /// The keys and units are those of docs/reference/profiles.md, and read back as equal conditions.
    package var notation: JSONTree { .object(members(over: LinkConditions())) }

    /// The rate of a direction in a notation of conditions; nil without a limit.
    package static func rate(_ direction: Direction, in notation: JSONTree) -> BitRate? {
        guard case .text(let text)? = notation[direction.rawValue]?["rate"] else { return nil }
        return try? BitRate(parsing: text)
    }

    /// The kind of offline in a notation of conditions; nil if the link is online.
    package static func offline(in notation: JSONTree) -> OfflineKind? {
        if case .text(let text)? = notation["offline"] { OfflineKind(rawValue: text) } else { nil }
    }

    /// The members that turn `base` into these conditions.
    fileprivate func members(over base: LinkConditions) -> [(String, JSONTree?)] {
        func changed<Value: Equatable>(
            _ path: KeyPath<LinkConditions, Value>, _ write: (Value) -> JSONTree
        ) -> JSONTree? {
            self[keyPath: path] == base[keyPath: path] ? nil : write(self[keyPath: path])
        }
        return [
            ("downlink", changed(\.downlink) { $0.notation(over: base.downlink) }),
            ("uplink", changed(\.uplink) { $0.notation(over: base.uplink) }),
            ("dns-delay", changed(\.dnsDelay) { .text($0.text) }), ("mtu", changed(\.mtu) { .whole($0) }),
            offline.map { kind in ("offline", changed(\.offline) { _ in .text(kind.rawValue) }) }
                ?? ("online", changed(\.offline) { _ in .flag(true) }),
            ("held", changed(\.isHeld) { .flag($0) }),
        ]
    }
}

extension Conditions {
    fileprivate func notation(over base: Conditions) -> JSONTree {
        func changed<Value: Equatable>(
            _ path: KeyPath<Conditions, Value>, _ write: (Value) -> JSONTree
        ) -> JSONTree? {
            self[keyPath: path] == base[keyPath: path] ? nil : write(self[keyPath: path])
        }
        return .object([
            ("rate", changed(\.rate) { .text($0?.text ?? "unlimited") }),
            ("delay", changed(\.delay) { .text($0.text) }),
            ("jitter", changed(\.jitter) { $0?.notation ?? .text("0 ms") }),
            ("loss", changed(\.loss) { $0?.notation ?? .text("0 %") }),
            ("duplicate", changed(\.duplicate) { .text($0.text) }),
            ("reorder", changed(\.reorder) { .text($0.text) }), ("corrupt", changed(\.corrupt) { .text($0.text) }),
            ("queue", changed(\.queue) { .text($0?.text ?? "default") }),
        ])
    }
}

extension Jitter {
    fileprivate var notation: JSONTree {
        distribution == .uniform
            ? .text(amount.text)
            : .object([("amount", .text(amount.text)), ("distribution", .text(distribution.rawValue))])
    }
}

extension Loss {
    fileprivate var notation: JSONTree {
        switch self {
        case .random(let ratio): .text(ratio.text)
        case .gilbertElliott(let model):
            .object([
                ("good-to-bad", .text(model.goodToBad.text)), ("bad-to-good", .text(model.badToGood.text)),
                ("loss-in-bad", .text(model.lossInBad.text)), ("loss-in-good", .text(model.lossInGood.text)),
            ])
        }
    }
}

extension DeliveryTrace {
    fileprivate var notation: JSONTree {
        .object([("milliseconds", .text(milliseconds.map { "\($0)" }.joined(separator: " ")))])
    }
}
