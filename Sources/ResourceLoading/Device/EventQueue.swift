import Dispatch
import Events
import LinuxSupport
import Synchronization

/// Delivers events to one observer and completions to their requests, each in order and never on the main thread.
///
/// Nothing in a loader waits for an observer or for an app.
final class EventQueue: Sendable {
    private let events = DispatchQueue(label: "headwind.resource-events")
    private let completions = CompletionQueue.shared
    private let order = Mutex(())
    private let observer: @Sendable (ClientEvent) -> Void

    init(observer: @escaping @Sendable (ClientEvent) -> Void) { self.observer = observer }

    /// Sends an event to the observer.
    ///
    /// The event's time is that of the call, and times never go back.
    func emit(_ kind: ClientEvent.Kind, _ fill: (inout ClientEvent) -> Void) {
        order.withLock { _ in
            let event = ClientEvent(kind, at: MonotonicClock.now, fill)
            events.async { [observer] in observer(event) }
        }
    }

    /// Calls an app back, after the observer has received every earlier event.
    func complete(_ body: @escaping @Sendable () -> Void) {
        events.async { [completions] in completions.async(execute: body) }
    }

    /// Returns when everything sent so far has been delivered.
    func drain() async {
        await withCheckedContinuation { continuation in complete { continuation.resume() } }
    }
}

/// The queue on which apps are called back: a serial one for the process and all bundles, never the main one
/// (NSBundle.h).
enum CompletionQueue {
    static let shared = DispatchQueue(label: "headwind.resource-requests")
}
