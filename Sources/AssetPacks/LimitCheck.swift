package import PackFormat

/// Holds packs against limits.
package struct LimitCheck: Sendable {
    /// The limits.
    package let limits: Limits

    /// A check against these limits.
    package init(_ limits: Limits) {
        self.limits = limits
    }

    /// Everything that is over a limit, errors first.
    ///
    /// A pack counts once for a set of tags, however many of them it has. `bundledSize` is the bytes of the files without
    /// a tag, and 0 where they are not known; `initialInstall` are the tags that come with the app, `prefetch` those
    /// that come after it.
    package func findings(
        _ packs: [BuildReport.Pack], bundledSize: Int64 = 0, initialInstall: Set<String>, prefetch: Set<String>
    ) -> [LimitFinding] {
        func bytes(_ tags: Set<String>) -> Int64 {
            packs.filter { !tags.isDisjoint(with: $0.tags) }.map(\.uncompressedSize).reduce(0, +)
        }
        let initial = bytes(initialInstall)
        var findings = packs.compactMap { pack in
            over(limits.pack, "the pack of \(pack.tags.joined(separator: " and "))", pack.uncompressedSize)
        }
        findings += [
            over(limits.packCount.map(Int64.init), "the catalog", Int64(packs.count), unit: .packs),
            over(limits.appBundle, "the app bundle", bundledSize),
            over(limits.hosted, "the host", packs.map(\.uncompressedSize).reduce(0, +)),
            over(limits.initialInstall, "the initial install", initial),
            over(
                limits.initialAndPrefetched, "what is installed and prefetched",
                bytes(initialInstall.union(prefetch))),
            over(limits.cellularInstall, "an install over a cellular network", bundledSize + initial, .warning),
        ].compactMap { $0 }
        findings += Set(packs.flatMap(\.tags)).sorted().compactMap { tag in
            over(limits.inUse, "the tag \(tag), in use at once,", bytes([tag]))
        }
        findings += packs.compactMap { pack in
            let subject = "the pack of \(pack.tags.joined(separator: " and "))"
            return over(limits.recommendedPack, subject, pack.uncompressedSize, .warning)
        }
        return findings.filter { $0.severity == .error } + findings.filter { $0.severity == .warning }
    }

    /// What is to be said where `value` is over `limit`; exactly the limit is allowed.
    private func over(
        _ limit: Int64?, _ subject: String, _ value: Int64, _ severity: LimitFinding.Severity = .error,
        unit: LimitFinding.Unit = .bytes
    ) -> LimitFinding? {
        guard let limit, value > limit else { return nil }
        return LimitFinding(
            severity: severity, subject: subject, value: value, limit: limit, unit: unit, limits: limits.name,
            source: limits.source)
    }
}
