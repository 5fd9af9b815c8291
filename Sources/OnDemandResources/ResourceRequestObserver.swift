import Events
import Foundation
import ResourceLoading
import Synchronization

/// Passes a loader's events to the progress of their requests, and its notifications to NotificationCenter.
final class ResourceRequestObserver: Sendable {
    static let shared = ResourceRequestObserver()

    private let progress = Mutex<[String: Progress]>([:])
    private let number = Atomic(0)

    /// Registers a progress, and returns a name for its request that is unique in this process.
    func register(_ progress: Progress) -> String {
        let name = "request-\(number.add(1, ordering: .relaxed).newValue)"
        self.progress.withLock { $0[name] = progress }
        return name
    }

    /// Forgets a request.
    func forget(_ name: String) { progress.withLock { $0[name] = nil } }

    /// Called for each event, in order, on one serial queue.
    func observe(_ event: ClientEvent) {
        switch event.kind {
        case .progress:
            guard let id = event.id, let fraction = event.fraction, let total = event.total,
                let progress = progress.withLock({ $0[id] })
            else { return }
            // A host may correct a size later. Setting both counts is not atomic, and an observer in between would see
            // the progress go back. So the units are bytes as they were first known, and do not change.
            if progress.totalUnitCount == 0, total > 0 || fraction == 1 { progress.totalUnitCount = max(total, 1) }
            let units = progress.totalUnitCount
            progress.completedUnitCount = fraction == 1 ? units : Int64(fraction * Double(units))
        case .notification:
            guard let name = event.name else { return }
            NotificationCenter.default.post(name: NSNotification.Name(name), object: nil)
        default: break
        }
    }
}
