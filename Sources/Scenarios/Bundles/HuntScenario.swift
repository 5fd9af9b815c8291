package import LinkModel
import Results
package import SystemPackage

/// A client of the user's that fetches one pack over an open link, as a scenario for `headwind hunt`.
package enum HuntScenario {
    /// A file beside the output, which no client may change.
    private static let kept = ConductRecord.Before.Kind.otherFile

    /// The text of the scenario of a program and its arguments, with placeholders.
    ///
    /// The program runs in `directory`, an absolute path. `packs` is the folder of the pack, as the scenario names it,
    /// and `pack` the pack's file name. The client may be idle for `patience`, and is stopped 10 s after that; it may
    /// run for `within` in total, and fetch `mostRedundant` bytes more than once.
    package static func text(
        of words: [String], in directory: FilePath, packs: String, pack: String, patience: Duration, within: Duration,
        mostRedundant: ByteCount
    ) -> String {
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
            ("expect", .made([("exit", .made("0")), ("keeps", .made(.list([.made(kept.rawValue)])))])),
            ("budgets", .made([("redundant_bytes", .made("max <= \(mostRedundant.bytes) B"))])),
        ]).text
    }
}
