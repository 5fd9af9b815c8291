extension ConductRecord {
    /// What was put into the client's folders before it started, and what became of it.
    package struct Before: Hashable, Sendable, Codable {
        /// What it is to the client; the raw value is the word of a scenario.
        package enum Kind: String, CaseIterable, Codable, Sendable {
            /// A file of somebody else: beside what a command downloads, or beside the store of a client with requests.
            case otherFile = "other-file"
            /// An earlier edition of the pack, where a command is to leave it.
            case oldEdition = "old-edition"
            /// The same, which its owner alone may read and write: who may write to what takes its place.
            case privateEdition = "private-edition"
            /// A file of somebody else, to which a link leads from where a command is to leave the pack.
            case linkedFile = "linked-file"

            /// The beginning of the pack, where a command is to leave it; zeros that the host puts in front are a hole.
            case part

            /// Whether it is made of the pack, or as large as a part of it.
            package var isOfPack: Bool {
                switch self {
                case .oldEdition, .privateEdition, .part: true
                case .otherFile, .linkedFile: false
                }
            }

            /// Whether it, or the link to it, lies where a command is to leave the pack.
            package var isAtOutput: Bool { self != .otherFile }
        }

        package var kind: Kind
        /// Its name, without its folder.
        package var name: String
        /// What became of it, as the end of a sentence; nil where it is as it was, or the whole new pack is in the place of
        /// an earlier edition, or was written through a link.
        package var problem: String?
        /// Bytes of the pack that it has, from the first one on; nil where it is no part of it.
        package var packBytes: Int64?

        package init(_ kind: Kind, name: String, problem: String? = nil, packBytes: Int64? = nil) {
            (self.kind, self.name, self.problem, self.packBytes) = (kind, name, problem, packBytes)
        }

        /// What became of it, for a sentence.
        var text: String { "the earlier file '\(name)' \(problem ?? "is unchanged")" }
    }

    /// Files that begin as the pack does, of which nothing more is said: the pack and what a download goes on with.
    static let mostCopies = 2

    /// Whether the client took an earlier edition of the pack that was there for the pack, and never tried to fetch one.
    var tookOldEdition: Bool {
        firstConnectionSeconds == nil && fetches?.isEmpty == true
            && (before ?? []).contains { $0.kind.isAtOutput && $0.problem == nil }
    }

    /// Bytes of the pack that were there before; nil where none were.
    var partBefore: Int64? { before?.lazy.compactMap(\.packBytes).first }

    /// Whether the client went on with what was there, as with a part of the pack: its user told it to (`wget -c`).
    var wentOnWithBefore: Bool {
        guard let fetches, !fetches.isEmpty, fetches.allSatisfy({ ($0.askedFrom ?? 0) > 0 }) else { return false }
        return (before ?? []).contains(where: \.kind.isAtOutput)
    }
}

extension AttemptRecord {
    /// Whether it ended well with the file that was there, and tried to fetch nothing.
    var tookOldEdition: Bool {
        conduct?.tookOldEdition == true && clientEnd?.wasStopped != true && clientEnd?.exitStatus == 0
    }

    /// Whether there was a part of the pack, and it did not go on with it.
    var leftPartAlone: Bool { conduct.map { $0.partBefore != nil && !$0.wentOnWithBefore } ?? false }

    /// Whether it took what was there for a part of the pack, where that is neither a part nor an edition whose loss counts.
    var wentOnWithOther: Bool {
        conduct?.wentOnWithBefore == true
            && conduct?.before?.contains { $0.kind == .privateEdition || $0.kind == .linkedFile } == true
    }
}
