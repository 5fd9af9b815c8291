public import Foundation
import ResourceLoading
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
    // Unchecked, because NSObject is not Sendable: what changes is behind a lock.

    /// The tags, as they were given.
    open var tags: Set<String> { request.tags }
    /// The bundle whose lookups find the resources once the callback has come without an error.
    open var bundle: Bundle { ownBundle }
    /// How far the download is.
    ///
    /// It moves after a begin only, and is complete only when the resources are available. Cancelling it, or a
    /// progress that it is part of, makes the callback deliver NSUserCancelledError; pausing it stops the transfer.
    open var progress: Progress { ownProgress }

    // Subclasses may override what is Apple's, as there; what happens here is about these.
    private let ownBundle: Bundle
    private let ownProgress = Progress(totalUnitCount: 0)
    private let request: LoaderRequest
    private let priority = Mutex(0.5)

    /// A request for resources of the main bundle.
    public convenience init(tags: Set<String>) { self.init(tags: tags, bundle: .main) }

    /// A request for resources of one bundle; all tags must be of that bundle.
    public init(tags: Set<String>, bundle: Bundle) {
        ownBundle = bundle
        let name = ResourceRequestObserver.shared.register(ownProgress)
        request = LoaderRequest(
            id: name, tags: tags, loader: BundleRegistry.loader(of: bundle), bundle: bundle.bundlePath)
        super.init()
        ownProgress.isCancellable = true
        ownProgress.isPausable = true
        ownProgress.cancellationHandler = { [weak request] in request?.cancel() }
        // Each handler runs on a thread of its own, so a resume may come before the pause that it ends: what counts is
        // what the progress says.
        ownProgress.pausingHandler = { [weak self] in self?.followPause() }
        ownProgress.resumingHandler = { [weak self] in self?.followPause() }
    }

    /// A request needs tags.
    @available(*, unavailable, message: "Use init(tags:) or init(tags:bundle:).")
    override public init() { fatalError("NSBundleResourceRequest: init is unavailable, a request needs tags") }

    deinit { ResourceRequestObserver.shared.forget(request.id) }

    private func followPause() { request.setPaused { ownProgress.isPaused } }

    /// How soon the resources are loaded, relative to other requests: 0 to 1, 0.5 unless set, or
    /// `NSBundleResourceRequestLoadingPriorityUrgent`.
    ///
    /// It may be changed at any time.
    open var loadingPriority: Double {
        get { priority.withLock { $0 } }
        set {
            let isUrgent = newValue == NSBundleResourceRequestLoadingPriorityUrgent
            let value = isUrgent ? newValue : min(1, max(0, newValue.isNaN ? 0.5 : newValue))
            priority.withLock { priority in
                priority = value
                request.setPriority(isUrgent ? .urgent : .normal(value))
            }
        }
    }

    /// Ends the process for a call that is out of order, as an uncaught exception of Apple's does.
    private func trap(_ misuse: RequestMisuse) -> Never {
        // Not a precondition: that says nothing in a release build.
        fatalError("NSBundleResourceRequest for \(request.tags.sorted()): \(misuse)")
    }

    /// Downloads what is missing and pins all of it, then calls back, once, on a serial queue that is not main.
    ///
    /// The callback's error is nil when every resource is there. After either callback an end is owed.
    open func beginAccessingResources(completionHandler: @escaping @Sendable ((any Error)?) -> Void) {
        // A progress that was cancelled or paused just now may not have told yet.
        if ownProgress.isCancelled { request.cancel() }
        followPause()
        do { try request.begin { completionHandler($0?.bridged) } } catch { trap(error) }
    }

    /// Downloads what is missing and pins all of it.
    ///
    /// Throws the error that the callback would carry; an end is owed all the same.
    open func beginAccessingResources() async throws {
        // Who awaits the callback uses the request until then.
        defer { withExtendedLifetime(self) {} }
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
        do { try request.conditionallyBegin(answer: completionHandler) } catch { trap(error) }
    }

    /// Pins all resources if none is missing, and never touches the network.
    ///
    /// Says whether it did.
    open func conditionallyBeginAccessingResources() async -> Bool {
        defer { withExtendedLifetime(self) {} }
        return await withCheckedContinuation { continuation in
            conditionallyBeginAccessingResources { continuation.resume(returning: $0) }
        }
    }

    /// Says that the resources are not used any more.
    ///
    /// Legal once, after the callback.
    open func endAccessingResources() {
        do { try request.end() } catch { trap(error) }
    }
}
