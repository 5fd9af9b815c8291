package import Events
import Synchronization

/// A device's client for On-Demand Resources: it resolves tags, downloads what is missing, keeps it, and counts who
/// uses it.
///
/// Safe to use from any thread.
///
/// `close` must be called at the end; it leaves partial downloads for the next loader.
package final class ResourceLoader: Sendable {
    /// Names a request.
    ///
    /// It is never used again.
    package struct RequestKey: Hashable, Sendable {
        let value: AccessLedger.Key
    }

    /// Called once, on one serial queue that is not main: nil when every resource is there and pinned.
    package typealias Completion = @Sendable (ResourceError?) -> Void

    package let configuration: LoaderConfiguration
    package let store: PackStore
    let queue: EventQueue
    let transfers: TransferLoop
    let state: Mutex<LoaderState>
    /// nil where none can be had: then other processes are not told of a lack of room.
    let lowSpace: LowSpaceNotifier?

    /// Opens the device's store and starts the thread that transfers run on; nothing is fetched before a request.
    ///
    /// `observer` is told of everything that happens, in order, on one serial queue. Throws `StoreError` where the store
    /// cannot be used, and what the system answers where it has no memory or thread left.
    package convenience init(
        _ configuration: LoaderConfiguration,
        observer: @escaping @Sendable (ClientEvent) -> Void = { _ in }
    ) throws {
        // The loop's thread tells of progress, and must not keep the loader.
        let ticker = Ticker()
        try self.init(
            configuration,
            store: configuration.openStore(),
            queue: EventQueue(observer: observer),
            transfers: TransferLoop(configuration.transfers, tick: { ticker.tick() })
        )
        ticker.loader.withLock { $0.loader = self }
    }

    private init(
        _ configuration: LoaderConfiguration,
        store: PackStore,
        queue: EventQueue,
        transfers: TransferLoop
    ) throws {
        self.configuration = configuration
        self.store = store
        self.queue = queue
        self.transfers = transfers
        state = Mutex(LoaderState(parallel: configuration.transfers.parallel, radio: configuration.radio))
        lowSpace = try? LowSpaceNotifier(store.device?.lowSpace ?? store.layout.lowSpace) {
            queue.emit(.notification) { $0.name = Self.lowDiskSpaceNotification }
        }
    }

    deinit { transfers.stop() }

    /// Cancels every request, waits until no job runs and everybody is called back, and frees threads and store.
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

/// What carries the loop's ticks to a loader, as long as there is one.
private final class Ticker: Sendable {
    struct Target {
        weak var loader: ResourceLoader?
    }

    let loader = Mutex(Target())

    func tick() { loader.withLock { $0.loader }?.tellProgress() }
}
