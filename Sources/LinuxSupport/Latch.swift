import Synchronization

/// A value that is set once, and that any number of tasks may wait for.
package final class Latch<Value: Sendable>: Sendable {
    private enum State {
        case waiting([CheckedContinuation<Value, Never>])
        case open(Value)
    }

    private let state = Mutex(State.waiting([]))

    /// A latch without a value yet.
    package init() {}

    /// Sets the value.
    ///
    /// Call it once.
    package func open(_ value: Value) {
        let waiting = state.withLock { state in
            guard case .waiting(let waiting) = state else { preconditionFailure("a latch was opened twice") }
            state = .open(value)
            return waiting
        }
        for continuation in waiting { continuation.resume(returning: value) }
    }

    /// The value; nil before it is set.
    package var now: Value? {
        state.withLock { state -> Value? in
            guard case .open(let value) = state else { return nil }
            return value
        }
    }

    /// Waits for the value; nil if the task is cancelled before it is set.
    ///
    /// After that, another task still waits until it is set.
    package var valueUnlessCancelled: Value? {
        get async {
            if let now { return now }
            let values = AsyncStream { continuation in
                Task { continuation.yield(await value) }
            }
            for await value in values { return value }
            return nil
        }
    }

    /// Waits for the value, also if the task is cancelled.
    package var value: Value {
        get async {
            await withCheckedContinuation { continuation in
                let value = state.withLock { state -> Value? in
                    switch state {
                    case .open(let value): return value
                    case .waiting(let others):
                        state = .waiting(others + [continuation])
                        return nil
                    }
                }
                if let value { continuation.resume(returning: value) }
            }
        }
    }
}
