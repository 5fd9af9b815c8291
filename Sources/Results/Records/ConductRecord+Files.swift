extension ConductRecord {
    /// A file that was put into the client's folders before it started, and what became of it.
    package struct Before: Hashable, Sendable, Codable {
        /// What the file is to the client; the raw value is its word in a scenario.
        package enum Kind: String, CaseIterable, Codable, Sendable {
            /// An unrelated file, next to what a command downloads, or next to the store of a client with requests.
            case otherFile = "other-file"
            /// An earlier edition of the pack, where a command should leave the pack.
            case oldEdition = "old-edition"
            /// The same, but only its owner may read and write it, to check who may write to the file that replaces it.
            case privateEdition = "private-edition"
            /// An unrelated file, to which a link leads from where a command should leave the pack.
            case linkedFile = "linked-file"

            /// The beginning of the pack, where a command should leave it; zeros that the host puts in front are a
            /// hole.
            case part

            /// Whether it is made of the pack, or as large as a part of it.
            package var isOfPack: Bool {
                switch self {
                case .oldEdition, .privateEdition, .part: true
                case .otherFile, .linkedFile: false
                }
            }

            /// Whether it, or the link to it, lies where a command should leave the pack.
            package var isAtOutput: Bool { self != .otherFile }
        }

        package var kind: Kind
        /// Its name, without its folder.
        package var name: String
        /// What became of it, as the end of a sentence.
        ///
        /// Nil if it is unchanged, if the whole new pack replaces an earlier edition, or if the pack was written
        /// through a link.
        package var problem: String?
        /// The number of the pack's bytes that it has, from the first one on; nil if it is no part of the pack.
        package var packBytes: Int64?

        package init(_ kind: Kind, name: String, problem: String? = nil, packBytes: Int64? = nil) {
            (self.kind, self.name, self.problem, self.packBytes) = (kind, name, problem, packBytes)
        }

        /// What became of it, for a sentence.
        var text: String { "the earlier file '\(name)' \(problem ?? "is unchanged")" }
    }

    /// What a scenario looks for in a command's output.
    package struct Output: Hashable, Sendable, Codable {
        package var pattern: String
        /// Whether a line matches; nil if not all lines could be searched and none of the others matches.
        package var isFound: Bool?
        /// Why not all lines could be searched; nil if all were.
        package var trouble: String?

        package init(pattern: String, isFound: Bool?, trouble: String? = nil) {
            self.pattern = pattern
            self.isFound = isFound
            self.trouble = trouble
        }

        private enum CodingKeys: String, SnakeCaseKey { case pattern, trouble, isFound }
    }

    /// The judgement of the command that checks what a client has left.
    package struct Oracle: Hashable, Sendable, Codable {
        /// Its exit status, 0 if it accepts; nil if it did not end by itself.
        package var status: Int?
        /// The last line that it wrote; nil if it wrote none.
        package var says: String?
        /// Why it could not judge; nil if it did.
        package var trouble: String?

        package init(status: Int? = nil, says: String? = nil, trouble: String? = nil) {
            (self.status, self.says, self.trouble) = (status, says, trouble)
        }
    }

    /// The most files that may begin like the pack: the pack itself, and one that a download resumes.
    static let mostCopies = 2

    /// Whether the client accepted an existing earlier edition as the pack, and never tried to fetch one.
    var tookOldEdition: Bool {
        firstConnectionSeconds == nil && fetches?.isEmpty == true && hasOldEdition
    }

    /// Whether an existing file at the output is unchanged, and the host said that it is still good.
    var keptOldEdition: Bool { hasOldEdition && fetches?.contains { $0.status == 304 } == true }

    private var hasOldEdition: Bool { (before ?? []).contains { $0.kind.isAtOutput && $0.problem == nil } }

    /// The number of the pack's bytes that existed before; nil if none did.
    var partBefore: Int64? { before?.lazy.compactMap(\.packBytes).first }

    /// Whether the client resumed an existing file as a part of the pack, because its user said so (`wget -c`).
    var wentOnWithBefore: Bool {
        guard let fetches, !fetches.isEmpty, fetches.allSatisfy({ ($0.askedFrom ?? 0) > 0 }) else { return false }
        return (before ?? []).contains(where: \.kind.isAtOutput)
    }
}
