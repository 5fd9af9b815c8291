import LinkModel

@testable import LinkProbe

/// A probe over a ``StreamLink`` in virtual time: the same messages and loads, and no machine that could be late.
struct VirtualProbe {
    let plan: ProbePlan
    private var link: StreamLink
    private var now = Instant(nanoseconds: 0)
    /// Pieces still to be written, the end and stream that write them, and when the next one is due.
    private var pieces: (count: Int, from: End, on: StreamID, next: Instant)?

    init(_ profile: Profile, seed: UInt64, plan: ProbePlan) {
        self.plan = plan
        link = StreamLink(profile: profile, seed: seed, start: Instant(nanoseconds: 0))
    }

    /// The result, and how long it took; nil if nothing came back by the deadline.
    mutating func run() -> (result: ProbeResult, took: Duration)? {
        let stream = link.open(key: "probe", at: now)
        guard isConnected(stream) else { return nil }
        let connect = Instant(nanoseconds: 0).duration(to: now)
        var echoes: [EchoHandler.Echo] = []
        for number in 0..<plan.echoes {
            let sent = now
            link.send((number == 0 ? 36 : 0) + 20, from: .client, on: stream, at: now)
            guard takes((number == 0 ? 36 : 0) + 20, at: .host) else { return nil }
            let served = now
            link.send(20, from: .host, on: stream, at: now)
            // The server sends its load right after the last answer.
            guard number + 1 < plan.echoes || plan.download == nil else { break }
            guard takes(20, at: .client) else { return nil }
            echoes.append(.init(sent: sent.nanoseconds, served: served.nanoseconds, received: now.nanoseconds))
        }
        var download = ArrivalLog(packet: plan.packet)
        if let load = plan.download {
            let (sent, served) = (echoes.last?.received ?? connect.wholeNanoseconds, now)
            send(load, from: .host, on: stream)
            guard takes(20, at: .client, rest: &download) else { return nil }
            echoes.append(.init(sent: sent, served: served.nanoseconds, received: now.nanoseconds))
            take(load, at: .client, into: &download)
        }
        let upload = upload(on: download.bytes < plan.download?.bytes ?? 0 ? nil : stream)
        return result(echoes, download, upload).map { ($0, Instant(nanoseconds: 0).duration(to: now)) }
    }

    private mutating func upload(on stream: StreamID?) -> ArrivalLog {
        var log = ArrivalLog(packet: plan.packet)
        guard let load = plan.upload else { return log }
        pieces = nil
        let id = stream ?? link.open(key: "second", at: now)
        if stream == nil {
            guard isConnected(id) else { return log }
            link.send(36, from: .client, on: id, at: now)
            guard takes(36, at: .host) else { return log }
        }
        send(load, from: .client, on: id)
        take(load, at: .host, into: &log)
        return log
    }

    private func result(
        _ echoes: [EchoHandler.Echo], _ download: ArrivalLog, _ upload: ArrivalLog
    ) -> ProbeResult? {
        func spread(_ time: (EchoHandler.Echo) -> Int64) -> DelaySpread? {
            DelaySpread(echoes.map { Duration.nanoseconds(time($0)) })
        }
        guard let up = spread({ $0.served - $0.sent }), let down = spread({ $0.received - $0.served }) else {
            return nil
        }
        return ProbeResult(
            uplinkDelay: up, downlinkDelay: down, download: Throughput(download, plan.download),
            upload: Throughput(upload, plan.upload))
    }

    private mutating func send(_ load: ProbeLoad, from end: End, on id: StreamID) {
        guard let piece = load.pieceBytes else { return link.send(load.bytes, from: end, on: id, at: now) }
        pieces = (load.bytes / piece, end, id, now)
        write(piece)
    }

    private mutating func write(_ bytes: Int) {
        guard let (count, end, id, next) = pieces else { return }
        link.send(bytes, from: end, on: id, at: next)
        pieces = count > 1 ? (count - 1, end, id, next + .milliseconds(10)) : nil
    }

    /// Returns the next event when it happens; nil after `end`.
    private mutating func step(until end: Instant) -> StreamEvent? {
        while true {
            if let event = link.poll(at: now) { return event }
            guard let due = [link.nextDeadline, pieces?.next].compactMap({ $0 }).min(), due <= end else { return nil }
            now = max(now, due)
            let load = pieces?.from == .host ? plan.download : plan.upload
            if let pieces, pieces.next <= now, let bytes = load?.pieceBytes { write(bytes) }
        }
    }

    private var deadline: Instant { Instant(nanoseconds: plan.deadline.wholeNanoseconds) }

    private mutating func isConnected(_ stream: StreamID) -> Bool {
        while let event = step(until: deadline) {
            if case .connected(stream, _) = event { return true }
        }
        return false
    }

    private mutating func takes(_ count: Int, at end: End) -> Bool {
        var rest = ArrivalLog()
        return takes(count, at: end, rest: &rest)
    }

    private mutating func takes(_ count: Int, at end: End, rest: inout ArrivalLog) -> Bool {
        var left = count
        while left > 0, let event = step(until: deadline) {
            guard case .delivered(_, end, let count, let at) = event else { continue }
            if count > left { rest.note(count - left, at: at.nanoseconds) }
            left -= count
        }
        return left <= 0
    }

    private mutating func take(_ load: ProbeLoad, at end: End, into log: inout ArrivalLog) {
        var limit = log.bytes > 0 ? now + load.duration : deadline
        while log.bytes < load.bytes, let event = step(until: limit) {
            guard case .delivered(_, end, let count, let at) = event else { continue }
            if log.bytes == 0 { limit = min(deadline, now + load.duration) }
            log.note(count, at: at.nanoseconds)
            let known = Throughput(log, load).uncertainty
            if let known, let sufficient = load.sufficient, known <= sufficient { return }
        }
    }
}
