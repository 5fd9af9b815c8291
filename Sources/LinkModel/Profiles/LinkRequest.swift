/// One change of what holds on a link that stands, as somebody asks for it.
package enum LinkRequest: Hashable, Sendable {
    /// The version of requests, and of the answers to them.
    package static let version = 2

    /// Follow this profile from its start.
    case profile(Profile)
    /// Let these hold, whatever a profile says.
    case conditions(LinkConditions)
    /// Nil goes online again, with everything else as it is.
    case offline(OfflineKind?)
}
