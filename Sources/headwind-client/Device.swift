import Events
import LinuxSupport
import PackFormat
import ResourceLoading

/// The device of a workload: its loader lasts from a launch to the quit, its store from the first launch to the last
/// quit.
///
/// A quit closes loader and store, and a launch opens them again, so only files on the disk outlast a quit.
actor Device {
    private var configuration: LoaderConfiguration
    private let observer: @Sendable (ClientEvent) -> Void
    private var loader: ResourceLoader?
    private var isClosed = false
    /// The tags not prefetched yet, by bundle.
    private var toPrefetch: [String: [String]] = [:]
    private var prefetching: Task<Void, Never>?
    private var prefetches = 0
    private var versions = 1
    private var updates = 0
    /// An update that arrived while the app ran, and waits for the quit.
    private var waitingUpdate: (manifest: String, tagTable: LoaderConfiguration.TagTableSource)?
    private var isRunning: Bool

    /// Creates a device, and opens its store; `isRunning` says whether an app runs already.
    init(
        _ configuration: LoaderConfiguration, isRunning: Bool, observer: @escaping @Sendable (ClientEvent) -> Void
    ) throws {
        self.configuration = configuration
        self.observer = observer
        self.isRunning = isRunning
        loader = try ResourceLoader(configuration, observer: observer)
    }

    /// The loader of the running app; opened if there is none.
    ///
    /// Throws `CancellationError` once the device is closed.
    func open() throws -> ResourceLoader {
        if let loader { return loader }
        guard !isClosed else { throw CancellationError() }
        let opened = try ResourceLoader(configuration, observer: observer)
        loader = opened
        return opened
    }

    /// Closes the loader and the store permanently.
    func close() async {
        isClosed = true
        await closeLoader()
    }

    private func closeLoader() async {
        prefetching?.cancel()
        await loader?.close()
        await prefetching?.value
        (loader, prefetching) = (nil, nil)
    }

    /// Reports an event of the app's life, after all earlier events.
    func tell(_ kind: ClientEvent.Kind, _ fill: @Sendable (inout ClientEvent) -> Void = { _ in }) {
        if let loader { return loader.tell(kind, fill) }
        observer(ClientEvent(kind, at: MonotonicClock.now, fill))
    }

    /// Installs the app; returns whether that succeeded.
    func install() async throws -> Bool {
        tell(.install)
        return try await fetchPlan(at: .firstInstallation, as: "install")
    }

    /// Fetches what comes with the app or its update, and prefetches the rest; returns whether the first succeeded.
    private func fetchPlan(at event: AssetDownloadPolicy.Event, as id: String) async throws -> Bool {
        let loader = try open()
        let plan: InstallPlan
        do throws(ResourceError) {
            if event == .subsequentUpdate { try await loader.removeObsolete() }
            plan = try await loader.installPlan(at: event)
        } catch {
            return await Self.fetch([], as: id, refusal: error, on: loader)
        }
        guard await Self.fetch(plan.initial, as: id, on: loader) else { return false }
        if event == .firstInstallation || configuration.delivery == .backgroundAssets {
            toPrefetch[configuration.bundle ?? ""] = plan.prefetched
        }
        prefetch(on: loader)
        return true
    }

    /// Starts the app, or the app of another bundle.
    func launch(bundle: String?) async throws {
        isRunning = true
        if let bundle, bundle != configuration.bundle {
            await closeLoader()
            configuration.bundle = bundle
        }
        let loader = try open()
        let bundle = configuration.bundle
        tell(.launch) { $0.bundle = bundle }
        prefetch(on: loader)
    }

    /// Ends the app: releases all that it holds, and calls back all waiting requests.
    ///
    /// The system continues to prefetch. Returns false if an update that waited for the quit fails.
    func quit() async throws -> Bool {
        isRunning = false
        await closeLoader()
        tell(.quit)
        if let update = waitingUpdate {
            waitingUpdate = nil
            guard try await install(update.manifest, update.tagTable) else { return false }
        }
        if toPrefetch[configuration.bundle ?? ""]?.isEmpty == false { prefetch(on: try open()) }
        return true
    }

    /// Replaces the app, at once or, if it runs, when it quits; returns whether that succeeded.
    func update(manifest: String, tagTable: LoaderConfiguration.TagTableSource) async throws -> Bool {
        guard !isRunning else {
            waitingUpdate = (manifest, tagTable)
            return true
        }
        return try await install(manifest, tagTable)
    }

    private func install(_ manifest: String, _ tagTable: LoaderConfiguration.TagTableSource) async throws -> Bool {
        await closeLoader()
        (configuration.manifest, configuration.tagTable) = (manifest, tagTable)
        versions += 1
        let version = versions
        tell(.update) { $0.version = version }
        updates += 1
        return try await fetchPlan(at: .subsequentUpdate, as: updates == 1 ? "update" : "update-\(updates)")
    }

    /// Removes packs of Background Assets; returns whether all are gone.
    func remove(_ packs: [String]) throws -> Bool { try open().remove(packs) }

    /// Gives the device another network, permanently.
    func setRadio(_ radio: LoaderConfiguration.Radio) {
        configuration.radio = radio
        guard let loader else { return tell(.radio) { $0.radio = radio.rawValue } }
        loader.setRadio(radio)
    }

    /// Fills storage of the device permanently, or frees packs, whether the app runs or not.
    func press(_ pressure: StoragePressure) async throws {
        let wasOpen = loader != nil
        try await open().press(pressure, isAppRunning: isRunning)
        if case .fill(let bytes) = pressure {
            configuration.capacity = configuration.capacity.map { max(0, $0 - bytes) }
        }
        if !wasOpen { await closeLoader() }
    }

    /// Buys tags, permanently.
    func buy(_ tags: [String]) {
        configuration.transfers.headers += tags.map(ResourceLoader.receipt(for:))
        guard let loader else { return tell(.buy) { $0.tags = tags } }
        loader.buy(tags)
    }

    /// Fetches tags, by default those that are installed with the app; pins none of them, and returns whether that
    /// succeeded.
    ///
    /// With a `refusal` (default: nil) it only reports a request that fails with that error.
    private static func fetch(
        _ tags: [String], as id: String, for purpose: RequestPurpose = .install, refusal: ResourceError? = nil,
        on loader: ResourceLoader
    ) async -> Bool {
        let priority = LoadingPriority.normal(purpose == .prefetch ? 0 : 0.5)
        let request = LoaderRequest(id: id, tags: Set(tags), priority: priority, loader: loader, purpose: purpose)
        let outcome = Latch<ResourceError?>()
        // The calls to a new request are in the right order, so neither throws.
        try? request.begin(refusal: refusal) { outcome.open($0) }
        let error = await outcome.value
        try? request.end()
        return error == nil
    }

    /// Prefetches the remaining tags before any request for them, one after the other.
    ///
    /// Tags that fail are tried again after the next launch.
    private func prefetch(on loader: ResourceLoader) {
        let bundle = configuration.bundle ?? ""
        guard prefetching == nil, let tags = toPrefetch[bundle], !tags.isEmpty else { return }
        let first = prefetches + 1
        prefetches += tags.count
        prefetching = Task {
            for (index, tag) in tags.enumerated() where !Task.isCancelled {
                if await Self.fetch([tag], as: "\(Self.prefetchPrefix)\(first + index)", for: .prefetch, on: loader) {
                    toPrefetch[bundle]?.removeAll { $0 == tag }
                }
            }
            prefetching = nil
        }
    }

    /// The prefix of the names of the system's own requests.
    static let prefetchPrefix = "prefetch-"
}
