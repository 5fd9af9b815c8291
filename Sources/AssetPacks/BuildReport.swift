package import PackFormat

/// What was built, and what its limits say of it.
package struct BuildReport: Hashable, Sendable, Codable {
    /// One pack.
    package struct Pack: Hashable, Sendable, Codable {
        package var identifier: String
        package var tags: [String]
        /// The pack's file or folder, as its address names it.
        package var name: String
        package var files: Int
        /// Bytes of its resources.
        package var uncompressedSize: Int64
        /// Bytes of its archive; nil for a folder.
        package var downloadSize: Int64?
        /// 0 to 1; nil for a pack that is fetched on demand only.
        package var priority: Double?
    }

    package var limits: String
    package var packs: [Pack]
    /// Files without a tag, which belong into the app's bundle.
    package var bundled: [String]
    package var findings: [LimitFinding]
}

/// Something that a store or a system would not take, or that Apple advises against.
package struct LimitFinding: Hashable, Sendable, Codable, CustomStringConvertible {
    package enum Severity: String, Sendable, Codable { case warning, error }

    package var severity: Severity
    /// What was measured against what, with its source.
    package var description: String
}

/// Holds packs against limits.
package struct LimitCheck: Sendable {
    package let limits: Limits

    package init(_ limits: Limits) {
        self.limits = limits
    }

    /// Everything that is over a limit, errors first.
    package func findings(_ packs: [BuildReport.Pack], initialInstall: Set<String>, prefetch: Set<String>)
        -> [LimitFinding]
    {
        var findings: [LimitFinding] = []
        func hold(_ what: String, _ value: Int64, _ limit: Int64?, _ severity: LimitFinding.Severity = .error) {
            guard let limit, value > limit else { return }
            findings.append(
                LimitFinding(
                    severity: severity,
                    description: "\(what): \(value), and the most is \(limit) (\(limits.name); \(limits.source))"))
        }
        func bytes(_ tags: Set<String>) -> Int64 {
            packs.filter { !tags.isDisjoint(with: $0.tags) }.map(\.uncompressedSize).reduce(0, +)
        }
        for pack in packs {
            hold("bytes of the pack of \(pack.tags.joined(separator: "+"))", pack.uncompressedSize, limits.pack)
        }
        hold("packs", Int64(packs.count), limits.packCount.map(Int64.init))
        hold("bytes of all packs", packs.map(\.uncompressedSize).reduce(0, +), limits.hosted)
        hold("bytes of the initial install tags", bytes(initialInstall), limits.initialInstall)
        hold(
            "bytes of the initial install and prefetched tags", bytes(initialInstall.union(prefetch)),
            limits.initialAndPrefetched)
        for tag in Set(packs.flatMap(\.tags)).sorted() {
            hold("bytes of the tag '\(tag)' (advice)", bytes([tag]), limits.recommendedPack, .warning)
        }
        return findings.sorted { $0.severity == .error && $1.severity == .warning }
    }
}
