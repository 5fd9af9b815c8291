extension Profile {
    /// The version of the notation; that of a profile's file.
    package static let notationVersion = 1

    /// The profile as a file has it that extends nothing.
    ///
    /// `traces` are the files of its traces; a trace without one is written out.
    package func notation(traces files: [Direction: String] = [:]) -> LinkNotation {
        var start = conditions
        // A trace takes the place of a rate.
        for direction in Direction.allCases where trace(direction) != nil { start[direction].rate = nil }
        let changes = changes.map { change in
            LinkNotation.mapping([("at", .text(change.at.text))] + change.conditions.members(over: start))
        }
        let traces: [(String, LinkNotation?)] = Direction.allCases.map { direction in
            let written = trace(direction)?.notation
            return (direction.rawValue, written == nil ? nil : files[direction].map(LinkNotation.text) ?? written)
        }
        var members: [(String, LinkNotation?)] = [
            ("profile", .text(name)), ("version", .number(Self.notationVersion)),
            ("title", title.isEmpty ? nil : .text(title)), ("summary", summary.isEmpty ? nil : .text(summary)),
            ("source", .text(source.isEmpty ? "unknown" : source)),
        ]
        members += start.members(over: LinkConditions())
        members += [
            ("changes", changes.isEmpty ? nil : .list(changes)),
            ("repeat", repeatsEvery.map { .text($0.text) }),
            ("stall", stall.map { .mapping([("every", .text($0.period.text)), ("for", .text($0.length.text))]) }),
            ("trace", traces.allSatisfy { $0.1 == nil } ? nil : .mapping(traces)),
        ]
        return .mapping(members)
    }
}

extension LinkConditions {
    /// The conditions as they are written: what differs from an unshaped link.
    package var notation: LinkNotation { .mapping(members(over: LinkConditions())) }

    /// The keys that make these conditions of others.
    fileprivate func members(over base: LinkConditions) -> [(String, LinkNotation?)] {
        func changed<Value: Equatable>(
            _ path: KeyPath<LinkConditions, Value>, _ write: (Value) -> LinkNotation
        ) -> LinkNotation? {
            self[keyPath: path] == base[keyPath: path] ? nil : write(self[keyPath: path])
        }
        return [
            ("downlink", changed(\.downlink) { $0.notation(over: base.downlink) }),
            ("uplink", changed(\.uplink) { $0.notation(over: base.uplink) }),
            ("dns-delay", changed(\.dnsDelay) { .text($0.text) }), ("mtu", changed(\.mtu) { .number($0) }),
            offline.map { kind in ("offline", changed(\.offline) { _ in .text(kind.rawValue) }) }
                ?? ("online", changed(\.offline) { _ in .flag(true) }),
            ("held", changed(\.isHeld) { .flag($0) }),
        ]
    }
}

extension Conditions {
    fileprivate func notation(over base: Conditions) -> LinkNotation {
        func changed<Value: Equatable>(
            _ path: KeyPath<Conditions, Value>, _ write: (Value) -> LinkNotation
        ) -> LinkNotation? {
            self[keyPath: path] == base[keyPath: path] ? nil : write(self[keyPath: path])
        }
        return .mapping([
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
    fileprivate var notation: LinkNotation {
        distribution == .uniform
            ? .text(amount.text)
            : .mapping([("amount", .text(amount.text)), ("distribution", .text(distribution.rawValue))])
    }
}

extension Loss {
    fileprivate var notation: LinkNotation {
        switch self {
        case .random(let ratio): .text(ratio.text)
        case .gilbertElliott(let model):
            .mapping([
                ("good-to-bad", .text(model.goodToBad.text)), ("bad-to-good", .text(model.badToGood.text)),
                ("loss-in-bad", .text(model.lossInBad.text)), ("loss-in-good", .text(model.lossInGood.text)),
            ])
        }
    }
}

extension DeliveryTrace {
    fileprivate var notation: LinkNotation {
        .mapping([("milliseconds", .text(milliseconds.map { "\($0)" }.joined(separator: " ")))])
    }
}
