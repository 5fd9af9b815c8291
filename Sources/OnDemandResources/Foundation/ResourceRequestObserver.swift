import Foundation
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
    func observe(_ event: LoaderEvent) {
        switch event.kind {
        case .progress(let id, let fraction, _, let total):
            guard let progress = progress.withLock({ $0[id] }) else { return }
            // A request that misses nothing still has one unit to complete.
            let units = max(total, 1)
            if progress.totalUnitCount != units { progress.totalUnitCount = units }
            progress.completedUnitCount = fraction == 1 ? units : Int64(fraction * Double(units))
        case .notification(let name):
            NotificationCenter.default.post(name: NSNotification.Name(name), object: nil)
        default: break
        }
    }
}
