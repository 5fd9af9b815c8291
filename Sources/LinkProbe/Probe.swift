import NIOCore

/// One probe under way.
struct Probe {
    let route: ProbeRoute
    let server: ProbeServer
    let plan: ProbePlan
    let loop: any EventLoop
    let start = NIODeadline.now()

    private var deadline: NIODeadline { start + plan.deadline }
    private var target: String { "\(server.host):\(server.port)" }

    func run() async throws -> ProbeResult {
        let (connect, echoes) = try await delays()
        let download = try await download()
        let upload = try await upload()
        let spread = { (times: (EchoHandler.Echo) -> Int64) in DelaySpread(echoes.map { .nanoseconds(times($0)) }) }
        guard let up = spread({ $0.served - $0.sent }), let down = spread({ $0.received - $0.served }),
            let both = spread({ $0.received - $0.sent })
        else { preconditionFailure("an echo handler brings one echo at least") }
        return ProbeResult(
            connect: connect, uplinkDelay: up, downlinkDelay: down, roundTrip: both,
            download: Throughput(download, plan: plan), upload: Throughput(upload, plan: plan))
    }

    private func delays() async throws -> (connect: Duration, echoes: [EchoHandler.Echo]) {
        try await withConnection { socket, connect in
            let (count, end) = (plan.echoes, start + plan.deadline / 3)
            return (
                connect,
                try await socket.bring("send messages to \(target)") { EchoHandler(count: count, end: end, $0) }
            )
        }
    }

    private func download() async throws -> ArrivalLog {
        try await withConnection { socket, _ in
            // The upload has as much of what is left.
            let now = NIODeadline.now()
            let (limits, bytes) = (limits(until: now + .nanoseconds((deadline - now).nanoseconds / 2)), plan.bytes)
            return try await socket.bring("download from \(target)") { (goal: Goal<ArrivalLog>) in
                var greeting = ByteBuffer()
                ProbeMessage.write(.source(bytes: bytes), to: &greeting)
                return BulkReceiver(greeting: greeting, limits, goal)
            }
        }
    }

    private func upload() async throws -> ArrivalLog {
        try await withConnection { socket, _ in
            let (limits, uploads) = (limits(until: deadline), server.uploads)
            return try await socket.bring("upload to \(target)") { (goal: Goal<ArrivalLog>) in
                let number = uploads.expect(UploadTable.Upload(limits: limits, goal: goal))
                goal.result.whenComplete { _ in _ = uploads.take(number) }
                var greeting = ByteBuffer()
                ProbeMessage.write(.sink(upload: number), to: &greeting)
                return BulkSender(greeting: greeting, bytes: .max)
            }
        }
    }

    private func limits(until end: NIODeadline) -> BulkReceiver.Limits {
        BulkReceiver.Limits(duration: plan.duration, bytes: max(1, plan.bytes), deadline: end)
    }

    /// Runs `body` with a connection to the server and the time it took to make, and resets the connection.
    private func withConnection<Value>(_ body: (ProbeSocket, Duration) async throws -> Value) async throws -> Value {
        let began = NIODeadline.now()
        let socket =
            switch route {
            case .direct:
                try await ProbeSocket.connect(to: server.host, port: server.port, loop: loop, deadline: deadline)
            case .proxy(let host, let port):
                try await ProbeSocket.connect(to: host, port: port, loop: loop, deadline: deadline)
            }
        do {
            if route != .direct { try await openTunnel(socket) }
            let value = try await body(socket, began.elapsed)
            await socket.abort()
            return value
        } catch {
            await socket.abort()
            throw error
        }
    }

    private func openTunnel(_ socket: ProbeSocket) async throws {
        let attempt = "open a tunnel to \(target) through the proxy"
        let question = "CONNECT \(target) HTTP/1.1\r\nHost: \(target)\r\n\r\n"
        let head = try await socket.bring(attempt) { HeadHandler(question, $0) }
        guard (200..<300).contains(head.status) else {
            let outcome = ProbeError.Outcome.refused(
                status: head.status, reason: head.reason, proxyStatus: head["Proxy-Status"])
            throw ProbeError(attempt: attempt, peer: socket.peer, outcome: outcome)
        }
    }
}
