/// A request to change a link that is up.
package enum LinkRequest: Hashable, Sendable {
    /// The version of requests, and of the answers to them.
    package static let version = 2

    /// Follow this profile from its start.
    case profile(Profile)
    /// Apply these conditions, overriding any profile.
    case conditions(LinkConditions)
    /// Go offline, or with nil online again; the time of the profile goes on meanwhile.
    case offline(OfflineKind?)
}
