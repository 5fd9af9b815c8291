/// What was at the other end of the link, if it was not Headwind's own host.
package enum FarSide: String, CaseIterable, Hashable, Sendable, Codable {
    /// The scenario's `host`.
    case host
    /// This machine's networks, as the scenario's `network` sets it.
    case networks

    /// The consequence for the results, as a sentence.
    package var sentence: String {
        let what =
            switch self {
            case .host: "the host is not Headwind's"
            case .networks: "the other end of the link is not Headwind's"
            }
        return "\(what): its log and its load are unknown, and only the link and the client show what it did"
    }
}
