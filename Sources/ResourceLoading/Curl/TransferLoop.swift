import LinuxSupport
import Synchronization

/// Runs transfers on libcurl's multi interface, all on one thread of its own.
///
/// The thread starts with the loop and ends after `stop`, which the owner must call.
package final class TransferLoop: Sendable {
    /// Messages from other threads to the loop's thread.
    struct Mailbox {
        var nextID: UInt64 = 0
        var added: [Order] = []
        var cancelled: Set<UInt64> = []
        var isStopped = false
        /// Whether a request urgently waits for what is transferred.
        var isUrgent = false
    }

    struct Order: Sendable {
        let id: UInt64
        let request: TransferRequest
        let receiver: any TransferReceiver
        let pause: TransferPause
        let continuation: CheckedContinuation<TransferResult, Never>
    }

    /// The shortest time between two reports of progress.
    static let tickInterval = Duration.milliseconds(50)

    let configuration: TransferConfiguration
    let multi: CurlMulti
    /// A multi handle without transfers, on which the thread waits while bytes gather.
    let bench: CurlMulti
    let tick: @Sendable () -> Void
    private let mailbox = Mutex(Mailbox())
    /// Opens when the thread no longer uses libcurl.
    private let ended = Latch<Void>()

    /// Starts a loop.
    ///
    /// `tick` is called on its thread after body bytes arrived, at most every 50 ms.
    ///
    /// Throws if libcurl has no memory or the system no thread.
    package init(_ configuration: TransferConfiguration, tick: @escaping @Sendable () -> Void = {}) throws {
        self.configuration = configuration
        self.tick = tick
        multi = try CurlMulti()
        bench = try CurlMulti()
        multi.keepConnections(max(1, configuration.parallel) + 2)
        try DedicatedThread.start { [self] in
            var thread = TransferLoopThread(self)
            thread.run()
            ended.open(())
        }
    }

    /// Ends the thread soon, and every transfer as cancelled.
    ///
    /// Later transfers are cancelled at once.
    package func stop() {
        mailbox.withLock { $0.isStopped = true }
        wakeUp()
    }

    /// Stops the loop, and returns once its thread does nothing more.
    ///
    /// A process that exits earlier would unload libcurl's libraries while the thread uses them.
    package func close() async {
        stop()
        await ended.value
    }

    /// Sets whether a request urgently waits for what is transferred; then bytes do not gather before they are read.
    func setUrgent(_ isUrgent: Bool) {
        let isChanged = mailbox.withLock { mailbox in
            defer { mailbox.isUrgent = isUrgent }
            return mailbox.isUrgent != isUrgent
        }
        if isChanged { wakeUp() }
    }

    /// Wakes the thread, wherever it waits, to read its mailbox and to check which of its transfers are paused.
    func wakeUp() {
        multi.wakeUp()
        bench.wakeUp()
    }

    /// Runs one transfer to its end.
    ///
    /// Never throws: the result says what happened. Cancelling the task ends it soon.
    func perform(
        _ request: TransferRequest, receiver: any TransferReceiver, pause: TransferPause
    ) async -> TransferResult {
        let id = mailbox.withLock { mailbox in
            mailbox.nextID += 1
            return mailbox.nextID
        }
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                post(Order(id: id, request: request, receiver: receiver, pause: pause, continuation: continuation))
            }
        } onCancel: {
            mailbox.withLock { _ = $0.cancelled.insert(id) }
            wakeUp()
        }
        mailbox.withLock { _ = $0.cancelled.remove(id) }
        return result
    }

    private func post(_ order: Order) {
        let isTaken = mailbox.withLock { mailbox in
            if !mailbox.isStopped { mailbox.added.append(order) }
            return !mailbox.isStopped
        }
        if isTaken { wakeUp() } else { order.continuation.resume(returning: TransferResult(ending: .cancelled)) }
    }

    /// Empties the mailbox: what to start, what to cancel, whether it is urgent, and whether to stop.
    func takeMail() -> Mailbox {
        mailbox.withLock { mailbox in
            defer { mailbox.added = [] }
            return mailbox
        }
    }
}
