package import LinkModel
import Results

/// A client of the user's that fetches one pack over an open link, as a scenario for `headwind hunt`.
package enum HuntScenario {
    /// A file beside the output, which no client may change.
    private static let kept = ConductRecord.Before.Kind.otherFile

    /// The text of the scenario of a command.
    ///
    /// `packs` is the folder of the pack, as the scenario names it, and `pack` the pack's file name. The client is
    /// stopped 10 s after its patience, and may fetch `mostRedundant` bytes more than once.
    package static func text(
        of command: CheckedCommand, packs: String, pack: String, mostRedundant: ByteCount
    ) -> String {
        let way = YAMLNode.made([("delay", .made("1 ms"))])
        let head: [(String, YAMLNode?)] = [
            ("scenario", .made("The client delivers the pack, or reports an error")), ("packs", .made(packs)),
            ("link", .made([("downlink", way), ("uplink", way)])),
        ]
        let rules: [(String, YAMLNode?)] = [
            ("expect", .made([("exit", .made("0")), ("keeps", .made(.list([.made(kept.rawValue)])))])),
            ("budgets", .made([("redundant_bytes", .made("max <= \(mostRedundant.bytes) B"))])),
        ]
        return YAMLNode.made(head + command.entries(pack: .made(pack)) + rules).text
    }
}
