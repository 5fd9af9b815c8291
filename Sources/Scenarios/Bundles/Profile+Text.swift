package import LinkModel

extension Profile {
    /// The file of a profile that does the same and extends nothing, and its traces by the names that it calls them.
    package var files: (text: String, traces: [String: String]) {
        var traces: [String: String] = [:]
        func trace(_ direction: Direction) -> YAMLNode? {
            self.trace(direction).map { trace in
                let file = "\(name)-\(direction.rawValue).trace"
                traces[file] = trace.milliseconds.map { "\($0)\n" }.joined()
                return .made(file)
            }
        }
        let traceFiles = [trace(.downlink), trace(.uplink)]
        var start = conditions
        // A trace takes the place of a rate.
        for direction in Direction.allCases where self.trace(direction) != nil { start[direction].rate = nil }
        let changes = changes.map { change in
            YAMLNode.made([("at", .made(change.at.text))] + change.conditions.entries(over: conditions))
        }
        var entries: [(String, YAMLNode?)] = [
            ("profile", .made(name)), ("version", .made("\(ProfileDecoder.version)")),
            ("title", title.isEmpty ? nil : .made(title)), ("summary", summary.isEmpty ? nil : .made(summary)),
            ("source", .made(source.isEmpty ? "unknown" : source)),
        ]
        entries += start.entries(over: LinkConditions())
        entries += [
            ("changes", changes.isEmpty ? nil : .made(.list(changes))),
            ("repeat", repeatsEvery.map { .made($0.text) }),
            ("stall", stall.map { .made([("every", .made($0.period.text)), ("for", .made($0.length.text))]) }),
            ("trace", traces.isEmpty ? nil : .made([("downlink", traceFiles[0]), ("uplink", traceFiles[1])])),
        ]
        return (YAMLNode.made(entries).text, traces)
    }
}

extension LinkConditions {
    /// The keys that make these conditions of others.
    fileprivate func entries(over base: LinkConditions) -> [(String, YAMLNode?)] {
        func changed<Value: Equatable>(_ path: KeyPath<LinkConditions, Value>) -> Value? {
            self[keyPath: path] == base[keyPath: path] ? nil : self[keyPath: path]
        }
        var entries: [(String, YAMLNode?)] = Direction.allCases.map { direction in
            let node = self[direction].node(over: base[direction])
            return (direction.rawValue, self[direction] == base[direction] ? nil : node)
        }
        entries += [
            ("dns-delay", changed(\.dnsDelay).map { .made($0.text) }), ("mtu", changed(\.mtu).map { .made("\($0)") }),
        ]
        switch changed(\.offline) {
        case .some(.some(let kind)): entries.append(("offline", .made(kind.rawValue)))
        case .some(.none): entries.append(("online", .made("true")))
        case nil: break
        }
        return entries
    }
}

extension Conditions {
    fileprivate func node(over base: Conditions) -> YAMLNode {
        func changed<Value: Equatable>(
            _ path: KeyPath<Conditions, Value>, _ node: (Value) -> YAMLNode?
        ) -> YAMLNode? {
            self[keyPath: path] == base[keyPath: path] ? nil : node(self[keyPath: path])
        }
        return .made([
            ("rate", changed(\.rate) { .made($0?.text ?? "unlimited") }),
            ("delay", changed(\.delay) { .made($0.text) }),
            ("jitter", changed(\.jitter) { $0?.node ?? .made("0 ms") }),
            ("loss", changed(\.loss) { $0?.node ?? .made("0 %") }),
            ("duplicate", changed(\.duplicate) { .made($0.text) }),
            ("reorder", changed(\.reorder) { .made($0.text) }), ("corrupt", changed(\.corrupt) { .made($0.text) }),
            ("queue", changed(\.queue) { $0?.node }),
        ])
    }
}

extension Jitter {
    fileprivate var node: YAMLNode {
        distribution == .uniform
            ? .made(amount.text)
            : .made([("amount", .made(amount.text)), ("distribution", .made(distribution.rawValue))])
    }
}

extension Loss {
    fileprivate var node: YAMLNode {
        switch self {
        case .random(let ratio): .made(ratio.text)
        case .gilbertElliott(let model):
            .made([
                ("good-to-bad", .made(model.goodToBad.text)), ("bad-to-good", .made(model.badToGood.text)),
                ("loss-in-bad", .made(model.lossInBad.text)), ("loss-in-good", .made(model.lossInGood.text)),
            ])
        }
    }
}

extension QueueLimit {
    fileprivate var node: YAMLNode {
        switch self {
        case .bytes(let count): .made(count.text)
        case .packets(let count): .made("\(count) packets")
        }
    }
}
