/// What shaped the link of a cell.
package struct LinkFacts: Hashable, Sendable, Codable {
    /// The profile's name.
    package var profile: String
    /// `kernel`, `packet` or `proxy`.
    package var backend: String
    /// Why that backend was chosen, in a few words; nil if the scenario names it.
    package var reason: String?
    /// `packet`, or `modelled` if loss is imitated on a stream.
    package var fidelity: String
    /// The fidelity that the scenario names; nil for any.
    package var fidelityAsked: String?
    /// The congestion control of the host's connections; nil if it could not be read.
    package var congestionControl: String?
    /// Whether Headwind set that congestion control, rather than found it.
    package var isCongestionControlPinned = false

    private enum CodingKeys: String, SnakeCaseKey {
        case profile, backend, reason, fidelity, fidelityAsked, congestionControl, isCongestionControlPinned
    }
}

extension LinkFacts {
    /// A link of which nothing else is known.
    package init(profile: String, backend: String, fidelity: String) {
        self.init(profile: profile, backend: backend, reason: nil, fidelity: fidelity)
    }
}

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

/// What stood for the device's storage.
package struct StorageFacts: Hashable, Sendable, Codable {
    package enum Kind: String, CaseIterable, Hashable, Sendable, Codable {
        /// A separate file system in memory: what does not fit fails with the kernel's ENOSPC, for any program.
        case tmpfs
        /// The built-in client's own account of a folder: a quota that only the client itself enforces.
        case account
    }

    package var kind: Kind
    /// Its capacity.
    package var bytes: Int64

    package init(kind: Kind, bytes: Int64) {
        self.kind = kind
        self.bytes = bytes
    }
}

/// The baseline that a cell was compared with.
package struct BaselineFacts: Hashable, Sendable, Codable {
    package enum Kind: String, CaseIterable, Hashable, Sendable, Codable {
        /// Its attempts alternated with those of the tested side, in the same cell.
        case interleaved
        /// An earlier run measured it.
        case stored
    }

    package var kind: Kind
    /// The program, the command or the address of an interleaved baseline, or the file of a stored one.
    package var name: String
    /// When a stored baseline was measured, RFC 3339, in UTC; nil for an interleaved one.
    package var madeAt: String?
    /// The conditions in which a stored baseline was measured; nil for an interleaved one, or if it was not found.
    package var fingerprint: Fingerprint?
    /// How many of its attempts count.
    package var attempts: Int

    package init(
        kind: Kind, name: String, madeAt: String? = nil, fingerprint: Fingerprint? = nil, attempts: Int
    ) {
        self.kind = kind
        self.name = name
        self.madeAt = madeAt
        self.fingerprint = fingerprint
        self.attempts = attempts
    }

    private enum CodingKeys: String, SnakeCaseKey { case kind, name, fingerprint, attempts, madeAt }
}

/// The place of a cell's scenario, for readers that show results next to the files of a repository.
package struct SourcePlace: Hashable, Sendable, Codable {
    /// The file, as the user named it.
    package var file: String
    /// The line of the key `scenario`, from 1.
    package var line: Int

    package init(file: String, line: Int) {
        self.file = file
        self.line = line
    }
}
