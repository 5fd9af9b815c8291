/// A problem of packs or of their app: an error, something that a store refuses, or that is not recommended.
package struct Advice: Hashable, Sendable, Codable {
    /// The subject of the advice.
    package enum Rule: String, Hashable, Sendable, Codable {
        case executable
        case fileType = "file-type"
        case limit
        case preservation
        case unrequestedTag = "unrequested-tag"
    }

    /// Whether a store refuses it.
    package var severity: LimitFinding.Severity
    /// The rule that it breaks; nil if it breaks none of them.
    package var rule: Rule?
    /// The pack's identifier; nil if it concerns no pack, or several.
    package var pack: String?
    /// A sentence without a full stop, which contains number and source.
    package var message: String
    /// The number that was counted, in bytes for sizes; nil if there is none.
    package var value: Int64?
    /// The limit for ``value``; nil if there is none.
    package var limit: Int64?
    /// The source of the rule; nil if it breaks none.
    package var source: String?

    package init(
        _ severity: LimitFinding.Severity, _ rule: Rule? = nil, pack: String? = nil, message: String,
        value: Int64? = nil, limit: Int64? = nil, source: String? = nil
    ) {
        (self.severity, self.rule, self.pack, self.message) = (severity, rule, pack, message)
        (self.value, self.limit, self.source) = (value, limit, source)
    }

    /// A finding about limits as advice.
    package init(_ finding: LimitFinding) {
        self.init(
            finding.severity, .limit, message: finding.description, value: finding.value, limit: finding.limit,
            source: finding.source)
    }
}
