import ArgumentParser
import LinkModel
import Links
import LinuxSupport
import PackFormat
import ResourceLoading
import SystemPackage

/// `headwind request`: runs one request of the built-in client.
struct RequestCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "request",
        abstract: "Request the packs of some tags, as an app does.",
        discussion: """
            Downloads the packs that the device's store lacks, resumes interrupted downloads, and keeps the packs \
            there.

              headwind request level-2 --packs-url http://127.0.0.1:8080/
              headwind request level-1 level-2 --ca ca.pem \\
                --manifest https://packs.example.com/AssetPackManifest.plist
              headwind request level-2 --packs-url http://127.0.0.1:8080/ \\
                --store ./device --format json

            Exit status: 0 when everything is available, 1 when the request ended in an error.
            """
    )

    @Argument(help: "The tags to request together.")
    var tags: [String]

    @Option(help: ArgumentHelp("The URL of the manifest.", valueName: "url"))
    var manifest: String?

    @Option(help: ArgumentHelp("The URL of a folder of packs with a manifest.", valueName: "url"))
    var packsUrl: String?

    @Option(help: ArgumentHelp("The tag table. (default: beside the manifest)", valueName: "url or file"))
    var tagTable: String?

    @Flag(help: "The manifest is a download manifest of Background Assets: tags are identifiers of packs.")
    var backgroundAssets = false

    @OptionGroup var device: DeviceOptions

    @Option(help: ArgumentHelp("A proxy that carries everything in CONNECT tunnels.", valueName: "url"))
    var proxy: String?

    @OptionGroup var transfers: TransferOptions

    @Option(
        help: """
            The system's limits: \(Limits.all.map(\.name).joined(separator: ", ")). (default: \
            \(Limits.standard(for: .onDemandResources).name), or \(Limits.standard(for: .backgroundAssets).name) for \
            Background Assets)
            """)
    var limits: String?

    @Option(
        help: ArgumentHelp(
            "The device's capacity, such as 100MB. (default: that of the file system)", valueName: "size"),
        transform: { try ByteCount(parsing: $0).bytes })
    var capacity: Int64?

    @Option(
        help: ArgumentHelp("How long to wait for data, such as 60s.", valueName: "time"),
        transform: { try Duration(parsing: $0) })
    var patience = Duration.seconds(60)

    @OptionGroup var output: OutputOptions

    func validate() throws {
        guard (manifest == nil) != (packsUrl == nil) else {
            throw ValidationError("Give either --manifest or --packs-url.")
        }
        guard !tags.isEmpty else { throw ValidationError("Give at least one tag.") }
        guard manifestURL.hasPrefix("http://") || manifestURL.hasPrefix("https://") else {
            throw ValidationError("'\(OptionSecrets.redacted(address: manifestURL))' is not an http or https URL.")
        }
        guard patience > .zero, patience <= .seconds(86_400) else {
            throw ValidationError("--patience is over 0 and at most 24h.")
        }
        guard !backgroundAssets || tagTable == nil else {
            throw ValidationError("Background Assets have no tag table: leave --tag-table out.")
        }
        if let limits, Limits.named(limits) == nil { throw ValidationError("--limits '\(limits)' is not known.") }
        try transfers.check()
    }

    private var manifestURL: String {
        if let manifest { return manifest }
        let folder = packsUrl ?? ""
        let name = backgroundAssets ? String(Site.downloadManifestPath.dropFirst()) : Site.manifestName
        return folder + (folder.hasSuffix("/") ? "" : "/") + name
    }

    private var loaderConfiguration: LoaderConfiguration {
        var configuration = LoaderConfiguration(manifest: manifestURL, store: device.root)
        if let tagTable {
            configuration.tagTable = tagTable.contains("://") ? .url(tagTable) : .file(FilePath(tagTable))
        }
        configuration.delivery = backgroundAssets ? .backgroundAssets : .onDemandResources
        configuration.capacity = capacity
        configuration.limits = limits.flatMap(Limits.named) ?? .standard(for: configuration.delivery)
        if let proxy { configuration.transfers.proxy = .tunnel(proxy) }
        transfers.apply(to: &configuration.transfers)
        configuration.transfers.patience = patience
        return configuration
    }

    func run() async throws {
        try ResourceNeeds.client.check(for: "A request")
        OptionSecrets.hold(headers: transfers.header, addresses: [manifestURL, tagTable, proxy])
        // A signal cancels the request; the bytes that have arrived are kept.
        try await Interruption.endsWell { try await request() }
    }

    private func request() async throws {
        let view = RequestView()
        let loader: ResourceLoader
        do { loader = try ResourceLoader(loaderConfiguration) { view.show($0) } } catch {
            throw CommandFailure(.failed, OptionSecrets.redacted("\(error)"))
        }
        let (key, error) = await loader.request(id: "request", tags: Set(tags))
        loader.end(key)
        let advice = loader.advice(on: Set(tags))
        await loader.close()
        for line in advice { Console.note("warning: \(OptionSecrets.redacted(line))") }
        let result = view.result(tags: tags, error: error)
        try output.print(result.json, lines: result.lines)
        if let error { throw CommandFailure(.failed, OptionSecrets.redacted(error.description)) }
    }
}
