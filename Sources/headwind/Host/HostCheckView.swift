import ResourceLoading
import Wording

/// The output of a check of a server: without secrets, even if the server repeats them.
struct HostCheckView: Encodable {
    /// The most failing packs in the text output.
    private static let most = 20

    private let report: HostReport

    init(_ report: HostReport) {
        var report = report
        report.url = OptionSecrets.redacted(report.url)
        report.findings = report.findings.map(Self.redacted)
        for index in report.packs.indices {
            let pack = report.packs[index]
            report.packs[index].pack = OptionSecrets.redacted(pack.pack)
            report.packs[index].url = OptionSecrets.redacted(pack.url)
            report.packs[index].findings = pack.findings.map(Self.redacted)
        }
        self.report = report
    }

    private static func redacted(_ finding: HostFinding) -> HostFinding {
        HostFinding(finding.property, finding.verdict, OptionSecrets.redacted(finding.detail))
    }

    private enum CodingKeys: String, CodingKey { case version, url, holds, isReachable, checks, packs }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(report.version, forKey: .version)
        try container.encode(report.url, forKey: .url)
        try container.encode(report.holds, forKey: .holds)
        try container.encode(report.isReachable, forKey: .isReachable)
        try container.encode(report.rows, forKey: .checks)
        try container.encode(report.packs, forKey: .packs)
    }

    /// A line for each property, and one for each failing pack.
    var lines: [String] {
        let width = report.rows.map(\.property.rawValue.count).max() ?? 0
        var lines = report.rows.map { row in
            "\(row.property.rawValue.padded(to: width))  \(row.verdict.rawValue.padded(to: 9))  \(row.detail)"
        }
        let bad = report.packs.filter { $0.verdict == .fails || $0.verdict == .unchecked }
        for pack in bad.prefix(Self.most) {
            for finding in pack.findings where finding.verdict == .fails || finding.verdict == .unchecked {
                lines.append("\(pack.pack): \(finding.property.rawValue): \(finding.detail)")
            }
        }
        if bad.count > Self.most { lines.append("and \(bad.count - Self.most) more packs; --format json lists all") }
        return lines.map { TerminalLine.cut($0, columns: 400) }
    }
}
