import ArgumentParser
import AssetPacks
import FoundationEssentials
import PackFormat
import SystemPackage

/// Options for how the files of a folder get their tags.
struct CatalogOptions: ParsableArguments {
    @Option(
        help: "The tag file. Its patterns are relative to the catalog's folder. (default: tags.json in that folder)",
        completion: .file())
    var tags: String?

    @Flag(help: "Use the name of a file's top folder as its tag.")
    var byFolder = false

    @Option(help: "The app's bundle identifier. (default: that of the tag file, or com.example.app)")
    var bundleID: String?

    @Option(help: ArgumentHelp("Slice asset catalogs for this device model, such as iPhone10,3.", valueName: "model"))
    var device: String?

    @Option(help: "Slice asset catalogs for this idiom: its files and universal ones.")
    var idiom: Slice.Idiom?

    @Option(help: "Slice asset catalogs for this scale, or the nearest: 1x, 2x or 3x. (default for a TV: 1x)")
    var scale: ContentScale?

    @Flag(help: "Build every variant of the app: each idiom at each scale. Variants with equal files share a folder.")
    var allSlices = false

    @Option(folder: "The base folder of file selectors of Background Assets. (default: the folder of each manifest)")
    var selectorsFrom: String?

    @Option(help: "Only packs of Background Assets for this platform, or for all.")
    var platform: BackgroundPack.Platform?

    func validate() throws {
        guard !allSlices || (device == nil && idiom == nil && scale == nil) else {
            throw ValidationError("--all-slices takes every idiom and scale; leave --device, --idiom and --scale out.")
        }
        guard device == nil || (idiom == nil && scale == nil) else {
            throw ValidationError("--device implies idiom and scale; leave --idiom and --scale out.")
        }
        if let device, Slice(model: device) == nil {
            throw ValidationError(
                "--device '\(device)' is not a known model; give --idiom and --scale, such as iphone and 3x.")
        }
        guard !byFolder || tags == nil else {
            throw ValidationError("--by-folder and --tags both assign tags to files; give only one.")
        }
    }

    /// Whether an option says that the folder is a catalog, and no folder of packs.
    var isChosen: Bool { byFolder || tags != nil }

    /// The device to select files for; nil selects all.
    ///
    /// Throws ``CommandFailure`` for a scale that the limits' system does not support.
    private func slice(_ limits: Limits) throws -> Slice? {
        var slice = device.flatMap { Slice(model: $0) }
        if idiom != nil || scale != nil { slice = Slice(idiom: idiom, scale: scale?.number) }
        guard let only = limits.onlySlice else { return slice }
        guard slice == nil || slice == only || slice == Slice(idiom: nil, scale: only.scale) else {
            throw CommandFailure.usage(
                "--limits \(limits.name) is for a TV with 1x content only; leave other idioms and scales out")
        }
        return only
    }

    /// The catalog of a folder; from asset catalogs it takes the variants for the chosen device.
    ///
    /// `chosen` replaces the device of the options (default: nil). Throws ``CommandFailure`` if there is no tag file,
    /// and `CatalogError` if the folder cannot be a catalog.
    func source(_ folder: String, limits: Limits, for chosen: Slice? = nil) throws -> AssetPacks.Catalog {
        let (root, slice) = (FilePath(folder), try chosen ?? slice(limits))
        guard !byFolder else {
            return try AssetPacks.Catalog(byFolder: root, bundleID: bundleID ?? "com.example.app", slice: slice)
        }
        let file = tags.map { FilePath($0) } ?? root.appending(AssetPacks.Catalog.tagFileName)
        guard FileManager.default.fileExists(atPath: file.string) else {
            throw CommandFailure.invalidInput(
                "there is no tag file '\(file)'; write one, or tag files by folder with --by-folder")
        }
        var source = try AssetPacks.Catalog(tagFile: file, root: root, slice: slice)
        if let bundleID { source.bundleID = bundleID }
        return source
    }
}

extension Slice.Idiom: ExpressibleByArgument {}
extension BackgroundPack.Platform: ExpressibleByArgument {}

/// A scale on the command line.
enum ContentScale: String, CaseIterable, ExpressibleByArgument {
    case one = "1x"
    case two = "2x"
    case three = "3x"

    var number: Int? { Int(rawValue.dropLast()) }
}

/// The limits for packs, and how severe it is to exceed one.
struct LimitOptions: ParsableArguments {
    /// The system that judges the packs.
    enum Judge: String, ExpressibleByArgument, CaseIterable {
        /// A store refuses packs over a limit.
        case store
        /// Xcode warns about packs over a limit, and still lets you test them.
        case xcode

        /// The severity of a finding about a limit.
        func severity(_ severity: LimitFinding.Severity) -> LimitFinding.Severity {
            self == .xcode ? .warning : severity
        }

        /// The advice on a limit with the severity that it has for this system.
        func judged(_ advice: Advice) -> Advice {
            var advice = advice
            advice.severity = severity(advice.severity)
            return advice
        }
    }

    @Option(
        help: """
            The system whose limits apply to the packs. (default: \(Limits.standard(for: .onDemandResources).name), or \
            \(Limits.standard(for: .backgroundAssets).name) for Background Assets)
            """)
    var limits: Limits?

    @Option(help: ArgumentHelp("Change or remove a limit. May be repeated.", valueName: "name=bytes"))
    var limit: [String] = []

    @Option(name: .customLong("as"), help: "Report a pack beyond a limit as an error (store) or a warning (xcode).")
    var judge = Judge.store

    func validate() throws { _ = try chosen() }

    /// The limits that the options select for packs of this system (default: On-Demand Resources).
    ///
    /// Throws `ValidationError` for impossible values.
    func chosen(for delivery: Delivery = .onDemandResources) throws -> Limits {
        var chosen = limits ?? .standard(for: delivery)
        for text in limit {
            do { try chosen.change(text) } catch { throw ValidationError("--limit \(error)") }
        }
        return chosen
    }
}

/// Limits by name on the command line.
extension Limits: ExpressibleByArgument {
    static var allValueStrings: [String] { all.map(\.name) }

    init?(argument: String) {
        guard let limits = Self.named(argument) else { return nil }
        self = limits
    }
}
