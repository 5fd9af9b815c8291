package import Documents

/// The download policy of a pack of Background Assets: when the system downloads it by itself.
///
/// `Manifest.json` and the download manifest contain it.
package struct AssetDownloadPolicy: Hashable, Sendable {
    /// What the system does.
    package enum Kind: String, Hashable, Sendable, CaseIterable {
        /// Downloads the pack before the app can be opened.
        case essential
        /// Begins the download with the installation, and continues after it.
        case prefetch
        /// Never downloads the pack by itself.
        case onDemand
    }

    /// A kind of installation of the app, with which the system downloads packs.
    package enum Event: String, Hashable, Sendable, CaseIterable {
        case firstInstallation
        case subsequentUpdate
    }

    package var kind: Kind
    /// The installations with which the system downloads the pack; empty if it is on demand.
    package var events: Set<Event>

    package init(_ kind: Kind, events: Set<Event> = []) {
        (self.kind, self.events) = (kind, events)
    }

    /// What the system does at an installation; nil for a pack that it does not download then.
    package func kind(at event: Event) -> Kind? { events.contains(event) ? kind : nil }

    /// The equivalent priority of On-Demand Resources: 1 if essential, 0.5 if prefetched, nil if neither at `event`.
    package func priority(at event: Event) -> Double? {
        switch kind(at: event) {
        case .essential: 1
        case .prefetch: 0.5
        case .onDemand, nil: nil
        }
    }

    /// The policy as text, such as `essential (firstInstallation, subsequentUpdate)`.
    package var text: String {
        let names = Event.allCases.filter(events.contains).map(\.rawValue)
        return names.isEmpty ? kind.rawValue : "\(kind.rawValue) (\(names.joined(separator: ", ")))"
    }

    private static let eventsKey = "installationEventTypes"
    private static var kinds: String { Kind.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: ", ") }

    /// Reads a policy, an object with one key; throws for anything else.
    package init(_ node: JSONNode) throws(JSONProblem) {
        let members = try node.members("an object of one key: \(Self.kinds)")
        guard members.count == 1, let member = members.first else {
            let reason = "a download policy has one of the keys \(Self.kinds), but this one has \(members.count) keys"
            throw JSONProblem(node.mark, reason)
        }
        guard let kind = Kind(rawValue: member.key) else {
            throw JSONProblem(member.mark, "there is no download policy \(member.key.jsonQuoted): \(Self.kinds)")
        }
        let inner = try member.value.members()
        for other in inner where kind == .onDemand || other.key != Self.eventsKey {
            let wanted = kind == .onDemand ? "an empty object" : "\"\(Self.eventsKey)\" alone"
            throw JSONProblem(other.mark, "\"\(kind.rawValue)\" takes \(wanted), but there is \(other.key.jsonQuoted)")
        }
        self.init(kind)
        guard kind != .onDemand else { return }
        let list = try member.value.required(Self.eventsKey)
        for element in try list.elements() {
            let text = try element.text()
            guard let event = Event(rawValue: text) else {
                let known = Event.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: " and ")
                throw JSONProblem(element.mark, "there is no install event \(text.jsonQuoted): there are \(known)")
            }
            guard events.insert(event).inserted else {
                throw JSONProblem(element.mark, "\"\(text)\" is listed twice")
            }
        }
        guard !events.isEmpty else {
            throw JSONProblem(
                list.mark, "\"\(kind.rawValue)\" needs at least one install event; or write \"onDemand\": {}")
        }
    }

    /// The policy as JSON; the same policy gives the same text.
    package var tree: JSONTree {
        let names = Event.allCases.filter(events.contains).map(\.rawValue)
        let inner: JSONTree = kind == .onDemand ? .object([:]) : .object([Self.eventsKey: .texts(names)])
        return .object([JSONTree.Member(key: kind.rawValue, value: inner)])
    }
}
