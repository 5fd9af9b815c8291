import LinuxSupport
import Synchronization

/// Runs transfers on libcurl's multi interface, all on one thread of its own.
///
/// The thread starts with the loop and ends with `stop`, which the owner must call.
package final class TransferLoop: Sendable {
    /// What other threads leave for the loop's thread.
    private struct Mailbox {
        var nextID: UInt64 = 0
        var added: [Order] = []
        var cancelled: Set<UInt64> = []
        var isStopped = false
        /// Whether somebody urgently waits for what is transferred.
        var isUrgent = false
        /// Whether the thread is through with libcurl.
        var isEnded = false
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    struct Order: Sendable {
        let id: UInt64
        let request: TransferRequest
        let receiver: any TransferReceiver
        let pause: TransferPause
        let continuation: CheckedContinuation<TransferResult, Never>
    }

    /// How often progress is told of, at most.
    static let tickInterval = Duration.milliseconds(50)

    let configuration: TransferConfiguration
    let multi: CurlMulti
    /// Without any transfer: where the thread waits while bytes gather.
    let bench: CurlMulti
    let tick: @Sendable () -> Void
    private let mailbox = Mutex(Mailbox())

    /// Starts a loop.
    ///
    /// `tick` is called on its thread after body bytes arrived, at most every 50 ms.
    ///
    /// Throws where libcurl has no memory or the system no thread.
    package init(_ configuration: TransferConfiguration, tick: @escaping @Sendable () -> Void = {}) throws {
        self.configuration = configuration
        self.tick = tick
        multi = try CurlMulti()
        bench = try CurlMulti()
        multi.keepConnections(max(1, configuration.parallel) + 2)
        try DedicatedThread.start { [self] in
            var thread = TransferLoopThread(self)
            thread.run()
            end()
        }
    }

    /// Ends the thread soon, and every transfer with it as cancelled.
    ///
    /// Further transfers are cancelled at once.
    package func stop() {
        mailbox.withLock { $0.isStopped = true }
        wakeUp()
    }

    /// Stops the loop, and returns when its thread does nothing more.
    ///
    /// A process that exits earlier would take libcurl's libraries away under the thread.
    package func close() async {
        stop()
        await withCheckedContinuation { continuation in
            let isEnded = mailbox.withLock { mailbox in
                if !mailbox.isEnded { mailbox.waiting.append(continuation) }
                return mailbox.isEnded
            }
            if isEnded { continuation.resume() }
        }
    }

    private func end() {
        let waiting = mailbox.withLock { mailbox in
            mailbox.isEnded = true
            return mailbox.waiting
        }
        for continuation in waiting { continuation.resume() }
    }

    /// Has the loop look which of its transfers are paused.
    func noticePauses() { wakeUp() }

    /// Says whether somebody urgently waits for what is transferred: then nothing gathers.
    func setUrgent(_ isUrgent: Bool) {
        let isChanged = mailbox.withLock { mailbox in
            defer { mailbox.isUrgent = isUrgent }
            return mailbox.isUrgent != isUrgent
        }
        if isChanged { wakeUp() }
    }

    /// Has the thread look at its mail, wherever it waits.
    private func wakeUp() {
        multi.wakeUp()
        bench.wakeUp()
    }

    /// Runs one transfer to its end.
    ///
    /// Never throws: the result says what happened. Cancelling the task ends it soon.
    func perform(
        _ request: TransferRequest,
        receiver: any TransferReceiver,
        pause: TransferPause
    ) async -> TransferResult {
        let id = mailbox.withLock { mailbox in
            mailbox.nextID += 1
            return mailbox.nextID
        }
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let order = Order(
                    id: id,
                    request: request,
                    receiver: receiver,
                    pause: pause,
                    continuation: continuation
                )
                post(order)
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

    /// What the loop's thread finds in the mailbox.
    struct Mail {
        var added: [Order]
        var cancelled: Set<UInt64>
        var isUrgent: Bool
        var isStopped: Bool
    }

    /// Empties the mailbox: what to start, what to cancel, whether to hurry, and whether to stop.
    func takeMail() -> Mail {
        mailbox.withLock { mailbox in
            defer { mailbox.added = [] }
            return Mail(
                added: mailbox.added, cancelled: mailbox.cancelled, isUrgent: mailbox.isUrgent,
                isStopped: mailbox.isStopped)
        }
    }
}
