import Events
import Synchronization

/// The state of a loader, behind its lock.
struct LoaderState {
    /// A request whose callback is still to come, or that pins packs.
    struct OpenRequest {
        var id: String
        var tags: Set<String>
        var priority: LoadingPriority
        var isPaused = false
        var purpose = RequestPurpose.use
        /// nil once it has been called.
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

        /// The catalog; nil if it is not known yet.
        var known: ResourceCatalog? { if case .known(let catalog) = self { catalog } else { nil } }
    }

    var nextKey: AccessLedger.Key = 0
    var open: [AccessLedger.Key: OpenRequest] = [:]
    var ledger: AccessLedger
    var jobs: [String: Job] = [:]
    /// Packs that requests have resolved, by identifier.
    var packs: [String: CatalogPack] = [:]
    var catalog = Catalog.unknown
    var catalogTask: Task<Void, Never>?
    var isClosed = false
    /// The device's network now.
    var radio: LoaderConfiguration.Radio
    /// Header fields that say which tags were bought.
    var receipts: [String] = []

    init(parallel: Int, radio: LoaderConfiguration.Radio) {
        ledger = AccessLedger(parallel: parallel)
        self.radio = radio
    }
}

/// An app's callback for the outcome of a request, called once.
///
/// It is released when it is called. What it holds may end a request when it is released, which must not happen under
/// the loader's lock. So nothing else may be the last to hold it.
final class Callback: Sendable {
    private let body: Mutex<ResourceLoader.Completion?>

    init(_ body: @escaping ResourceLoader.Completion) { self.body = Mutex(body) }

    /// Calls it with the error, nil if there is none; a second call does nothing.
    func call(_ error: ResourceError?) {
        let body = body.withLock { body in
            defer { body = nil }
            return body
        }
        body?(error)
    }
}
