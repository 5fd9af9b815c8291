internal import LinkModel

extension ProxyRegistry {
    /// Adds a toxic after the existing ones, on open connections too.
    func add(_ toxic: Toxic, to entry: Entry) throws(NamedProxyError) {
        try change(entry.door.toxics + [toxic], of: entry)
        if let profile = toxic.profile { entry.engine.cover(profile) }
    }

    /// Changes a toxic, on open connections too.
    func update(_ toxic: Toxic, of entry: Entry) throws(NamedProxyError) {
        guard let index = entry.door.toxics.firstIndex(where: { $0.name == toxic.name }) else { throw .toxicNotFound }
        var toxics = entry.door.toxics
        toxics[index] = toxic
        try change(toxics, of: entry)
        if let profile = toxic.profile { entry.engine.cover(profile) }
    }

    /// Removes a toxic; the bytes that it holds go on.
    func removeToxic(_ name: String, of entry: Entry) throws(NamedProxyError) {
        guard let index = entry.door.toxics.firstIndex(where: { $0.name == name }) else { throw .toxicNotFound }
        let toxic = entry.door.toxics.remove(at: index)
        if toxic.profile != nil { entry.engine.uncover() }
        entry.door.applyToxics()
    }

    /// Replaces all toxics of a proxy; those that stay keep the bytes that they hold.
    ///
    /// Either all are set, or it throws and the old ones stay.
    func set(_ toxics: [Toxic], of entry: Entry) throws(NamedProxyError) {
        try check(toxics, of: entry.door.name, on: entry.link)
        let before = entry.door.toxics
        let names = toxics.map(\.name)
        let kept = before.filter { names.contains($0.name) }
        let staysInOrder = zip(kept, toxics).allSatisfy { old, new in
            old.name == new.name && old.direction == new.direction && old.effect.type == new.effect.type
        }
        // Open connections know a toxic by its name, so those that go must go before others of their name come.
        entry.door.toxics = staysInOrder ? kept : []
        entry.door.applyToxics()
        entry.door.toxics = toxics
        if let profile = entry.profile {
            entry.engine.cover(profile)
        } else if before.contains(where: { $0.profile != nil }) {
            entry.engine.uncover()
        }
        entry.door.applyToxics()
    }

    /// Removes every toxic.
    func removeToxics(of entry: Entry) {
        let hasProfile = entry.profile != nil
        entry.door.toxics = []
        if hasProfile { entry.engine.uncover() }
        entry.door.applyToxics()
    }

    /// Throws unless the proxy with this name, on this link, may have exactly these toxics; changes nothing.
    func check(_ toxics: [Toxic], of name: String, on link: String) throws(NamedProxyError) {
        guard Set(toxics.map(\.name)).count == toxics.count else { throw .toxicExists }
        guard toxics.count <= limits.toxics else {
            throw .tooMany("a proxy has \(limits.toxics) toxics at most; remove one first")
        }
        guard toxics.allSatisfy({ (1...limits.nameBytes).contains($0.name.utf8.count) }) else {
            throw .invalid("a name has 1 to \(limits.nameBytes) bytes")
        }
        let profiles = toxics.filter { $0.profile != nil }
        guard profiles.allSatisfy({ $0.toxicity >= 1 }) else {
            throw .invalid("a profile applies to all connections of the link: its toxicity must be 1")
        }
        // A link follows only one profile.
        guard let own = profiles.first else { return }
        var taken = profiles.count > 1 ? (toxic: own.name, proxy: name) : nil
        for other in entries.values where other.link == link && other.door.name != name {
            guard let toxic = other.door.toxics.first(where: { $0.profile != nil }) else { continue }
            taken = (toxic.name, other.door.name)
        }
        guard let taken else { return }
        throw .profileTaken(
            "the link already follows the profile of the toxic '\(taken.toxic)' of the proxy '\(taken.proxy)'; change "
                + "that one, or remove it")
    }

    private func change(_ toxics: [Toxic], of entry: Entry) throws(NamedProxyError) {
        try check(toxics, of: entry.door.name, on: entry.link)
        entry.door.toxics = toxics
        entry.door.applyToxics()
    }
}
