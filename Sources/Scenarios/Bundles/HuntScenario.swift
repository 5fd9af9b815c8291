package import LinkModel
import Results
package import SystemPackage

/// A client of the user's that fetches one pack over an open link, as the text of a scenario for `headwind hunt`.
package struct HuntScenario: Sendable {
    /// The program and its arguments, with placeholders.
    package var words: [String]
    /// The absolute path of the folder that it runs in.
    package var directory: FilePath
    /// The folder of the pack, as the scenario names it.
    package var packs: String
    /// The pack's file name.
    package var pack: String
    /// How long the client may be idle; it is stopped 10 s after that.
    package var patience: Duration
    /// How long it may run in total.
    package var within: Duration
    /// How many bytes may be fetched more than once.
    package var mostRedundant: ByteCount

    package init(
        words: [String], directory: FilePath, packs: String, pack: String, patience: Duration, within: Duration,
        mostRedundant: ByteCount
    ) {
        (self.words, self.directory, self.packs, self.pack) = (words, directory, packs, pack)
        (self.patience, self.within, self.mostRedundant) = (patience, within, mostRedundant)
    }

    /// A file beside the output, which no client may change.
    private static let kept = ConductRecord.Before.Kind.otherFile

    /// The text of the scenario that reads back as this.
    package var text: String {
        let way = YAMLNode.made([("delay", .made("1 ms"))])
        return YAMLNode.made([
            ("scenario", .made("The client delivers the pack, or reports an error")), ("packs", .made(packs)),
            ("link", .made([("downlink", way), ("uplink", way)])),
            (
                "workload",
                .made([
                    ("command", .made(.list(words.map { .made($0) }))), ("pack", .made(pack)),
                    ("directory", .made(directory.string)), ("leaves-output", .made("true")),
                ])
            ),
            ("patience", .made(patience.text)),
            ("idle-timeout", .made(min(patience + .seconds(10), .seconds(86_400)).text)),
            ("deadline", .made(within.text)),
            ("expect", .made([("exit", .made("0")), ("keeps", .made(.list([.made(Self.kept.rawValue)])))])),
            ("budgets", .made([("redundant_bytes", .made("max <= \(mostRedundant.bytes) B"))])),
        ]).text
    }
}
