/// What comes with an app, and what after it, as its manifest's priorities say (swiftlang/swift-build, TaskProducer.swift).
package struct InstallPlan: Hashable, Sendable {
    /// Tags whose packs are downloaded with the app, sorted: all of them have the priority 1.
    package var initial: [String]
    /// Tags whose packs are downloaded after it, in their order: of falling priority.
    package var prefetched: [String]
}

extension ResourceCatalog {
    /// What the priorities of the packs say of their tags.
    ///
    /// A manifest has priorities of packs alone, each the highest of its tags', so a tag's own is the least of its packs'.
    var installPlan: InstallPlan {
        let tags = leastPriorities.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
        return InstallPlan(
            initial: tags.filter { $0.value >= 1 }.map(\.key).sorted(),
            prefetched: tags.filter { $0.value > 0 && $0.value < 1 }.map(\.key))
    }
}
