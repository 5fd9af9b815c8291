import Events
import Foundation
import ResourceLoading
import Synchronization

/// Brings a loader's events to the progress of the requests that they are about.
final class ResourceRequestObserver: Sendable {
    static let shared = ResourceRequestObserver()

    private let progress = Mutex<[String: Progress]>([:])
    private let names = Mutex(0)

    /// A name for a request that no other has in this process.
    func register(_ progress: Progress) -> String {
        let name = names.withLock { number in
            number += 1
            return "request-\(number)"
        }
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
            // A host may correct a size later. Setting both counts is not one step, and an observer in between would
            // see progress go back: the units are bytes as they were first known, and stay.
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
