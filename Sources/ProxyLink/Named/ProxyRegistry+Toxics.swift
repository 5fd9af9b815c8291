internal import LinkModel

extension ProxyRegistry {
    /// Adds a toxic after the existing ones, on open connections too.
    func add(_ toxic: Toxic, to entry: Entry) throws(NamedProxyError) {
        guard !entry.door.toxics.contains(where: { $0.name == toxic.name }) else { throw .toxicExists }
        guard entry.door.toxics.count < limits.toxics else {
            throw .tooMany("the proxy has \(limits.toxics) toxics, as many as this server allows; remove one first")
        }
        guard (1...limits.nameBytes).contains(toxic.name.utf8.count) else {
            throw .invalid("a name has 1 to \(limits.nameBytes) bytes")
        }
        try checkProfile(toxic, on: entry)
        entry.door.toxics.append(toxic)
        apply(toxic, to: entry)
    }

    /// Changes a toxic, on open connections too.
    func update(_ toxic: Toxic, of entry: Entry) throws(NamedProxyError) {
        guard let index = entry.door.toxics.firstIndex(where: { $0.name == toxic.name }) else { throw .toxicNotFound }
        try checkProfile(toxic, on: entry)
        entry.door.toxics[index] = toxic
        apply(toxic, to: entry)
    }

    /// Removes a toxic; the bytes that it holds go on.
    func removeToxic(_ name: String, of entry: Entry) throws(NamedProxyError) {
        guard let index = entry.door.toxics.firstIndex(where: { $0.name == name }) else { throw .toxicNotFound }
        let toxic = entry.door.toxics.remove(at: index)
        if toxic.profile != nil { _ = entry.engine.release() }
        entry.door.applyToxics()
    }

    /// Replaces all toxics of a proxy; those that stay keep the bytes that they hold.
    func set(_ toxics: [Toxic], of entry: Entry) throws(NamedProxyError) {
        let names = toxics.map(\.name)
        guard Set(names).count == names.count else { throw .invalid("two toxics have the same name") }
        let before = entry.door.toxics
        let kept = before.filter { names.contains($0.name) }
        let staysInOrder = zip(kept, toxics).allSatisfy { old, new in
            old.name == new.name && old.direction == new.direction && old.effect.isAlike(new.effect)
        }
        do throws(NamedProxyError) {
            for old in before where !staysInOrder || !names.contains(old.name) {
                try removeToxic(old.name, of: entry)
            }
            for toxic in toxics {
                if staysInOrder, kept.contains(where: { $0.name == toxic.name }) {
                    try update(toxic, of: entry)
                } else {
                    try add(toxic, to: entry)
                }
            }
        } catch {
            // Either all toxics are set, or the old ones stay.
            removeToxics(of: entry)
            for old in before { try? add(old, to: entry) }
            throw error
        }
    }

    /// Removes every toxic.
    func removeToxics(of entry: Entry) {
        let hasProfile = entry.door.toxics.contains { $0.profile != nil }
        entry.door.toxics = []
        if hasProfile { _ = entry.engine.release() }
        entry.door.applyToxics()
    }

    private func apply(_ toxic: Toxic, to entry: Entry) {
        if let profile = toxic.profile { _ = entry.engine.set(profile) }
        entry.door.applyToxics()
    }

    /// Throws if the toxic's profile conflicts with that of another toxic, or would apply to only some connections.
    private func checkProfile(_ toxic: Toxic, on entry: Entry) throws(NamedProxyError) {
        guard toxic.profile != nil else { return }
        guard toxic.toxicity >= 1 else {
            throw .invalid("a profile applies to all connections of the link: its toxicity must be 1")
        }
        for other in entries.values where other.engine === entry.engine {
            for another in other.door.toxics where another.profile != nil {
                guard other === entry, another.name == toxic.name else {
                    throw .profileTaken(
                        "the link already follows the profile of the toxic '\(another.name)' of the proxy "
                            + "'\(other.door.name)'; change that one, or remove it")
                }
            }
        }
    }
}
