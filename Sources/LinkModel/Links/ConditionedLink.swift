/// A link that is up, whatever its backend.
///
/// It follows the profile that it came up with until a call changes that. Every change of its conditions is one step,
/// and has a generation, which counts up from 0.
package protocol ConditionedLink: Sendable {
    /// The events of the link, in order, for one reader; the sequence ends when the link is taken down.
    var events: any AsyncSequence<LinkEvent, Never> & Sendable { get }

    /// The conditions that hold now.
    ///
    /// Throws if the link is down.
    var conditions: LinkConditions { get async throws }

    /// Changes the conditions that hold now, overriding the profile, and returns the new generation.
    ///
    /// Throws if the link is down, or cannot have the new conditions.
    @discardableResult
    func update(_ change: @escaping @Sendable (inout LinkConditions) -> Void) async throws -> Int

    /// Follows `profile` from now on, as if the link had come up with it `age` ago, and returns the new generation.
    ///
    /// Throws as ``update(_:)`` does.
    @discardableResult
    func follow(_ profile: Profile, age: Duration) async throws -> Int

    /// Follows the profile that the link came up with again, which has gone on meanwhile, and returns the new
    /// generation.
    ///
    /// Throws as ``update(_:)`` does.
    @discardableResult
    func release() async throws -> Int

    /// Resets every open connection at both ends; the link itself stays as it is.
    ///
    /// Throws if the link is down, or its backend does not know connections.
    func cut() async throws

    /// Throws if the link has died, or is not as it was set.
    func verify() async throws

    /// What has crossed the link so far; also available after the link was taken down.
    func use() async throws -> LinkUse

    /// Takes the link down: waiting and travelling packets are lost, and ``events`` ends.
    ///
    /// May be called more than once.
    func close() async throws
}

extension ConditionedLink {
    /// Applies `conditions` from now on, overriding the profile, and returns the new generation.
    ///
    /// Throws as ``update(_:)`` does.
    @discardableResult
    package func set(_ conditions: LinkConditions) async throws -> Int { try await update { $0 = conditions } }

    /// Follows `profile` from its beginning, and returns the new generation.
    ///
    /// Throws as ``update(_:)`` does.
    @discardableResult
    package func follow(_ profile: Profile) async throws -> Int { try await follow(profile, age: .zero) }

    /// Reads ``conditions``, which throws if the link is down.
    package func verify() async throws { _ = try await conditions }
}

/// An error of a backend: why a link cannot come up, has died, or does not do what was asked.
package protocol LinkError: Error, CustomStringConvertible {}
