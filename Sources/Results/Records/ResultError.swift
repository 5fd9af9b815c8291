/// Why a text is not a result.
package enum ResultError: Error, Hashable, Sendable, CustomStringConvertible {
    /// It is not JSON, or a key is missing or has the wrong type.
    case unreadable(String)
    /// Its verdict contradicts its own content.
    case contradictory(String)
    /// Another, probably newer, Headwind wrote it.
    case unknownSchema(Int)
    /// It is no baseline, for this reason.
    case noBaseline(String)
    /// Another, probably newer, Headwind wrote the baseline.
    case unknownBaseline(Int)

    package var description: String {
        switch self {
        case .unreadable(let reason):
            "Could not read the result: \(reason). It may have been cut short; run again, or give another result.json."
        case .contradictory(let reason):
            "Could not use the result: \(reason). It was changed after it was written; run again, or give "
                + "another result.json."
        case .unknownSchema(let version):
            "Could not read the result: \(Self.origin(of: version, for: RunResult.currentSchema)). "
                + "Use the version of Headwind that wrote it, which is in 'tool_version'."
        case .noBaseline(let reason):
            "Could not read the baseline: \(reason). Make it again with 'headwind run --save-baseline'."
        case .unknownBaseline(let version):
            "Could not read the baseline: \(Self.origin(of: version, for: StoredBaseline.currentSchema)). "
                + "Use the version of Headwind that wrote it, or make it again."
        }
    }

    /// Which Headwind wrote a file whose schema is not the `current` one.
    private static func origin(of schema: Int, for current: Int) -> String {
        (schema > current ? "a later Headwind wrote it; " : "")
            + "its schema version is \(schema), and this Headwind reads version \(current)"
    }
}
