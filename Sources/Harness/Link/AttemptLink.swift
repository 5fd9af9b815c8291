import LinkModel

/// A link while an attempt uses it, whatever backend carries it.
struct AttemptLink: Sendable {
    /// What happens, in order, for one reader; ends when the link is taken down.
    var events: any AsyncSequence<LinkEvent, Never> & Sendable
    /// Changes some of what holds now, in one step.
    var update: @Sendable (@escaping @Sendable (inout LinkConditions) -> Void) async throws -> Void
    /// Follows a profile from now on, as if the link had come up with it so long ago.
    var follow: @Sendable (Profile, _ age: Duration) async throws -> Void
    /// Gives the link back to the profile that it came up with.
    var release: @Sendable () async throws -> Void
    /// Resets every open connection; the link itself stays as it is.
    var cut: @Sendable () async throws -> Void
    /// Throws where the link has died.
    var check: @Sendable () async throws -> Void
    /// Takes the link down, and answers what has crossed it.
    var close: @Sendable () async throws -> LinkUse
}
