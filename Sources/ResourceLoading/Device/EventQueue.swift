import Dispatch
import Events
import LinuxSupport
import Synchronization

/// Hands events to one observer and completions to their requests, each in order and never on the main thread.
///
/// Nothing that happens in a loader waits for an observer or for an app.
final class EventQueue: Sendable {
    private let events = DispatchQueue(label: "headwind.resource-events")
    private let completions = CompletionQueue.shared
    private let order = Mutex(())
    private let observer: @Sendable (ClientEvent) -> Void

    init(observer: @escaping @Sendable (ClientEvent) -> Void) { self.observer = observer }

    /// Tells the observer.
    ///
    /// The moment of the call is the event's time, and times never go back.
    func emit(_ kind: ClientEvent.Kind, _ fill: (inout ClientEvent) -> Void) {
        order.withLock { _ in
            let event = ClientEvent(kind, at: MonotonicClock.now, fill)
            events.async { [observer] in observer(event) }
        }
    }

    /// Calls an app back, after the observer has seen every event before.
    func complete(_ body: @escaping @Sendable () -> Void) {
        events.async { [completions] in completions.async(execute: body) }
    }

    /// Returns when everything that was handed over has been delivered.
    func drain() async {
        await withCheckedContinuation { continuation in complete { continuation.resume() } }
    }
}

/// Where apps are called back: one serial queue of the process's, whichever bundle a request is for, and never the
/// main one (NSBundle.h).
enum CompletionQueue {
    static let shared = DispatchQueue(label: "headwind.resource-requests")
}
