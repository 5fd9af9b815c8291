import ArgumentParser
import Glibc
import PackFormat
import ResourceLoading
import SystemPackage

/// The host, the device and the network between them, as command line options.
struct ClientOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The manifest's URL, or a file from the app's bundle.", valueName: "url or file"))
    var manifest: String

    @Option(help: ArgumentHelp("The tag table. (default: beside the manifest)", valueName: "url or file"))
    var tagTable: String?

    @Flag(help: "The manifest is a download manifest of Background Assets: tags are identifiers of packs.")
    var backgroundAssets = false

    @Option(help: ArgumentHelp("The folder of the device's storage.", valueName: "folder"))
    var store: String

    @Option(
        help: ArgumentHelp("The app's bundle identifier: several apps can then share the storage.", valueName: "id"))
    var bundle: String?

    @Option(help: ArgumentHelp("A proxy that carries everything in CONNECT tunnels.", valueName: "url"))
    var proxy: String?

    @Option(help: ArgumentHelp("Additional certificate authorities to trust, in PEM.", valueName: "file"))
    var ca: String?

    @Option(help: ArgumentHelp("A header field for the host; may be repeated.", valueName: "name: value"))
    var header: [String] = []

    @Option(help: ArgumentHelp("An environment variable that holds a header field.", valueName: "variable"))
    var headerEnv: [String] = []

    @Option(
        help: ArgumentHelp(
            "The system's limits. (default: \(Limits.standard(for: .onDemandResources).name), or "
                + "\(Limits.standard(for: .backgroundAssets).name) for Background Assets)", valueName: "name"))
    var limits: String?

    @Option(help: ArgumentHelp("Change or remove a limit; may be repeated.", valueName: "name=bytes"))
    var limit: [String] = []

    @Option(
        help: ArgumentHelp("The device's capacity in bytes. (default: that of the file system)", valueName: "bytes"))
    var capacity: Int64?

    @Option(
        help: ArgumentHelp(
            "The size of the app without its packs, in bytes. It counts towards an install over a cellular network.",
            valueName: "bytes"))
    var appSize: Int64 = 0

    @Option(
        help: "The device's network: \(LoaderConfiguration.Radio.allCases.map(\.rawValue).joined(separator: ", ")).")
    var radio = LoaderConfiguration.Radio.wifi.rawValue

    @Option(help: ArgumentHelp("Whether requests may use a cellular network.", valueName: "true or false"))
    var allowCellular = true

    @Option(help: ArgumentHelp("How long to wait for data, in seconds.", valueName: "seconds"))
    var patience = 60.0

    @Option(help: ArgumentHelp("The maximum number of packs fetched at once.", valueName: "count"))
    var parallel = 4

    func validate() throws { _ = try configuration() }

    /// The loader's configuration.
    ///
    /// Throws `ValidationError` for values that make no sense.
    func configuration() throws -> LoaderConfiguration {
        guard manifest.hasPrefix("http://") || manifest.hasPrefix("https://") || !manifest.contains("://") else {
            throw ValidationError("--manifest '\(manifest)' is not an http or https URL.")
        }
        var configuration = LoaderConfiguration(manifest: manifest, store: FilePath(store))
        configuration.tagTable = .init(tagTable)
        guard !backgroundAssets || tagTable == nil else {
            throw ValidationError("Background Assets have no tag table: leave --tag-table out.")
        }
        configuration.delivery = backgroundAssets ? .backgroundAssets : .onDemandResources
        guard bundle != "", bundle?.utf8.contains(0) != true else {
            throw ValidationError("--bundle is a bundle's identifier, such as com.example.game.")
        }
        configuration.bundle = bundle
        guard let radio = LoaderConfiguration.Radio(rawValue: radio) else {
            throw ValidationError("--radio '\(radio)' is not wifi, cellular or none.")
        }
        guard capacity ?? 0 >= 0 else { throw ValidationError("--capacity cannot be negative.") }
        guard appSize >= 0 else { throw ValidationError("--app-size cannot be negative.") }
        configuration.limits = try changedLimits(configuration.delivery)
        configuration.appSize = appSize
        configuration.radio = radio
        configuration.capacity = capacity
        configuration.allowsCellular = allowCellular
        configuration.transfers = try transfers()
        return configuration
    }

    private func changedLimits(_ delivery: Delivery) throws -> Limits {
        guard var changed = limits.map(Limits.named) ?? .standard(for: delivery) else {
            let names = Limits.all.map(\.name).joined(separator: ", ")
            throw ValidationError("--limits '\(limits ?? "")' is not known. Known: \(names).")
        }
        for text in limit {
            do { try changed.change(text) } catch { throw ValidationError("--limit \(error)") }
        }
        return changed
    }

    private func transfers() throws -> TransferConfiguration {
        guard patience > 0, patience <= 86_400 else {
            throw ValidationError("--patience is in seconds, over 0 and at most 86400.")
        }
        guard (1...64).contains(parallel) else { throw ValidationError("--parallel is between 1 and 64.") }
        var transfers = TransferConfiguration()
        if let proxy { transfers.proxy = .tunnel(proxy) }
        transfers.authorities = ca.map { FilePath($0) }
        transfers.headers = try header + headerEnv.map(Self.value(of:))
        for field in transfers.headers {
            guard field.contains(":"), field.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else {
                throw ValidationError("A header field is one line of the form 'Name: value'.")
            }
        }
        transfers.patience = .nanoseconds(Int64(patience * 1e9))
        transfers.parallel = parallel
        return transfers
    }

    private static func value(of variable: String) throws -> String {
        guard let value = unsafe getenv(variable) else {
            throw ValidationError("--header-env '\(variable)': no such environment variable is set.")
        }
        return unsafe String(cString: value)
    }
}
