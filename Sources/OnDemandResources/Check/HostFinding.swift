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
