import Dispatch

/// Runs the jobs of an actor whose work waits for processes or the kernel, one after the other.
///
/// It does not use Swift's few cooperative threads.
final class WaitingExecutor: SerialExecutor {
    private let queue: DispatchQueue

    /// `name` is its name in debuggers, such as `headwind.gateway`.
    init(_ name: String) { queue = DispatchQueue(label: name) }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }
}
