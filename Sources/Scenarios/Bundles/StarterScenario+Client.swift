extension StarterScenario {
    /// A program of the user's that fetches a pack instead of the built-in client.
    package struct Client: Sendable {
        /// The program and its arguments, with placeholders.
        package var words: [String]
        /// The folder that it runs in, as the scenario names it.
        package var directory: String

        package init(words: [String], directory: String) {
            self.words = words
            self.directory = directory
        }
    }

    /// The pack that a client of the user's fetches; nil if none is known.
    private var pack: String? {
        switch source {
        case .example: "red+circle"
        case .catalog(_, _, let tag), .packs(_, let tag, _), .backgroundAssets(_, let tag): tag
        case .manifest, .file: nil
        }
    }

    /// The workload of a client of the user's; nil if there is none.
    var clientWorkload: String? {
        guard let client, let pack else { return nil }
        return """
            workload:
              # Your client, without a shell: {url} is the address of the pack, {output} the file to write.
              command: [\(client.words.map(Self.quoted).joined(separator: ", "))]
              # The pack, and the folder that the client runs in. In a folder of yours attempts run one at a time; write whole
              # paths and leave 'directory' out to run several at once.
              pack: \(Self.quoted(pack))
              directory: \(Self.quoted(client.directory))
            """
    }

    /// A fault of the host; without it, a client that ignores errors would pass.
    var faults: String {
        guard client != nil, let pack else { return "" }
        return """

            # What goes wrong: the host is busy at the first try. Remove this for an undisturbed download.
            faults:
              - {pack: \(Self.quoted(pack)), try: 1, status: 503}

            """
    }

    /// Limits for a client that tries again, which takes a second or two.
    static let clientBudgets = """
          # Nothing is fetched twice.
          redundant_bytes: max <= 0
          # At most 1.5 times as long as a perfect client, plus 5 s for the second try.
          time_to_available: median <= 1.5 x ideal + 5 s
        """
}
