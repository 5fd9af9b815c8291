/// A link that is up, by whichever backend.
///
/// It follows the profile that it came up with until it is told otherwise. Every change of what holds is one step, and has a
/// generation, which counts up from 0.
package protocol ConditionedLink: Sendable {
    /// What happens, in order, for one reader; ends when the link is taken down.
    var events: any AsyncSequence<LinkEvent, Never> & Sendable { get }

    /// What holds now.
    ///
    /// Throws where the link is down.
    var conditions: LinkConditions { get async throws }

    /// Changes some of what holds now, whatever the profile says, and returns the new generation.
    ///
    /// Throws where the link is down, or cannot be what it is asked to be.
    @discardableResult
    func update(_ change: @escaping @Sendable (inout LinkConditions) -> Void) async throws -> Int

    /// Follows `profile` from now on, as if the link had come up with it `age` ago, and returns the new generation.
    ///
    /// Throws as ``update(_:)`` does.
    @discardableResult
    func follow(_ profile: Profile, age: Duration) async throws -> Int

    /// Gives the link back to the profile that it came up with, which has gone on meanwhile; returns the new generation.
    ///
    /// Throws as ``update(_:)`` does.
    @discardableResult
    func release() async throws -> Int

    /// Resets every open connection at both ends; the link itself stays as it is.
    ///
    /// Throws where the link is down, or knows no connections.
    func cut() async throws

    /// Throws where the link has died, or is not what it was told to be.
    func verify() async throws

    /// What has crossed the link so far; still to be had when it has been taken down.
    func use() async throws -> LinkUse

    /// Takes the link down: what waits or travels is gone, and ``events`` ends.
    ///
    /// May be called again.
    func close() async throws
}

extension ConditionedLink {
    /// Lets `conditions` hold from now on, whatever the profile says, and returns the new generation.
    ///
    /// Throws as ``update(_:)`` does.
    @discardableResult
    package func set(_ conditions: LinkConditions) async throws -> Int { try await update { $0 = conditions } }

    /// Follows `profile` from its beginning, and returns the new generation.
    ///
    /// Throws as ``update(_:)`` does.
    @discardableResult
    package func follow(_ profile: Profile) async throws -> Int { try await follow(profile, age: .zero) }

    /// A link that answers what holds is up.
    package func verify() async throws { _ = try await conditions }
}

/// Why a link cannot come up, has died, or does not do what it is asked to: an error of its backend's own.
package protocol LinkError: Error, CustomStringConvertible {}
