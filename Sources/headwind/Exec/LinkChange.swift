import LinkModel

/// A change of a link at a time after the program's start, as `--at` says it: `10s:offline`, `15s:online`, `20s:lte`.
struct LinkChange: Sendable {
    enum State: Sendable {
        case offline(OfflineKind)
        /// What the profile has by then.
        case online
        /// A profile, from its beginning.
        case profile(Profile)
    }

    let after: Duration
    let state: State

    /// Reads one; `profile` answers what a profile's name stands for.
    ///
    /// `offline` takes a kind: `offline=refused`.
    init(parsing text: String, profile: (String) throws -> Profile) throws {
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 2, !parts[1].isEmpty else {
            throw Unreadable(
                description:
                    "'\(text)' is no change of the link. Write a time and what then holds: 10s:offline, 15s:online, "
                    + "or 20s:lte.")
        }
        do {
            after = try Duration(parsing: parts[0])
        } catch {
            throw Unreadable(description: "The time in '\(text)': \(error)")
        }
        let word = parts[1]
        if word == "online" {
            state = .online
        } else if word == "offline" {
            state = .offline(.silent)
        } else if word.hasPrefix("offline=") {
            guard let kind = OfflineKind(rawValue: String(word.dropFirst("offline=".count))) else {
                let kinds = OfflineKind.allCases.map(\.rawValue).joined(separator: ", ")
                throw Unreadable(description: "'\(text)' names no way of being offline; there are \(kinds).")
            }
            state = .offline(kind)
        } else {
            state = .profile(try profile(word))
        }
    }

    struct Unreadable: Error, CustomStringConvertible {
        let description: String
    }
}

/// What a link that is up can be told, whichever it is.
struct LiveLink: Sendable {
    let setOffline: @Sendable (OfflineKind) async throws -> Void
    let release: @Sendable () async throws -> Void
    let setProfile: @Sendable (Profile) async throws -> Void

    /// Makes the changes at their times, counted from now; ends with the last one, or when the task is cancelled.
    func follow(_ changes: [LinkChange]) async throws {
        let start = ContinuousClock.now
        for change in changes {
            try await Task.sleep(until: start + change.after)
            switch change.state {
            case .offline(let kind): try await setOffline(kind)
            case .online: try await release()
            case .profile(let profile): try await setProfile(profile)
            }
        }
    }
}
