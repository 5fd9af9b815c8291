import Foundation

/// Requests on-demand resources by a workload, and reports everything as event lines, like headwind-client.
///
/// `BROKEN_BUG` names its bug, and `BROKEN_SEED` the bug's seed.
struct DeviceMode {
    private let options: Options
    private let steps: [[String: Any]]
    private let bugs: Bugs
    private let seed: UInt64

    private static let inUseLimits: [String: Int64?] = [
        "ios-2015": 2_000_000_000, "tvos-2015": 2_000_000_000, "guide-2017": 2_000_000_000, "pre-18": 2_000_000_000,
        "ios-18": nil, "tvos-18": nil,
    ]

    init(_ options: Options) throws {
        self.options = options
        let variables = ProcessInfo.processInfo.environment
        seed = variables["BROKEN_SEED"].flatMap { UInt64($0) } ?? 0
        bugs = try Options.bugs(variables["BROKEN_BUG"], seed)
        guard (options["workload"] == nil) != options.words.isEmpty else {
            throw Options.Misuse("Name either tags or a --workload.")
        }
        steps =
            try options["workload"].map(Workload.read)
            ?? [["request": ["id": "r1", "tags": options.words] as [String: Any]], ["end": "r1"]]
    }

    func run() throws -> Int32 {
        let limits = options["limits"] ?? "ios-2015"
        guard let usual = Self.inUseLimits[limits], let root = options["store"], let manifest = options["manifest"]
        else {
            throw Options.Misuse("Name a --manifest, a --store and known --limits.")
        }
        var settings = Device.Settings(manifest: manifest, tagTable: options["tag-table"])
        settings.inUseLimit = usual
        for text in options.all("limit") where text.hasPrefix("in-use=") {
            settings.inUseLimit = Int64(text.dropFirst(7))
        }
        settings.radio = options["radio"] ?? "wifi"
        settings.isCellularAllowed = options["allow-cellular"] != "false"
        settings.parallel = try options.number("parallel", 4)
        let events = Events(try options.number("events-fd", 1))
        events.tell(
            "start",
            [
                "client": "broken-client", "pid": Int(getpid()), "manifest": manifest, "store": root, "limits": limits,
                "radio": settings.radio,
            ])
        let capacity: Int64? = try options["capacity"].map { _ in try options.number("capacity", 0) }
        let store = try Store(root, capacity: capacity, events, bugs)
        let device = Device(settings, try way(), bugs, seed: seed, events, store)
        let workload = Workload(steps, device)
        hear(workload, events)
        let status: Int32 = try workload.run() ? 0 : 1
        events.tell("exit", ["status": Int(status)])
        return status
    }

    private func way() throws -> Way {
        let variables = ProcessInfo.processInfo.environment
        return Way(
            proxy: options["proxy"], authorities: options["ca"],
            fields: options.all("header") + options.all("header-env").compactMap { variables[$0] },
            patience: try options.number("patience", 60))
    }

    /// Cancels all requests, and exits, on SIGINT and SIGTERM.
    private func hear(_ workload: Workload, _ events: Events) {
        nonisolated(unsafe) let workload = workload
        for number in [SIGINT, SIGTERM] {
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler {
                workload.cancelAll()
                events.tell("exit", ["status": Int(128 + number)])
                _exit(128 + number)
            }
            source.resume()
            nonisolated(unsafe) let kept = source
            // Keeps the source alive as long as the process.
            Thread.current.threadDictionary["signal \(number)"] = kept
        }
    }
}
