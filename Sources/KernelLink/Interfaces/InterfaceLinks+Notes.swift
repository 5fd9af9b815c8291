import Netlink

/// Notes about rules, in the aliases of further interfaces next to the `ifb`, because one alias has little room.
extension InterfaceLinks {
    /// Letters after the name of the `ifb`; `t` is that of an interface on which a shape is tried.
    private static let letters = Array("abcdefghijklmnop")

    private static func noteName(_ index: UInt32, _ part: Int) -> String {
        intermediateName(for: index) + "\(letters[part])"
    }

    /// The name of the `ifb` next to which an interface has a part of the notes; nil for other interfaces.
    static func noted(_ state: InterfaceState) -> String? {
        let name = state.interface.name
        return isOwn(state) && name.last.map(letters.contains) == true ? String(name.dropLast()) : nil
    }

    static func found(_ target: InterfaceState?, _ ifb: InterfaceState, among states: [InterfaceState]) -> Found {
        let notes = states.filter { noted($0) == ifb.interface.name }.sorted { $0.interface.name < $1.interface.name }
        return Found(
            target: target, ifb: ifb, mark: LinkMark(parsing: ifb.alias), rules: RuleNote.all(notes.map(\.alias)))
    }

    /// The interfaces with the notes about a shape's rules, whatever is left of the shape.
    func notes(of found: Found) throws(NetlinkError) -> [InterfaceState] {
        let name = found.target.map { Self.intermediateName(for: $0.interface.index) } ?? found.ifb?.interface.name
        return try socket.interfaces().filter { state in
            state.interface != found.ifb?.interface && name != nil && Self.noted(state) == name
        }
    }

    /// Writes notes about rules, replacing earlier ones.
    func write(_ notes: [RuleNote], of target: NetworkInterface) throws(NetlinkError) {
        let texts = RuleNote.texts(notes)
        precondition(texts.count <= Self.letters.count, "the most rules there can be fit")
        let states = try socket.interfaces()
        let main = Self.intermediateName(for: target.index)
        for state in states where Self.noted(state) == main {
            let part = state.interface.name.last.flatMap(Self.letters.firstIndex) ?? 0
            if part >= texts.count { try socket.request(VirtualInterface.removal(of: state.interface)) }
        }
        for (part, text) in texts.enumerated() {
            let name = Self.noteName(target.index, part)
            let isThere = states.contains { $0.interface.name == name && Self.isOwn($0) }
            let interface = try makeIntermediate(name, isThere: isThere)
            try socket.request(InterfaceChange(alias: text).message(for: interface.index, name: interface.name))
        }
    }
}

extension InterfacePlan {
    /// The notes about its rules.
    var notes: [RuleNote] {
        rules.map {
            RuleNote(
                slot: $0.place.slot, selector: $0.selector.description, profile: RuleNote.name(of: $0.profile),
                since: $0.place.since)
        }
    }
}
