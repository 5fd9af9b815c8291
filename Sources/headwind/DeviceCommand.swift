import ArgumentParser
import OnDemandResources
import SystemPackage

/// `headwind device`: the storage that requests by hand fill.
struct DeviceCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "device",
        abstract: "Look at, purge or reset the storage of a device.",
        discussion: """
            A device's storage is a folder that 'headwind request' and 'headwind-client' fill.

              headwind device show
              headwind device purge --store ./device
              headwind device reset --store ./device
            """,
        subcommands: [DeviceShowCommand.self, DevicePurgeCommand.self, DeviceResetCommand.self]
    )
}

/// The folder that the device commands are about.
struct DeviceOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("The folder that stands for the device's storage.", valueName: "folder"),
        completion: .directory)
    var store = Self.standardStore

    /// What 'headwind request' fills and the device commands are about where no folder is named.
    static let standardStore = "headwind-device"

    /// Runs `body` on the folder, and says in one sentence what went wrong with it.
    func withStore<Value>(_ body: (FilePath) throws -> Value) throws -> Value {
        do { return try body(FilePath(store)) } catch let error as StoreError {
            throw CommandFailure(status: .failed, description: error.description)
        }
    }
}

/// `headwind device show`.
struct DeviceShowCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "List packs in the words of Xcode's disk gauge.",
        discussion: """
            States: \(DeviceReport.State.allCases.map(\.rawValue).joined(separator: ", ")). Sizes are bytes; the last \
            line has what the device's Settings would show.

              headwind device show --store ./device --format json
            """
    )

    @OptionGroup var device: DeviceOptions
    @OptionGroup var output: OutputOptions

    /// A pack as it is printed.
    private struct Record: Encodable {
        var pack: String
        var state: String
        var storedBytes: Int64
        var wholeBytes: Int64?
        var tags: [String]
    }

    /// The whole as it is printed.
    private struct Listing: Encodable {
        var version = 1
        /// The processes that use the store.
        var processes: [Int]
        var usageBytes: Int64
        var usage: String
        var packs: [Record]
    }

    func run() async throws {
        let report = try device.withStore { try DeviceReport($0) }
        let usage = StorageText.text(report.usage)
        let records = report.entries.map {
            Record(pack: $0.pack, state: $0.state.rawValue, storedBytes: $0.stored, wholeBytes: $0.whole, tags: $0.tags)
        }
        if output.format == .json {
            let listing = Listing(
                processes: report.users, usageBytes: report.usage, usage: usage, packs: records)
            return try Console.json(listing)
        }
        for user in report.users { Console.note("process \(user) uses this store") }
        let width = records.map(\.pack.count).max() ?? 0
        for record in records {
            let name = record.pack.padded(to: width)
            let whole = record.wholeBytes.map(String.init) ?? "?"
            let size = "\(record.storedBytes) of \(whole)"
            Console.out("\(name)  \(record.state.padded(to: 20))  \(size)  \(record.tags.joined(separator: " "))")
        }
        Console.out("\(records.count) packs, \(report.usage) bytes stored; Settings would show \(usage)")
    }
}

/// `headwind device purge`.
struct DevicePurgeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "purge",
        abstract: "Remove every pack and partial download, as a device that needs all its space does.",
        discussion: """
            Requests have to fetch their packs again. What the requests of a running client hold or wait for stays.

              headwind device purge --store ./device
            """
    )

    @OptionGroup var device: DeviceOptions

    func run() async throws {
        let purged = try device.withStore { root in
            _ = try DeviceReport(root)
            return try PackStore(root).purgeAll()
        }
        for purge in purged { Console.out("\(purge.pack)  \(purge.bytes)") }
        Console.note("purged \(purged.count) packs, \(purged.reduce(0) { $0 + $1.bytes }) bytes")
    }
}

/// `headwind device reset`.
struct DeviceResetCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "reset",
        abstract: "Remove all that the device knows, as deleting the app does.",
        discussion: """
            The folder stays, empty. A store that a running client uses is left alone, as is a folder that is no store.

              headwind device reset --store ./device
            """
    )

    @OptionGroup var device: DeviceOptions

    func run() async throws {
        try device.withStore { try PackStore.reset($0) }
        Console.note("reset '\(device.store)'")
    }
}

extension String {
    /// The text with spaces after it, to this many characters.
    fileprivate func padded(to width: Int) -> String {
        count >= width ? self : self + String(repeating: " ", count: width - count)
    }
}
