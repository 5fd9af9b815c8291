import ArgumentParser
import Documents
import LinkModel
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

/// The folder that 'headwind request' and the device commands use.
struct DeviceOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The folder of the device's storage.", valueName: "folder"), completion: .directory)
    var store = "headwind-device"

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

    func run() async throws {
        let stores = try PackStore.stores(in: device.root).map { store in
            (bundle: store.bundle, report: try DeviceReport(store.root))
        }
        switch output.format {
        case .text:
            for store in stores { Self.show(store.bundle, store.report) }
            if stores.isEmpty { Console.out("no app has stored anything on this device") }
        case .json:
            let listings = stores.map { Self.json($0.bundle, $0.report) }
            if let only = listings.first, listings.count == 1, stores[0].bundle == nil { return try Console.json(only) }
            // A device that several bundles share.
            let usage = stores.reduce(0) { $0 + $1.report.usage }
            try Console.json(
                JSONTree.object(["version": .whole(1), "usageBytes": .whole(usage), "bundles": .list(listings)]))
        }
    }

    /// A store in the JSON output; `bundle` is the app's on a device that several share.
    private static func json(_ bundle: String?, _ report: DeviceReport) -> JSONTree {
        let packs = report.entries.map { entry in
            JSONTree.object([
                "pack": .text(entry.pack), "state": .text(entry.state.rawValue), "storedBytes": .whole(entry.stored),
                "wholeBytes": entry.whole.map(JSONTree.whole), "tags": .texts(entry.tags),
                // Only packs of Background Assets have one.
                "status": entry.status.map { .texts($0.map(\.rawValue)) },
            ])
        }
        return .object([
            "version": .whole(1), "bundle": bundle.map(JSONTree.text),
            "processes": .list(report.users.map(JSONTree.whole)), "usageBytes": .whole(report.usage),
            "usage": .text(StorageText.text(report.usage)), "packs": .list(packs),
        ])
    }

    private static func show(_ bundle: String?, _ report: DeviceReport) {
        for user in report.users { Console.note("process \(user) uses this store") }
        let width = report.entries.map(\.pack.count).max() ?? 0
        let lines = report.entries.map { entry in
            let whole = entry.whole.map(String.init) ?? "?"
            let (name, state) = (entry.pack.padded(to: width), entry.state.rawValue.padded(to: 20))
            let words = entry.status?.map(\.rawValue) ?? entry.tags
            return "\(name)  \(state)  \(entry.stored) of \(whole)  \(words.joined(separator: " "))"
        }
        Console.out(lines: lines)
        let subject = bundle.map { "\($0): " } ?? ""
        Console.out(
            "\(subject)\(report.entries.count) packs, \(report.usage) bytes stored; "
                + "Settings would show \(StorageText.text(report.usage))")
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

/// `headwind device purge`.
struct DevicePurgeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "purge",
        abstract: "Purge packs, as a device does when it needs space: all, some, or those of a tag.",
        discussion: """
            Later requests fetch the packs again. Packs that a running client pins or waits for stay.

            Without --free and --tag it removes every pack and partial download. With --free it removes packs in a \
            device's order: those of apps that do not run, then by lowest preservation priority, oldest use and \
            largest size. Running clients get the low-space notification one second before. If it cannot free enough, \
            it frees what it can, and the exit status is 1.

              headwind device purge --store ./device
              headwind device purge --store ./device --free 100MB
              headwind device purge --store ./device --tag level-1 --tag level-2
            """
    )

    @OptionGroup var device: DeviceOptions

    @Option(
        help: ArgumentHelp("Free this much, in a device's order. (default: everything)", valueName: "size"),
        transform: { try ByteCount(parsing: $0).bytes })
    var free: Int64?

    @Option(help: ArgumentHelp("Remove the packs with this tag. May be repeated.", valueName: "name"))
    var tag: [String] = []

    func validate() throws {
        guard free == nil || tag.isEmpty else { throw ValidationError("--free and --tag cannot be combined.") }
        guard free ?? 1 > 0 else { throw ValidationError("--free is 1 byte or more.") }
    }

    func run() async throws {
        if let free { return try await purge(free: free) }
        let stores = try PackStore.stores(in: device.root).map { store in
            _ = try DeviceReport(store.root)
            return try store.open()
        }
        tell(try tag.isEmpty ? stores.flatMap { try $0.purgeAll() } : purgeTags(stores))
    }

    private func purge(free: Int64) async throws {
        let stores = try PackStore.stores(in: device.root)
        for store in stores { _ = try DeviceReport(store.root) }
        guard let store = try stores.first?.open() else {
            throw failure("no app has stored anything on this device", missing: free)
        }
        let relief = try await store.free(free)
        tell(relief.purges)
        guard relief.missing > 0 else { return }
        throw failure("freed \(relief.freed) of \(free) bytes; no other pack may be removed", missing: relief.missing)
    }

    private func failure(_ text: String, missing: Int64) -> CommandFailure {
        CommandFailure(
            .failed,
            "Could not free enough: \(text). \(missing) bytes are missing. List the packs and their states with "
                + "'headwind device show'.")
    }

    private func purgeTags(_ stores: [PackStore]) throws -> [PackStore.Purge] {
        var purges: [PackStore.Purge] = []
        let known = stores.reduce(into: Set<String>()) { $0.formUnion($1.storedTags) }
        for name in tag where !known.contains(name) {
            let hint = NearestName.of(name, in: known.sorted()).map { " Did you mean '\($0)'?" } ?? ""
            throw CommandFailure(.failed, "--tag '\(name)': no stored pack has this tag.\(hint)")
        }
        for name in tag {
            for store in stores {
                guard let found = try store.purge(tag: name) else { continue }
                purges += found.purges
                for pack in found.held { Console.note("'\(pack)' stays: a request of a running client uses it") }
            }
        }
        return purges
    }

    private func tell(_ purges: [PackStore.Purge]) {
        Console.out(lines: purges.map { purge in "\(purge.pack)  \(purge.bytes)" })
        let bytes = purges.reduce(0) { $0 + $1.bytes }
        Console.note("purged \(purges.count.counted("pack")), \(bytes) bytes")
    }
}
