import Dispatch

/// Runs an actor whose work waits for processes or the kernel, one job after the other, and none on Swift's few cooperative threads.
final class WaitingExecutor: SerialExecutor {
    private let queue: DispatchQueue

    /// `name`: what debuggers call it, such as `headwind.gateway`.
    init(_ name: String) { queue = DispatchQueue(label: name) }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }
}
