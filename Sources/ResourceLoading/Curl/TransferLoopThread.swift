import LinuxSupport

/// The part of a transfer loop that runs on its thread; nothing in it is shared.
struct TransferLoopThread {
    /// How long a transfer may receive nothing before others may use the link, in nanoseconds: longer than a
    /// retransmission takes.
    private static let idleTime: Int64 = 2_000_000_000

    private let loop: TransferLoop
    private let patience: Int64
    private var active: [UInt: ActiveTransfer] = [:]
    /// Orders that were paused when they arrived; they start once they no longer are.
    private var waiting: [TransferLoop.Order] = []
    private var lastTick: Int64 = 0
    private var coalescer: ReceiveCoalescer

    init(_ loop: TransferLoop) {
        self.loop = loop
        patience = loop.configuration.patience.nanoseconds
        coalescer = loop.configuration.coalescer
    }

    /// Runs until the loop is stopped.
    mutating func run() {
        while true {
            let mail = loop.takeMail()
            waiting += mail.added
            cancel { mail.isStopped || mail.cancelled.contains($0) }
            if mail.isStopped { return }
            followPauses()
            advance()
            while let (address, code) = loop.multi.nextFinished() {
                guard let transfer = active[address] else { continue }
                end(transfer, code == .ok ? .complete : .failed(code))
            }
            endSilentOnes(at: MonotonicClock.now)
            noticeIdleOnes(at: MonotonicClock.now)
            tellProgress(at: MonotonicClock.now)
            wait(isUrgent: mail.isUrgent)
        }
    }

    /// Lets libcurl work, and measures how many bytes arrive.
    private mutating func advance() {
        let running = active.values.filter { $0.isInBody && !$0.isHeld }
        let before = running.reduce(0) { $0 + $1.taken }
        loop.multi.advance()
        guard !running.isEmpty else { return coalescer.stand() }
        coalescer.took(running.reduce(0) { $0 + $1.taken } - before, at: MonotonicClock.now)
    }

    /// Waits for traffic; if nothing is urgent, it first lets more bytes gather.
    private func wait(isUrgent: Bool) {
        let longest = milliseconds(untilNext: MonotonicClock.now)
        let rest = isUrgent ? 0 : min(longest, Int32(clamping: restTime / 1_000_000))
        if rest > 0 { loop.bench.wait(milliseconds: rest) } else { loop.multi.wait(milliseconds: longest) }
    }

    /// How long nothing needs to be read from the running transfers, in nanoseconds.
    private var restTime: Int64 {
        let running = active.values.filter { !$0.isHeld }
        // While a connection is made or a head is awaited, every delay adds to a round trip, so there is no rest.
        guard !running.isEmpty,
            running.allSatisfy({ $0.order.request.isSparing && $0.taken > coalescer.beginning })
        else { return 0 }
        return coalescer.rest(left: running.compactMap(\.left).min())
    }

    private mutating func cancel(_ isCancelled: (UInt64) -> Bool) {
        for order in waiting where isCancelled(order.id) {
            order.continuation.resume(returning: TransferResult(ending: .cancelled))
        }
        waiting.removeAll { isCancelled($0.id) }
        for transfer in active.values where isCancelled(transfer.order.id) { end(transfer, .cancelled) }
    }

    private mutating func followPauses() {
        let (orders, now) = (waiting, MonotonicClock.now)
        waiting = []
        for order in orders {
            if let moment = order.pause.start, moment <= now { start(order) } else { waiting.append(order) }
        }
        for transfer in active.values {
            if transfer.isToYield { end(transfer, .yielded) } else { transfer.followPause() }
        }
    }

    private mutating func start(_ order: TransferLoop.Order) {
        do {
            let transfer = try ActiveTransfer(order, loop.configuration)
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

    /// Marks transfers of silent hosts as idle, so that those of lower priority may use the link meanwhile.
    private func noticeIdleOnes(at now: Int64) {
        for transfer in active.values where !transfer.isHeld {
            if now - transfer.lastActivity >= Self.idleTime { transfer.noticePhases() }
            transfer.noticeIdle(now - transfer.lastActivity >= Self.idleTime)
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

    /// How long the loop may wait for traffic, in milliseconds: until a patience ends or progress must be reported.
    private func milliseconds(untilNext now: Int64) -> Int32 {
        var next = now + 60_000_000_000
        for order in waiting { next = min(next, order.pause.start ?? next) }
        for transfer in active.values {
            if !transfer.isHeld {
                next = min(next, transfer.lastActivity + patience)
                let idle = transfer.lastActivity + Self.idleTime
                if idle > now { next = min(next, idle) }
            }
            if transfer.hasNews { next = min(next, lastTick + TransferLoop.tickInterval.nanoseconds) }
        }
        // Rounded up, so that the loop does not wake just before the moment.
        return Int32(clamping: max(0, (next - now + 999_999) / 1_000_000))
    }
}
