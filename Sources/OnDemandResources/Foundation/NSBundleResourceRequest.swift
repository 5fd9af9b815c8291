public import Foundation
import Synchronization

// swift-format-ignore: AlwaysUseLowerCamelCase
/// The loading priority of a request that somebody waits for: give it everything.
///
/// Compare it, do not calculate with it.
public let NSBundleResourceRequestLoadingPriorityUrgent = 1_000_000.0

/// A use of the resources that carry certain tags: it downloads what is missing, keeps it while it is used, and lets
/// it be purged afterwards.
///
/// The names and rules are those of Apple's class, so that an app's own request code compiles here. A request is good
/// for one use: begin, wait for the callback, use the resources, end. Calls out of that order trap.
open class NSBundleResourceRequest: NSObject, ProgressReporting, @unchecked Sendable {
    // Unchecked, because NSObject is not Sendable: what changes is behind the lock.
    private struct State {
        var lifecycle = RequestLifecycle.idle
        var priority = 0.5
        var key: ResourceLoader.RequestKey?
    }

    /// The tags, as they were given.
    public let tags: Set<String>
    /// The bundle whose lookups find the resources once the callback has come without an error.
    public let bundle: Bundle
    /// How far the download is.
    ///
    /// It moves after a begin only, and is complete only when the resources are available. Cancelling it makes the
    /// callback deliver NSUserCancelledError; pausing it stops the transfer.
    public let progress = Progress(totalUnitCount: 0)

    private let name: String
    private let loader: ResourceLoader?
    private let state = Mutex(State())

    /// A request for resources of the main bundle.
    public convenience init(tags: Set<String>) { self.init(tags: tags, bundle: .main) }

    /// A request for resources of one bundle; all tags must be of that bundle.
    public init(tags: Set<String>, bundle: Bundle) {
        self.tags = tags
        self.bundle = bundle
        loader = BundleRegistry.loader(of: bundle)
        name = ResourceRequestObserver.shared.register(progress)
        super.init()
        progress.isCancellable = true
        progress.isPausable = true
        progress.cancellationHandler = { [weak self] in self?.withKey { $0.cancel($1) } }
        progress.pausingHandler = { [weak self] in self?.withKey { $0.setPaused(true, of: $1) } }
        progress.resumingHandler = { [weak self] in self?.withKey { $0.setPaused(false, of: $1) } }
    }

    deinit {
        ResourceRequestObserver.shared.forget(name)
        // A request that is gone uses nothing any more, and waits for nothing.
        if let loader, let key = state.withLock({ $0.key }) { loader.end(key) }
    }

    private func withKey(_ body: (ResourceLoader, ResourceLoader.RequestKey) -> Void) {
        guard let loader, let key = state.withLock({ $0.key }) else { return }
        body(loader, key)
    }

    /// How soon the resources are loaded, relative to other requests: 0 to 1, 0.5 unless set, or
    /// `NSBundleResourceRequestLoadingPriorityUrgent`.
    ///
    /// It may be changed at any time.
    public var loadingPriority: Double {
        get { state.withLock { $0.priority } }
        set {
            let isUrgent = newValue == NSBundleResourceRequestLoadingPriorityUrgent
            let value = isUrgent ? newValue : min(1, max(0, newValue.isNaN ? 0.5 : newValue))
            state.withLock { $0.priority = value }
            withKey { $0.setPriority(Self.priority(value), of: $1) }
        }
    }

    private static func priority(_ value: Double) -> LoadingPriority {
        value == NSBundleResourceRequestLoadingPriorityUrgent ? .urgent : .normal(value)
    }

    private func take(_ call: RequestLifecycle.Call) {
        if let fault = state.withLock({ $0.lifecycle.take(call) }) { preconditionFailure(fault) }
    }

    /// Downloads what is missing and pins all of it, then calls back, once, on a serial queue that is not main.
    ///
    /// The callback's error is nil when every resource is there. After either callback an end is owed.
    open func beginAccessingResources(completionHandler: @escaping @Sendable ((any Error)?) -> Void) {
        take(.begin)
        let finish: @Sendable (ResourceError?) -> Void = { [self] error in
            state.withLock { $0.lifecycle.calledBack(isAvailable: error == nil) }
            completionHandler(error?.bridged)
        }
        guard let loader else {
            let error = ResourceError.noManifest("No manifest found for the bundle '\(bundle.bundlePath)'.")
            RequestCallbacks.queue.async { finish(error) }
            return
        }
        let priority = Self.priority(loadingPriority)
        let key = loader.begin(id: name, tags: tags, priority: priority, completion: finish)
        state.withLock { $0.key = key }
        if progress.isCancelled { loader.cancel(key) }
        if progress.isPaused { loader.setPaused(true, of: key) }
    }

    /// Downloads what is missing and pins all of it.
    ///
    /// Throws the error that the callback would carry; an end is owed all the same.
    open func beginAccessingResources() async throws {
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            beginAccessingResources { error in
                if let error { continuation.resume(throwing: error) } else { continuation.resume() }
            }
        }
    }

    /// Pins all resources if none is missing, and never touches the network.
    ///
    /// After `true` an end is owed; after `false` the same object may begin.
    open func conditionallyBeginAccessingResources(completionHandler: @escaping @Sendable (Bool) -> Void) {
        take(.conditionallyBegin)
        RequestCallbacks.queue.async { [self] in
            let key = loader?.beginIfStored(id: name, tags: tags)
            state.withLock { state in
                state.key = key ?? state.key
                state.lifecycle.answered(isAvailable: key != nil)
            }
            completionHandler(key != nil)
        }
    }

    /// Pins all resources if none is missing, and never touches the network.
    ///
    /// Says whether it did.
    open func conditionallyBeginAccessingResources() async -> Bool {
        await withCheckedContinuation { continuation in
            conditionallyBeginAccessingResources { continuation.resume(returning: $0) }
        }
    }

    /// Says that the resources are not used any more.
    ///
    /// Legal once, after the callback.
    open func endAccessingResources() {
        take(.end)
        withKey { $0.end($1) }
    }
}

/// The serial queue for answers that no loader gives.
private enum RequestCallbacks {
    static let queue = DispatchQueue(label: "headwind.resource-requests")
}
