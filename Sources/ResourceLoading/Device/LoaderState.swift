import Events
import Synchronization

/// What a loader knows, under its lock.
struct LoaderState {
    /// A request whose callback is owed, or that pins packs.
    struct OpenRequest {
        var id: String
        var tags: Set<String>
        var priority: LoadingPriority
        var isPaused = false
        var purpose = RequestPurpose.use
        /// nil once it was called.
        var callback: Callback?
        /// nil until the packs are known.
        var meter: ProgressMeter?
    }

    /// A pack's job.
    struct Job {
        var pack: CatalogPack
        var task: Task<Void, Never>
        let pause: TransferPause
        /// nil before the first try.
        var receiver: PartialReceiver?
    }

    /// The host's catalog.
    enum Catalog {
        case unknown
        /// These requests wait for it.
        case loading([AccessLedger.Key])
        case known(ResourceCatalog)
    }

    var nextKey: AccessLedger.Key = 0
    var open: [AccessLedger.Key: OpenRequest] = [:]
    var ledger: AccessLedger
    var jobs: [String: Job] = [:]
    /// Packs that were resolved for some request, by identifier.
    var packs: [String: CatalogPack] = [:]
    var catalog = Catalog.unknown
    var catalogTask: Task<Void, Never>?
    var isClosed = false
    /// The device's way to the network now.
    var radio: LoaderConfiguration.Radio
    /// Header fields that say what was bought.
    var receipts: [String] = []

    init(parallel: Int, radio: LoaderConfiguration.Radio) {
        ledger = AccessLedger(parallel: parallel)
        self.radio = radio
    }
}

/// What an app gave to be called with the outcome of a request, once.
///
/// It is let go where it is called. What it holds may end a request as it goes, which must not happen under the
/// loader's lock; so nothing else may be the last to hold it.
final class Callback: Sendable {
    private let body: Mutex<ResourceLoader.Completion?>

    init(_ body: @escaping ResourceLoader.Completion) { self.body = Mutex(body) }

    /// Calls it with the error, nil where there is none; a second call does nothing.
    func call(_ error: ResourceError?) {
        let body = body.withLock { body in
            defer { body = nil }
            return body
        }
        body?(error)
    }
}
