import ArgumentParser
import LinkModel
import ResourceLoading
import Wording

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
