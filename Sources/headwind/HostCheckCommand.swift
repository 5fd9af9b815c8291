import ArgumentParser
import Documents
import LinkModel
import ResourceLoading
import Wording

/// `headwind host check`: whether a server can host packs.
struct HostCheckCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Check whether a server can host packs: TLS, sizes, ranges, ETags, and every pack of its manifest.",
        discussion: """
            Fetches the manifest and the tag table. For each pack it sends a HEAD request and fetches the last byte; \
            for the largest packs it also fetches other ranges. It downloads no complete pack.

              headwind host check https://packs.example.com/
              headwind host check https://packs.example.com/AssetPackManifest.plist \\
                --ca ca.pem --header 'Authorization: Bearer …' --format json

            Exit status: 0 the server can host packs, 1 a check fails or could not run, 65 the URL is invalid, 69 the \
            server cannot be reached.
            """
    )

    @Argument(help: ArgumentHelp("The URL of the manifest, or of its folder.", valueName: "url"))
    var url: String

    @OptionGroup var transfers: TransferOptions

    @Option(help: ArgumentHelp("A proxy that carries everything in CONNECT tunnels.", valueName: "url"))
    var proxy: String?

    @Option(time: "How long a request may take, such as 10s.")
    var patience = Duration.seconds(10)

    @Option(time: "The time limit of the whole check, such as 5min.")
    var limit = Duration.seconds(300)

    @Option(help: "Concurrent requests for packs, 1 to 64.")
    var parallel = 8

    @OptionGroup var output: OutputOptions

    func validate() throws {
        for (name, time) in [("patience", patience), ("limit", limit)] {
            try ValidationError.check(
                time, in: .nanoseconds(1) ... .seconds(86_400), "--\(name) is over 0 and at most 24h.")
        }
        try ValidationError.check(parallel, in: 1...64, "--parallel is a number from 1 to 64.")
        try transfers.check()
    }

    func run() async throws {
        guard let manifest = HostCheck.manifestURL(url) else {
            throw CommandFailure.invalidInput(
                "'\(Redaction.url(url))' is not an http or https URL. Write one such as https://packs.example.com/.")
        }
        var check = HostCheck(manifest: manifest)
        transfers.apply(to: &check.transfers)
        if let proxy { check.transfers.proxy = .tunnel(proxy) }
        check.transfers.patience = patience
        check.limit = limit
        check.parallel = parallel
        OptionSecrets.hold(headers: transfers.header, addresses: [url, proxy])
        try await Interruption.endsWell { [check] in try await report(check) }
    }

    private func report(_ check: HostCheck) async throws {
        let report = try await check.run { done, count in Console.progress("\(done) of \(count) packs") }.redacted
        Console.progress("")
        try output.print(report.json, lines: report.lines)
        guard report.isReachable else { throw CommandFailure(.unavailable, "the server cannot be reached") }
        guard report.holds else {
            let names = report.rows.filter { $0.verdict == .fails || $0.verdict == .unchecked }.map(\.property.rawValue)
            throw CommandFailure(.failed, "the server cannot host packs as it is: \(names.joined(separator: ", "))")
        }
    }
}

extension HostReport {
    /// The most failing packs in the text output.
    private static let most = 20

    /// The report without secrets, even if the server repeats them.
    fileprivate var redacted: HostReport {
        var report = self
        report.url = OptionSecrets.redacted(url)
        report.findings = findings.map(Self.redacted)
        report.packs = packs.map { pack in
            var pack = pack
            (pack.pack, pack.url) = (OptionSecrets.redacted(pack.pack), OptionSecrets.redacted(pack.url))
            pack.findings = pack.findings.map(Self.redacted)
            return pack
        }
        return report
    }

    private static func redacted(_ finding: HostFinding) -> HostFinding {
        HostFinding(finding.property, finding.verdict, OptionSecrets.redacted(finding.detail))
    }

    /// The report as `--format json` prints it.
    fileprivate var json: JSONTree {
        .object([
            "version": .whole(version), "url": .text(url), "holds": .flag(holds), "isReachable": .flag(isReachable),
            "checks": JSONTree(encoding: rows), "packs": JSONTree(encoding: packs),
        ])
    }

    /// A line for each property, and one for each failing pack.
    fileprivate var lines: [String] {
        let width = rows.map(\.property.rawValue.count).max() ?? 0
        var lines = rows.map { row in
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
