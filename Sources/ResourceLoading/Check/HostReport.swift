/// Whether a server can host packs.
package struct HostReport: Codable, Sendable {
    /// One pack of the manifest.
    package struct Pack: Codable, Sendable {
        package var pack: String
        /// Its address, without secrets.
        package var url: String
        /// Bytes of its file, as the host says; nil where it does not.
        package var bytes: Int64?
        package var findings: [HostFinding]

        /// The worst of its findings.
        package var verdict: HostFinding.Verdict { HostReport.worst(findings.map(\.verdict)) }
    }

    /// Version of this form.
    package var version = 1
    /// The manifest's address, without secrets.
    package var url: String
    /// Whether the host answered at all; where not, why is what `manifest` says.
    package var isReachable = true
    /// What concerns the host as a whole.
    package var findings: [HostFinding] = []
    /// The packs, in the manifest's order.
    package var packs: [Pack] = []

    /// Whether nothing fails, and nothing was left unchecked.
    package var holds: Bool { rows.allSatisfy { $0.verdict == .holds || $0.verdict == .note } }

    /// One row a property: of those that packs have the worst, with the number of packs it is true of.
    package var rows: [HostFinding] {
        HostProperty.allCases.compactMap { property in
            let own = findings.filter { $0.property == property }
            let ofPacks = packs.compactMap { pack in pack.findings.first { $0.property == property } }
            let all = own + ofPacks
            guard !all.isEmpty else { return nil }
            let worst = Self.worst(all.map(\.verdict))
            let same = all.filter { $0.verdict == worst }
            let count = ofPacks.count { $0.verdict == worst }
            let number = ofPacks.isEmpty || !own.isEmpty ? "" : "\(count) of \(packs.count) packs: "
            return HostFinding(property, worst, number + (same.first?.detail ?? ""))
        }
    }

    private static func worst(_ verdicts: [HostFinding.Verdict]) -> HostFinding.Verdict {
        let order = HostFinding.Verdict.allCases
        return verdicts.max { (order.firstIndex(of: $0) ?? 0) < (order.firstIndex(of: $1) ?? 0) } ?? .holds
    }
}

/// What a check found of one property.
package struct HostFinding: Hashable, Codable, Sendable {
    package enum Verdict: String, Codable, CaseIterable, Sendable {
        case holds
        /// Nothing that packs need, but good to know.
        case note
        /// Could not be looked at.
        case unchecked
        case fails
    }

    package var property: HostProperty
    package var verdict: Verdict
    /// What the host did, and what to try.
    package var detail: String

    package init(_ property: HostProperty, _ verdict: Verdict, _ detail: String) {
        self.property = property
        self.verdict = verdict
        self.detail = detail
    }
}

/// What a server must, or should, do to host packs.
package enum HostProperty: String, Codable, CaseIterable, Sendable {
    /// https with TLS 1.2 or later, which App Transport Security asks for.
    case tls
    /// A certificate that is valid, for this name, with a chain to a trusted authority.
    case certificate
    /// The manifest is there, and is one.
    case manifest
    /// The tag table is beside it.
    case tagTable = "tag-table"
    /// A pack is there.
    case reachable
    /// HEAD, ranges and the manifest say the same size.
    case size
    /// The rest of a file by `first-`, and a part by `first-last`: 206 with what was asked for.
    case range
    /// The end of a file by `-length`.
    case suffixRange = "suffix-range"
    /// A range behind the end: 416.
    case rangeBeyondEnd = "range-beyond-end"
    /// A range of a file that has changed is answered with the whole.
    case ifRange = "if-range"
    /// A strong ETag that stays the same.
    case etag
    /// Files come as they are.
    case compression
    /// How many redirects lead to a pack.
    case redirects
}
