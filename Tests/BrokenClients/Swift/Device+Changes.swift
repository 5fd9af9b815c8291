import Foundation

/// Changes to a request that has begun.
extension Device {
    func cancel(_ request: Request) {
        // BUG: ignores the cancel, or calls back and continues.
        if bugs.has(.ignoresCancel), bugs.isSecondForm { return }
        fail(request, Failure(.cancelled, "The request was cancelled."))
    }

    func setPaused(_ request: Request, _ isPaused: Bool) {
        lock.withLock {
            guard request.isPaused != isPaused else { return }
            request.isPaused = isPaused
            events.tell(isPaused ? "paused" : "resumed", ["id": request.id])
            schedule.pump()
        }
    }

    func setPriority(_ request: Request, _ priority: Double) {
        lock.withLock {
            request.priority = priority
            events.tell("priority", ["id": request.id, "priority": Self.told(priority)])
            schedule.pump()
        }
    }
}
