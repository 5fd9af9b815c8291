/// What a tag's place among the categories is worth (swiftlang/swift-build, TaskProducer.swift).
struct PrefetchPriorities {
    private let byTag: [String: Double]

    /// Tags of the initial install have 1; prefetched ones fall evenly from 0.95 to 0.05, or have 0.5 if there is but one.
    init(_ catalog: Catalog) {
        var byTag: [String: Double] = [:]
        let count = catalog.prefetch.count
        for (index, tag) in catalog.prefetch.enumerated() where byTag[tag] == nil {
            byTag[tag] = count == 1 ? 0.5 : Double(count - 1 - index) / Double(count - 1) * 0.9 + 0.05
        }
        for tag in catalog.initialInstall { byTag[tag] = 1 }
        self.byTag = byTag
    }

    /// The highest of the tags' priorities; nil for a pack that is fetched on demand only.
    func priority(of tags: Set<String>) -> Double? {
        tags.compactMap { byTag[$0] }.max()
    }
}
