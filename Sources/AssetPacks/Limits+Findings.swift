package import PackFormat

/// Compares packs with limits.
extension Limits {
    /// Everything that is over a limit, errors first.
    ///
    /// A pack counts once for a set of tags, however many of them it has. `bundledSize` is the size in bytes of the
    /// files without a tag, or 0 if it is unknown. `initialInstall` are the tags that come with the app, `prefetch`
    /// those that come after it.
    package func findings(
        _ packs: [BuildReport.Pack], bundledSize: Int64 = 0, initialInstall: Set<String>, prefetch: Set<String>
    ) -> [LimitFinding] {
        func having(_ tags: Set<String>) -> [BuildReport.Pack] { packs.filter { !tags.isDisjoint(with: $0.tags) } }
        return findings(
            packs, bundledSize: bundledSize, initial: having(initialInstall),
            prefetched: having(initialInstall.union(prefetch)))
    }

    /// Everything that is over a limit, with the packs' priorities as categories, as in a manifest.
    ///
    /// 1 is the initial install, and any other priority is prefetched. `bundledSize` is in bytes.
    package func findings(byPriority packs: [BuildReport.Pack], bundledSize: Int64 = 0) -> [LimitFinding] {
        findings(
            packs, bundledSize: bundledSize, initial: packs.filter { $0.priority == 1 },
            prefetched: packs.filter { $0.priority != nil })
    }

    /// The amount that packs have of each limit, in bytes or packs; the largest for limits of a single pack or tag.
    ///
    /// Priorities are the categories, as in a manifest: 1 is the initial install, any other is prefetched.
    package static func sizes(_ packs: [BuildReport.Pack], bundledSize: Int64) -> [Setting: Int64] {
        func bytes(_ isCounted: (BuildReport.Pack) -> Bool) -> Int64 {
            packs.filter(isCounted).map(\.uncompressedSize).reduce(0, +)
        }
        let largest = packs.map(\.uncompressedSize).max() ?? 0
        let largestTag = Set(packs.flatMap(\.tags)).map { tag in bytes { $0.tags.contains(tag) } }.max() ?? largest
        let initial = bytes { $0.priority == 1 }
        return [
            .appBundle: bundledSize, .pack: largest, .packCount: Int64(packs.count), .initialInstall: initial,
            .initialAndPrefetched: bytes { $0.priority != nil }, .inUse: largestTag, .hosted: bytes { _ in true },
            .recommendedPack: largestTag, .cellularInstall: bundledSize + initial,
        ]
    }

    /// The finding if a host with the packs of all slices is over its limit; nil if it is not.
    package func findingOverAllSlices(_ bytes: Int64) -> LimitFinding? {
        over(self[.hosted], "the host, with all slices together,", bytes)
    }

    /// Packs of a manifest that are over the limit of a single pack, whatever their platform.
    package func findings(of resources: [AssetPackManifest.Resource]) -> [LimitFinding] {
        resources.compactMap { over(self[.pack], "the pack '\($0.bundleKey)'", $0.uncompressedSize) }
    }

    private func findings(
        _ packs: [BuildReport.Pack], bundledSize: Int64, initial: [BuildReport.Pack], prefetched: [BuildReport.Pack]
    ) -> [LimitFinding] {
        func bytes(_ packs: [BuildReport.Pack]) -> Int64 { packs.map(\.uncompressedSize).reduce(0, +) }
        var findings = packs.compactMap { over(self[.pack], Self.name($0), $0.uncompressedSize) }
        findings += [
            over(self[.packCount], "the catalog", Int64(packs.count), unit: .packs),
            over(self[.appBundle], "the app bundle", bundledSize),
            over(self[.hosted], "the host", bytes(packs)),
            over(self[.initialInstall], "the initial install", bytes(initial)),
            over(self[.initialAndPrefetched], "the total of installed and prefetched packs", bytes(prefetched)),
            over(
                self[.cellularInstall], "an install over a cellular network", bundledSize + bytes(initial), .warning),
        ].compactMap { $0 }
        let byTag = packs.reduce(into: [String: Int64]()) { sums, pack in
            for tag in pack.tags { sums[tag, default: 0] += pack.uncompressedSize }
        }.sorted { $0.key < $1.key }
        findings += byTag.compactMap { over(self[.inUse], "the tag \($0), in use at once,", $1) }
        findings += byTag.compactMap { over(self[.recommendedPack], "the tag \($0)", $1, .warning) }
        findings += packs.filter(\.tags.isEmpty).compactMap {
            over(self[.recommendedPack], Self.name($0), $0.uncompressedSize, .warning)
        }
        return findings.filter { $0.severity == .error } + findings.filter { $0.severity == .warning }
    }

    private static func name(_ pack: BuildReport.Pack) -> String {
        pack.tags.isEmpty ? "the pack '\(pack.identifier)'" : "the pack of \(pack.tags.joined(separator: " and "))"
    }

    /// The finding if `value` is over `limit`, else nil; exactly the limit is allowed.
    private func over(
        _ limit: Int64?, _ subject: String, _ value: Int64, _ severity: LimitFinding.Severity = .error,
        unit: LimitFinding.Unit = .bytes
    ) -> LimitFinding? {
        guard let limit, value > limit else { return nil }
        return LimitFinding(
            severity: severity, subject: subject, value: value, limit: limit, unit: unit, limits: name,
            source: source)
    }
}
