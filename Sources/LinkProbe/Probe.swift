import LinuxSupport
import NIOCore

/// One run of a probe.
struct Probe {
    let route: ProbeRoute
    let server: ProbeServer
    let plan: ProbePlan
    let loop: any EventLoop
    let start = NIODeadline.now()

    private var deadline: NIODeadline { start + plan.deadline }
    private var target: String { "\(server.host):\(server.port)" }

    /// The results of the first connection; `upload` is nil if the download still filled the connection.
    private struct First {
        let echoes: [EchoHandler.Echo]
        let download: ArrivalLog
        let upload: ArrivalLog?
    }

    func run() async throws -> ProbeResult {
        let first = try await first()
        var upload = first.upload
        if upload == nil { upload = try await uploadByItself() }
        func spread(_ time: (EchoHandler.Echo) -> Int64) -> DelaySpread {
            guard let spread = DelaySpread(first.echoes.map { Duration.nanoseconds(time($0)) }) else {
                preconditionFailure("an echo handler brings one echo at least")
            }
            return spread
        }
        return ProbeResult(
            uplinkDelay: spread { $0.served - $0.sent }, downlinkDelay: spread { $0.received - $0.served },
            download: Throughput(first.download, plan.download),
            upload: Throughput(upload ?? ArrivalLog(packet: plan.packet), plan.upload))
    }

    private func first() async throws -> First {
        try await withConnection { socket in
            let number = server.uploads.number()
            let (echoes, download) = try await converse(
                on: socket, greeting(number, echoes: max(1, plan.echoes), plan.download))
            // Bytes of the download that are still on their way would delay the upload.
            let isQuiet = download.bytes >= plan.download?.bytes ?? 0 || plan.upload == nil
            let upload = isQuiet ? try await self.upload(on: socket, as: number) : nil
            return First(echoes: echoes, download: download, upload: upload)
        }
    }

    private func uploadByItself() async throws -> ArrivalLog {
        try await withConnection { socket in
            let number = server.uploads.number()
            _ = try await converse(on: socket, greeting(number, echoes: 0, nil))
            return try await upload(on: socket, as: number)
        }
    }

    private func greeting(_ upload: UInt64, echoes: Int, _ download: ProbeLoad?) -> ProbeMessage.Greeting {
        ProbeMessage.Greeting(
            upload: upload, echoes: echoes, bytes: download?.bytes ?? 0, pieceBytes: download?.pieceBytes ?? 0)
    }

    /// Greets the server, and waits for the echoes and for the payload that the greeting asks for.
    private func converse(
        on socket: ProbeSocket, _ greeting: ProbeMessage.Greeting
    ) async throws -> (echoes: [EchoHandler.Echo], download: ArrivalLog) {
        let goal = Goal<[EchoHandler.Echo]>("send messages to \(target)", peer: socket.peer, on: loop)
        let arrivals = Goal<ArrivalLog>("download from \(target)", peer: socket.peer, on: loop)
        // If this throws, or there is no download, no caller waits for the goal.
        defer { arrivals.cancel() }
        guard greeting.bytes > 0, let load = plan.download else {
            let echoes = try await socket.bring(goal) { [EchoHandler(greeting, goal)] }
            return (echoes, ArrivalLog(packet: plan.packet))
        }
        let now = NIODeadline.now()
        // The download leaves the upload the time that its load may take.
        let rest = plan.upload.map { $0.duration } ?? .zero
        let end = max(now, deadline - .nanoseconds(rest.wholeNanoseconds))
        let limits = BulkReceiver.Limits(load: load, deadline: end, packet: plan.packet)
        let echoes = try await socket.bring(goal) {
            [EchoHandler(greeting, goal), BulkReceiver(limits, arrivals), EndWatch(arrivals)]
        }
        return (echoes, try await socket.bring(arrivals) { [] })
    }

    private func upload(on socket: ProbeSocket, as number: UInt64) async throws -> ArrivalLog {
        guard let load = plan.upload else { return ArrivalLog(packet: plan.packet) }
        let goal = Goal<ArrivalLog>("upload to \(target)", peer: socket.peer, on: loop)
        let limits = BulkReceiver.Limits(load: load, deadline: deadline, packet: plan.packet)
        server.uploads.expect(UploadTable.Upload(receiver: limits, goal: goal), as: number)
        defer { _ = server.uploads.take(number) }
        do {
            return try await socket.bring(goal) { [BulkSender(bytes: load.bytes, pieceBytes: load.pieceBytes)] }
        } catch let error as ProbeError {
            // No byte of the upload arrived; the measurements before it are still valid.
            guard case .silent = error.outcome else { throw error }
            return ArrivalLog(packet: plan.packet)
        }
    }

    /// Runs `body` with a connection to the server, and then resets the connection.
    private func withConnection<Value>(_ body: (ProbeSocket) async throws -> Value) async throws -> Value {
        let socket =
            switch route {
            case .direct:
                try await ProbeSocket.connect(to: server.host, port: server.port, loop: loop, deadline: deadline)
            case .proxy(let host, let port):
                try await ProbeSocket.connect(to: host, port: port, loop: loop, deadline: deadline)
            case .sockets(let connect):
                try await ProbeSocket.adopt(try await connect(), peer: target, loop: loop, deadline: deadline)
            }
        return try await ending {
            if case .proxy = route { try await openTunnel(socket) }
            return try await body(socket)
        } with: {
            await socket.abort()
        }
    }

    private func openTunnel(_ socket: ProbeSocket) async throws {
        let question = "CONNECT \(target) HTTP/1.1\r\nHost: \(target)\r\n\r\n"
        let goal = Goal<HTTPHead>("open a tunnel to \(target) through the proxy", peer: socket.peer, on: loop)
        let head = try await socket.bring(goal) { [HeadHandler(question, goal)] }
        guard (200..<300).contains(head.status) else {
            let outcome = ProbeError.Outcome.refused(
                status: head.status, reason: head.reason, proxyStatus: head["Proxy-Status"])
            throw ProbeError(attempt: goal.attempt, peer: socket.peer, outcome: outcome)
        }
    }
}
