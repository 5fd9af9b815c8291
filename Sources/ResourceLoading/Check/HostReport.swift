/// The result of a check whether a server can host packs.
package struct HostReport: Codable, Sendable {
    /// One pack of the manifest.
    package struct Pack: Codable, Sendable {
        package var pack: String
        /// Its address, without secrets.
        package var url: String
        /// The size of its file in bytes, as the host says; nil if it does not.
        package var bytes: Int64?
        package var findings: [HostFinding]

        /// The worst verdict of its findings.
        package var verdict: HostFinding.Verdict { HostReport.worst(findings.map(\.verdict)) }
    }

    /// The version of this format.
    package var version = 1
    /// The manifest's address, without secrets.
    package var url: String
    /// Whether the host answered at all; if not, the finding of `manifest` says why.
    package var isReachable = true
    /// The findings about the host as a whole.
    package var findings: [HostFinding] = []
    /// The packs, in the manifest's order.
    package var packs: [Pack] = []

    /// Whether no property fails or was left unchecked.
    package var holds: Bool { rows.allSatisfy { $0.verdict == .holds || $0.verdict == .note } }

    /// One row for each property: the worst finding, with the number of packs that it is true of.
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

/// The result of checking one property.
package struct HostFinding: Hashable, Codable, Sendable {
    package enum Verdict: String, Codable, CaseIterable, Sendable {
        case holds
        /// Good to know, but packs do not need it.
        case note
        /// The property could not be checked.
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
    /// The manifest exists and can be read.
    case manifest
    /// The tag table is in the same folder as the manifest.
    case tagTable = "tag-table"
    /// The pack exists: HEAD is answered with status 200.
    case reachable
    /// HEAD, ranges and the manifest give the same size.
    case size
    /// The rest of a file by `first-`, and a part by `first-last`, are answered with 206 and the requested bytes.
    case range
    /// The end of a file by `-length`.
    case suffixRange = "suffix-range"
    /// A range past the end is answered with 416.
    case rangeBeyondEnd = "range-beyond-end"
    /// A range of a file that has changed is answered with the whole file.
    case ifRange = "if-range"
    /// A strong ETag that stays the same.
    case etag
    /// Files are sent unchanged.
    case compression
    /// How many redirects lead to a pack.
    case redirects
}
