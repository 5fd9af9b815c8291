/// Something of packs, or of the app that they are for, that is refused or advised against.
package struct Advice: Hashable, Sendable, Codable {
    /// What it is about.
    package enum Rule: String, Hashable, Sendable, Codable {
        case executable
        case fileType = "file-type"
        case limit
        case preservation
        case unrequestedTag = "unrequested-tag"
    }

    /// Whether a store refuses it.
    package var severity: LimitFinding.Severity
    package var rule: Rule
    /// The pack's identifier; nil for what is about none, or about several.
    package var pack: String?
    /// A sentence without a full stop, number and source in it.
    package var message: String
    /// What was counted.
    package var value: Int64?
    /// How much there may be, where there is such a number.
    package var limit: Int64?
    /// Where the rule is from.
    package var source: String

    package init(
        _ severity: LimitFinding.Severity, _ rule: Rule, pack: String? = nil, message: String, value: Int64? = nil,
        limit: Int64? = nil, source: String
    ) {
        (self.severity, self.rule, self.pack, self.message) = (severity, rule, pack, message)
        (self.value, self.limit, self.source) = (value, limit, source)
    }

    /// The advice that a finding about limits is.
    package init(_ finding: LimitFinding) {
        self.init(
            finding.severity, .limit, message: finding.description, value: finding.value, limit: finding.limit,
            source: finding.source)
    }
}
