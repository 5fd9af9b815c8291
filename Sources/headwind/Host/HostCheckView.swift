import ResourceLoading
import Wording

/// The output of a check of a server: without secrets, even if the server repeats them.
struct HostCheckView: Encodable {
    /// The most failing packs in the text output.
    private static let most = 20

    private let version: Int
    private let url: String
    private let holds: Bool
    private let isReachable: Bool
    private let checks: [HostFinding]
    private let packs: [HostReport.Pack]

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
        (version, url, holds, isReachable) = (report.version, report.url, report.holds, report.isReachable)
        (checks, packs) = (report.rows, report.packs)
    }

    private static func redacted(_ finding: HostFinding) -> HostFinding {
        HostFinding(finding.property, finding.verdict, OptionSecrets.redacted(finding.detail))
    }

    /// A line for each property, and one for each failing pack.
    var lines: [String] {
        let width = checks.map(\.property.rawValue.count).max() ?? 0
        var lines = checks.map { row in
            "\(row.property.rawValue.padded(to: width))  \(row.verdict.rawValue.padded(to: 9))  \(row.detail)"
        }
        let bad = packs.filter { $0.verdict == .fails || $0.verdict == .unchecked }
        for pack in bad.prefix(Self.most) {
            for finding in pack.findings where finding.verdict == .fails || finding.verdict == .unchecked {
                lines.append("\(pack.pack): \(finding.property.rawValue): \(finding.detail)")
            }
        }
        if bad.count > Self.most { lines.append("and \(bad.count - Self.most) more packs; --format json lists all") }
        return lines.map { TerminalLine.cut($0, columns: 400) }
    }
}
