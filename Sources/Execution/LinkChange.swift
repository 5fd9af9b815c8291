package import LinkModel
import Scenarios

/// A change of a link at a time after the program's start, as `--at` takes it: `10s:offline`, `15s:online`, `20s:lte`.
package struct LinkChange: Sendable {
    package let after: Duration
    /// What happens to the link; nil: it gets the state that the profile has at that time.
    let effect: LinkFault.Effect?
    /// The name of the effect in scenarios.
    let name: String

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
            (effect, name) = (nil, word)
        } else if word == "offline" || word.hasPrefix("offline=") {
            let kind = word == "offline" ? .silent : OfflineKind(rawValue: String(word.dropFirst("offline=".count)))
            guard let kind else {
                let kinds = OfflineKind.allCases.map(\.rawValue).joined(separator: ", ")
                throw Unreadable(description: "'\(text)' is not a kind of offline; the kinds are \(kinds).")
            }
            (effect, name) = (.offline(kind), kind.rawValue)
        } else {
            (effect, name) = (.profile(try profile(word)), word)
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
            guard next?.after != change.after, let effect = change.effect else { return nil }
            // Without an end, it would apply again when the fault that follows it ends.
            let duration = next.map { $0.after - change.after }
            return (LinkFault(trigger: .time(change.after), effect: effect, duration: duration), change.name)
        }
    }
}
