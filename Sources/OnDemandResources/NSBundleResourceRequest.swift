public import Foundation
import ResourceLoading
import Synchronization

// swift-format-ignore: AlwaysUseLowerCamelCase
/// The loading priority of a request that the user waits for: it gets the whole link.
///
/// Compare with it, but do not calculate with it.
public let NSBundleResourceRequestLoadingPriorityUrgent = 1_000_000.0

/// A use of the resources that have certain tags: it downloads what is missing, and keeps it until the use ends.
///
/// Afterwards the resources may be purged.
///
/// The names and rules are those of Apple's class, so that an app's own request code compiles here. A request is good
/// for one use: begin, wait for the callback, use the resources, end. Calls out of that order trap.
open class NSBundleResourceRequest: NSObject, ProgressReporting, @unchecked Sendable {
    // Unchecked, because NSObject is not Sendable; the state that changes is behind a lock.

    /// The tags, as they were given.
    open var tags: Set<String> { request.tags }
    /// The bundle whose lookups find the resources once the callback has come without an error.
    open var bundle: Bundle { ownBundle }
    /// The progress of the download.
    ///
    /// It moves only after a begin, and is complete only when the resources are available. Cancelling it, or a progress
    /// that it is part of, makes the callback deliver NSUserCancelledError; pausing it stops the transfer.
    open var progress: Progress { ownProgress }

    // Subclasses may override the properties above, as with Apple's class; the code here uses only the ones below.
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
        // Each handler runs on a thread of its own, so a resume may arrive before the pause that it ends. Therefore the
        // handlers ask the progress for its state.
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

    /// Ends the process after a call that is out of order, as an uncaught exception of Apple's class does.
    private func trap(_ misuse: RequestMisuse) -> Never {
        // Not a precondition, which prints no message in a release build.
        fatalError("NSBundleResourceRequest for \(request.tags.sorted()): \(misuse)")
    }

    /// Downloads what is missing and pins all of it, then calls back, once, on a serial queue that is not main.
    ///
    /// The callback's error is nil if every resource is there. After the callback, even with an error, the request must
    /// be ended.
    open func beginAccessingResources(completionHandler: @escaping @Sendable ((any Error)?) -> Void) {
        // A cancel or a pause of the progress may not have reached the request yet.
        if ownProgress.isCancelled { request.cancel() }
        followPause()
        do { try request.begin { completionHandler($0?.bridged) } } catch { trap(error) }
    }

    /// Downloads what is missing and pins all of it.
    ///
    /// Throws the error that the callback would carry; even then the request must be ended.
    open func beginAccessingResources() async throws {
        // Keeps the request alive while the caller waits for its callback.
        defer { withExtendedLifetime(self) {} }
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            beginAccessingResources { error in
                if let error { continuation.resume(throwing: error) } else { continuation.resume() }
            }
        }
    }

    /// Pins all resources if none is missing, and never uses the network.
    ///
    /// After `true` the request must be ended; after `false` the same object may begin.
    open func conditionallyBeginAccessingResources(completionHandler: @escaping @Sendable (Bool) -> Void) {
        do { try request.conditionallyBegin(answer: completionHandler) } catch { trap(error) }
    }

    /// Pins all resources if none is missing, and never uses the network; returns whether it did.
    ///
    /// After `true` the request must be ended; after `false` the same object may begin.
    open func conditionallyBeginAccessingResources() async -> Bool {
        defer { withExtendedLifetime(self) {} }
        return await withCheckedContinuation { continuation in
            conditionallyBeginAccessingResources { continuation.resume(returning: $0) }
        }
    }

    /// Says that the resources are not used any more.
    ///
    /// It may be called once, after the callback.
    open func endAccessingResources() {
        do { try request.end() } catch { trap(error) }
    }
}
