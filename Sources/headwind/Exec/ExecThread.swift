import Dispatch

/// Threads for work that waits, which must not hold one of Swift's few cooperative threads.
enum ExecThread {
    static func start(_ run: @escaping @Sendable () -> Void) {
        DispatchQueue(label: "headwind.exec").async(execute: run)
    }
}
