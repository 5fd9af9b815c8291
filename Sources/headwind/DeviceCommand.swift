import ArgumentParser
import ResourceLoading
import SystemPackage
import Wording

/// `headwind device`: the storage that `headwind request` fills.
struct DeviceCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "device",
        abstract: "Show, purge or reset the storage of a device.",
        discussion: """
            A device's storage is a folder that 'headwind request' and 'headwind-client' fill.

              headwind device show
              headwind device purge --store ./device --free 100MB
              headwind device reset --store ./device
            """,
        subcommands: [DeviceShowCommand.self, DevicePurgeCommand.self, DeviceResetCommand.self]
    )
}

/// The folder that the device commands use.
struct DeviceOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The folder of the device's storage.", valueName: "folder"), completion: .directory)
    var store = Self.standardStore

    /// The default folder of 'headwind request' and the device commands.
    static let standardStore = "headwind-device"

    /// The folder as a path.
    var root: FilePath { FilePath(store) }
}

/// `headwind device show`.
struct DeviceShowCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "List packs, with the states of Xcode's disk gauge.",
        discussion: """
            States: \(DeviceReport.State.allCases.map(\.rawValue).joined(separator: ", ")). Sizes are bytes; the last \
            line is the size that the device's Settings would show. For Background Assets it shows the members of \
            AssetPack.Status.

              headwind device show --store ./device --format json
            """
    )

    @OptionGroup var device: DeviceOptions
    @OptionGroup var output: OutputOptions

    /// A pack in the JSON output.
    private struct Record: Encodable {
        var pack: String
        var state: String
        var storedBytes: Int64
        var wholeBytes: Int64?
        var tags: [String]
        /// The status of a pack of Background Assets; nil for any other.
        var status: [String]?
    }

    /// A store in the JSON output.
    private struct Listing: Encodable {
        var version = 1
        /// The app's bundle, on a device that several share.
        var bundle: String?
        /// The processes that use the store.
        var processes: [Int]
        var usageBytes: Int64
        var usage: String
        var packs: [Record]
    }

    /// The stores of a device that several bundles share.
    private struct Device: Encodable {
        var version = 1
        var usageBytes: Int64
        var bundles: [Listing]
    }

    func run() async throws {
        let listings = try PackStore.stores(in: device.root).map { store in
            let report = try DeviceReport(store.root)
            return Listing(
                bundle: store.bundle, processes: report.users, usageBytes: report.usage,
                usage: StorageText.text(report.usage), packs: report.entries.map(Self.record))
        }
        if let only = listings.first, listings.count == 1, only.bundle == nil {
            return output.format == .json ? try Console.json(only) : show(only)
        }
        if output.format == .json {
            return try Console.json(Device(usageBytes: listings.reduce(0) { $0 + $1.usageBytes }, bundles: listings))
        }
        listings.forEach(show)
        if listings.isEmpty { Console.out("no app has stored anything on this device") }
    }

    private static func record(_ entry: DeviceReport.Entry) -> Record {
        Record(
            pack: entry.pack, state: entry.state.rawValue, storedBytes: entry.stored, wholeBytes: entry.whole,
            tags: entry.tags, status: entry.status.map { $0.map(\.rawValue) })
    }

    private func show(_ listing: Listing) {
        for user in listing.processes { Console.note("process \(user) uses this store") }
        let width = listing.packs.map(\.pack.count).max() ?? 0
        let lines = listing.packs.map { record in
            let whole = record.wholeBytes.map(String.init) ?? "?"
            let (name, state) = (record.pack.padded(to: width), record.state.padded(to: 20))
            let words = record.status ?? record.tags
            return "\(name)  \(state)  \(record.storedBytes) of \(whole)  \(words.joined(separator: " "))"
        }
        Console.out(lines: lines)
        let subject = listing.bundle.map { "\($0): " } ?? ""
        Console.out(
            "\(subject)\(listing.packs.count) packs, \(listing.usageBytes) bytes stored; "
                + "Settings would show \(listing.usage)")
    }
}

/// `headwind device reset`.
struct DeviceResetCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "reset",
        abstract: "Delete everything on the device, as if you deleted the app.",
        discussion: """
            The empty folder stays. It does not touch a store that a running client uses, or a folder that is not a \
            store.

              headwind device reset --store ./device
            """
    )

    @OptionGroup var device: DeviceOptions

    func run() async throws {
        let stores = try PackStore.stores(in: device.root)
        for store in stores { try PackStore.reset(store.root) }
        if !stores.contains(where: { $0.bundle == nil }) { try PackStore.resetDevice(device.root) }
        Console.note("reset '\(device.store)'")
    }
}
