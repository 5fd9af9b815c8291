/// What runs on a transfer loop's thread: nothing in here is shared.
struct TransferLoopThread {
    private let loop: TransferLoop
    private let patience: Int64
    private var active: [UInt: ActiveTransfer] = [:]
    /// Orders whose brake was on when they came: they are started when it is off.
    private var waiting: [TransferLoop.Order] = []
    private var lastTick: Int64 = 0

    init(_ loop: TransferLoop) {
        self.loop = loop
        patience = loop.configuration.patience.nanoseconds
    }

    /// Runs until the loop is stopped.
    mutating func run() {
        while true {
            let mail = loop.takeMail()
            waiting += mail.added
            cancel { mail.isStopped || mail.cancelled.contains($0) }
            if mail.isStopped { return }
            followBrakes()
            loop.multi.advance()
            while let (address, code) = loop.multi.nextFinished() {
                guard let transfer = active[address] else { continue }
                end(transfer, code == .ok ? .complete : .failed(code))
            }
            endSilentOnes(at: Monotonic.now())
            tellProgress(at: Monotonic.now())
            loop.multi.wait(milliseconds: milliseconds(untilNext: Monotonic.now()))
        }
    }

    private mutating func cancel(_ isCancelled: (UInt64) -> Bool) {
        for order in waiting where isCancelled(order.id) {
            order.continuation.resume(returning: TransferResult(ending: .cancelled))
        }
        waiting.removeAll { isCancelled($0.id) }
        for transfer in active.values where isCancelled(transfer.id) { end(transfer, .cancelled) }
    }

    private mutating func followBrakes() {
        let orders = waiting
        waiting = []
        for order in orders {
            if order.brake.isOn { waiting.append(order) } else { start(order) }
        }
        for transfer in active.values {
            if transfer.isToYield { end(transfer, .yielded) } else { transfer.followBrake() }
        }
    }

    private mutating func start(_ order: TransferLoop.Order) {
        do {
            let transfer = try ActiveTransfer(
                id: order.id,
                request: order.request,
                configuration: loop.configuration,
                receiver: order.receiver,
                brake: order.brake,
                finish: { order.continuation.resume(returning: $0) }
            )
            try loop.multi.add(transfer.easy)
            active[transfer.address] = transfer
        } catch {
            order.continuation.resume(returning: TransferResult(ending: .failed(error), detail: error.text))
        }
    }

    private mutating func end(_ transfer: ActiveTransfer, _ ending: TransferResult.Ending) {
        loop.multi.remove(transfer.easy)
        active[transfer.address] = nil
        transfer.finish(ending)
    }

    private mutating func endSilentOnes(at now: Int64) {
        for transfer in active.values where !transfer.isHeld && now - transfer.lastActivity >= patience {
            transfer.noticePhases()
            if now - transfer.lastActivity >= patience { end(transfer, .silent) }
        }
    }

    private mutating func tellProgress(at now: Int64) {
        guard now - lastTick >= TransferLoop.tickInterval.nanoseconds, active.values.contains(where: \.hasNews) else {
            return
        }
        lastTick = now
        active.values.forEach { $0.hasNews = false }
        loop.tick()
    }

    /// How long the loop may wait for traffic: until a patience ends or progress is to be told.
    private func milliseconds(untilNext now: Int64) -> Int32 {
        var next = now + 60_000_000_000
        for transfer in active.values {
            if !transfer.isHeld { next = min(next, transfer.lastActivity + patience) }
            if transfer.hasNews { next = min(next, lastTick + TransferLoop.tickInterval.nanoseconds) }
        }
        // Rounded up, so that the loop does not wake just before the moment.
        return Int32(clamping: max(0, (next - now + 999_999) / 1_000_000))
    }
}
