package import Events
package import PackFormat
import Synchronization

/// A device's client for On-Demand Resources: it resolves tags, downloads and stores packs, and counts their uses.
///
/// Safe to use from any thread.
///
/// `close` must be called at the end; partial downloads stay for the next loader.
package final class ResourceLoader: Sendable {
    /// Identifies a request.
    ///
    /// It is never used again.
    package struct RequestKey: Hashable, Sendable {
        let value: AccessLedger.Key
    }

    /// Called once, on one serial queue that is not the main one; the error is nil when every resource is there and
    /// pinned.
    package typealias Completion = @Sendable (ResourceError?) -> Void

    package let configuration: LoaderConfiguration
    package let store: PackStore
    let queue: EventQueue
    let transfers: TransferLoop
    let state: Mutex<LoaderState>
    /// nil if it cannot be opened: then other processes are not notified of a lack of room.
    let lowSpace: LowSpaceNotifier?

    /// Opens the device's store and starts the thread for transfers; nothing is fetched before a request.
    ///
    /// `observer` receives every event, in order, on one serial queue. Throws `StoreError` if the store cannot be used,
    /// and the system's error if it has no memory or thread left.
    package init(
        _ configuration: LoaderConfiguration, observer: @escaping @Sendable (ClientEvent) -> Void = { _ in }
    ) throws {
        // The loop's thread reports progress, but must not keep the loader alive.
        let ticker = Ticker()
        let (store, queue) = (try configuration.openStore(), EventQueue(observer: observer))
        transfers = try TransferLoop(configuration.transfers, tick: { ticker.tick() })
        (self.configuration, self.store, self.queue) = (configuration, store, queue)
        state = Mutex(LoaderState(parallel: configuration.transfers.parallel, radio: configuration.radio))
        lowSpace = try? LowSpaceNotifier(store.device?.lowSpace ?? store.layout.lowSpace) {
            queue.emit(.notification) { $0.name = Self.lowDiskSpaceNotification }
        }
        ticker.loader.withLock { $0.loader = self }
    }

    deinit { transfers.stop() }

    /// Cancels every request, waits until no job runs and every callback was made, and frees threads and store.
    package func close() async {
        let (keys, catalog) = state.withLock { state in
            state.isClosed = true
            return (state.open.keys.sorted(), state.catalogTask)
        }
        for key in keys { cancel(RequestKey(value: key)) }
        catalog?.cancel()
        await catalog?.value
        while true {
            let jobs = state.withLock { $0.jobs.values.map(\.task) }
            if jobs.isEmpty { break }
            for job in jobs { job.cancel() }
            for job in jobs { await job.value }
        }
        await transfers.close()
        lowSpace?.close()
        await queue.drain()
        store.close()
    }
}

/// Passes the loop's ticks to a loader, as long as there is one.
private final class Ticker: Sendable {
    struct Target {
        weak var loader: ResourceLoader?
    }

    let loader = Mutex(Target())

    func tick() { loader.withLock { $0.loader }?.tellProgress() }
}

// What happens on a device other than requests: installs, purchases, changes of the network.
extension ResourceLoader {
    /// Sends the observer an event of the app's life, in its order among all events.
    package func tell(_ kind: ClientEvent.Kind, _ fill: (inout ClientEvent) -> Void) { queue.emit(kind, fill) }

    /// What comes with the app or its update, and what after it.
    ///
    /// With an update, packs of Background Assets that are stored in another edition are prefetched too. Throws if the
    /// catalog cannot be loaded now: that of an earlier run belongs to another install.
    package func installPlan(
        at event: AssetDownloadPolicy.Event = .firstInstallation
    ) async throws(ResourceError) -> InstallPlan {
        let catalog = try await newCatalog()
        var plan = catalog.installPlan(at: event)
        if event == .subsequentUpdate, configuration.delivery == .backgroundAssets {
            plan.prefetched += outdated(catalog).filter { !plan.initial.contains($0) && !plan.prefetched.contains($0) }
        }
        return plan
    }

    /// The catalog for an install or an update, loaded if it is not known yet; never that of an earlier run.
    func newCatalog() async throws(ResourceError) -> ResourceCatalog {
        if let known = state.withLock({ $0.catalog.known }) { return known }
        let catalog = try await fetchCatalog()
        state.withLock { state in
            if case .unknown = state.catalog { state.catalog = .known(catalog) }
        }
        return catalog
    }

    /// Changes the device's network.
    ///
    /// Connections end with their network, so running downloads resume on the new one from where they were. If the app
    /// may not use the new one, requests that wait for packs are called back with the reason.
    package func setRadio(_ radio: LoaderConfiguration.Radio) {
        state.withLock { state in
            guard state.radio != radio else { return }
            state.radio = radio
            tell(.radio) { $0.radio = radio.rawValue }
            guard let refusal = configuration.networkRefusal(on: radio) else {
                return perform(state.ledger.startOver(), &state)
            }
            for key in state.open.keys.sorted() where state.open[key]?.callback != nil {
                fail(key, refusal, &state)
                perform(state.ledger.end(key), &state)
            }
        }
    }

    /// Makes later downloads carry header fields that say that these tags were bought.
    package func buy(_ tags: [String]) {
        state.withLock { $0.receipts += tags.map(Self.receipt(for:)) }
        tell(.buy) { $0.tags = tags }
    }

    /// The header field that says that a tag was bought.
    package static func receipt(for tag: String) -> String {
        "\(PurchaseReceipt.field): \(PurchaseReceipt.value(for: tag))"
    }

    /// Why an app cannot be installed with these packs; nil if it can.
    ///
    /// Over a cellular network the store's limit counts everything that must be fetched, including the app itself.
    func installError(_ packs: [CatalogPack], _ state: LoaderState) -> ResourceError? {
        let limits = configuration.limits
        let bytes = packs.map(\.storedSize).clampedSum
        if let limit = limits[.initialInstall], bytes > limit {
            return .exceededMaximumSize(
                """
                The initial install has \(bytes) bytes, over the limit of \(limit) ('\(limits.name)'). Move some of \
                its tags to the prefetched tags.
                """)
        }
        let missing = packs.filter { stored($0, for: .install) == nil }.map(\.storedSize).clampedSum
        let whole = [missing, configuration.appSize].clampedSum
        guard state.radio == .cellular, let ceiling = limits[.cellularInstall], whole > ceiling else { return nil }
        let parts = configuration.appSize > 0 ? " (\(configuration.appSize) of the app itself)" : ""
        let text = """
            Could not install the app: it needs \(whole) bytes\(parts), over the limit of \(ceiling) for a \
            cellular network ('\(limits.name)'). Install it over Wi-Fi, or make the initial install smaller.
            """
        return ResourceError(domain: .url, code: -1020, kind: .network, message: text)
    }

    /// The packs that a request waits for or pins, sorted.
    package func packs(of key: RequestKey) -> [String] {
        state.withLock { state in
            state.ledger.holders.first { $0.key == key.value }?.packs.sorted() ?? []
        }
    }

    /// Packs that requests of the app pin or wait for; packs that are only prefetched are not in use.
    func wantedForUse(_ state: LoaderState) -> Set<String> {
        state.ledger.holders.filter { state.open[$0.key]?.purpose == .use }.reduce(into: []) { $0.formUnion($1.packs) }
    }
}
