package import LinkModel
import Scenarios

/// A change of a link at a time after the program's start, as `--at` takes it: `10s:offline`, `15s:online`, `20s:lte`.
package struct LinkChange: Sendable {
    enum State: Sendable {
        case offline(OfflineKind)
        /// The state that the profile has at that time.
        case online
        /// A profile, from its beginning; `reference` is the name that selected it.
        case profile(Profile, reference: String)
    }

    package let after: Duration
    let state: State

    /// Reads a change; `profile` returns the profile for a name.
    ///
    /// `offline` takes a kind: `offline=refused`. Throws if the text is no change.
    package init(parsing text: String, profile: (String) throws -> Profile) throws {
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 2, !parts[1].isEmpty else {
            throw Unreadable(
                description:
                    "'\(text)' is not a change of the link. Write a time and a state: 10s:offline, 15s:online, or 20s:lte."
            )
        }
        do {
            after = try Duration(parsing: parts[0])
        } catch {
            throw Unreadable(description: "Could not read the time in '\(text)': \(error)")
        }
        let word = parts[1]
        if word == "online" {
            state = .online
        } else if word == "offline" {
            state = .offline(.silent)
        } else if word.hasPrefix("offline=") {
            guard let kind = OfflineKind(rawValue: String(word.dropFirst("offline=".count))) else {
                let kinds = OfflineKind.allCases.map(\.rawValue).joined(separator: ", ")
                throw Unreadable(description: "'\(text)' is not a kind of offline; the kinds are \(kinds).")
            }
            state = .offline(kind)
        } else {
            state = .profile(try profile(word), reference: word)
        }
    }

    struct Unreadable: Error, CustomStringConvertible {
        let description: String
    }
}

extension LinkChange {
    /// The changes as faults, each with the name of its effect in scenarios; changes without an effect are left out.
    ///
    /// `changes` must be in the order of their times. Of several at one time the last one counts.
    package static func faults(_ changes: [LinkChange]) -> [(fault: LinkFault, name: String)] {
        changes.indices.compactMap { index in
            let change = changes[index]
            let next = index + 1 < changes.count ? changes[index + 1] : nil
            guard next?.after != change.after else { return nil }
            // Without an end, it would apply again when the fault that follows it ends.
            let duration = next.map { $0.after - change.after }
            let effect: LinkFault.Effect
            let name: String
            switch change.state {
            case .online: return nil
            case .offline(let kind): (effect, name) = (.offline(kind), kind.rawValue)
            case .profile(let profile, let reference): (effect, name) = (.profile(profile), reference)
            }
            return (LinkFault(trigger: .time(change.after), effect: effect, duration: duration), name)
        }
    }
}
