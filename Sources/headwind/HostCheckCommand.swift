import ArgumentParser
import LinkModel
import ResourceLoading
import SystemPackage

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

    @Option(
        help: ArgumentHelp("How long a request may take, such as 10s.", valueName: "time"),
        transform: { try Duration(parsing: $0) })
    var patience = Duration.seconds(10)

    @Option(
        help: ArgumentHelp("The time limit of the whole check, such as 5min.", valueName: "time"),
        transform: { try Duration(parsing: $0) })
    var limit = Duration.seconds(300)

    @Option(help: "Concurrent requests for packs, 1 to 64.")
    var parallel = 8

    @OptionGroup var output: OutputOptions

    func validate() throws {
        for (name, time) in [("patience", patience), ("limit", limit)] {
            guard time > .zero, time <= .seconds(86_400) else {
                throw ValidationError("--\(name) is over 0 and at most 24h.")
            }
        }
        guard (1...64).contains(parallel) else { throw ValidationError("--parallel is a number from 1 to 64.") }
        try transfers.check()
    }

    func run() async throws {
        guard let manifest = HostCheck.manifestURL(url) else {
            throw CommandFailure(
                .invalidInput,
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
        let report = try await check.run { done, count in Console.progress("\(done) of \(count) packs") }
        Console.progress("")
        try output.print(HostCheckView(report), lines: HostCheckView(report).lines)
        guard report.isReachable else { throw CommandFailure(.unavailable, "the server cannot be reached") }
        guard report.holds else {
            let names = report.rows.filter { $0.verdict == .fails || $0.verdict == .unchecked }.map(\.property.rawValue)
            throw CommandFailure(.failed, "the server cannot host packs as it is: \(names.joined(separator: ", "))")
        }
    }
}
