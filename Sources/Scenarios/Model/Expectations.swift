package import Results

/// What must happen in an attempt.
package struct Expectations: Hashable, Sendable {
    /// What must happen to the requests; at least one.
    ///
    /// A command counts as one request: status 0 is `available`, and any other is an error of the domain `exit`.
    package var requests: [RequestExpectation]
    /// Files that a command must have written.
    package var files: [File]
    /// What must hold of the client's conduct; each word at most once.
    package var conduct: [ConductExpectation] = []

    /// A file below the command's working folder, and what must be in it.
    package struct File: Hashable, Sendable {
        package enum Content: Hashable, Sendable {
            /// The bytes of this pack as they are served: an identifier, a tag or a file name.
            case pack(String)
            /// Bytes with this SHA-256, 64 lowercase hex digits.
            case sha256(String)
        }

        /// The path below the command's working folder.
        package var name: String
        package var content: Content
    }
}

extension Expectations {
    /// Names of the packs that must be stored; empty if the scenario does not say.
    package var storedPacks: [String] {
        conduct.flatMap { if case .stored(let names) = $0 { names } else { [String]() } }
    }

    /// Names of the packs that must be purged, in their order; nil if the scenario does not say.
    package var purgedPacks: [String]? {
        conduct.lazy.compactMap { if case .purged(let names) = $0 { names } else { nil } }.first
    }

    /// Names of the packs that must be kept; nil if the scenario does not say.
    package var keptPacks: [String]? {
        conduct.lazy.compactMap { if case .kept(let names) = $0 { names } else { nil } }.first
    }

    /// The kinds of files that are put into the client's folders before it starts, and that it must keep.
    package var keptFiles: [ConductRecord.Before.Kind] {
        conduct.flatMap { if case .keeps(let kinds) = $0 { kinds } else { [ConductRecord.Before.Kind]() } }
    }

    /// Names of all packs with an expectation on their storage.
    package var namedPacks: [String] { storedPacks + (purgedPacks ?? []) + (keptPacks ?? []) }
}
