internal import LinkModel
internal import NIOCore
internal import NIOHTTP1

/// Answers of the proxy itself, which bypass the link: a page must load even while the link is offline.
extension Connection {
    /// Answers a request for a page; drops what the client sends after it.
    func serve(_ request: APIRequest, by page: ProxyPage) {
        phase = .serving
        var request = request
        request.client = client?.channel.remoteAddress?.ipAddress
        let asked = request
        setDeadline(engine.configuration.limits.headTime) { [self] in finish() }
        let answer = engine.eventLoop.makeFutureWithTask { await page.answer(asked) }
        answer.assumeIsolated().whenSuccess { [self] in send($0) }
        client?.read()
    }

    private func send(_ answer: APIResponse) {
        guard case .serving = phase else { return }
        client?.write(ByteBuffer(bytes: Self.head(of: answer) + answer.body))
        guard let events = answer.events else {
            client?.finish()
            setDeadline(Self.lingerTime) { [self] in finish() }
            return
        }
        clearDeadline()
        client?.flush()
        follow(events)
    }

    /// Sends the events that follow an answer, for as long as the client takes them.
    private func follow(_ events: AsyncStream<[UInt8]>) {
        let box = NIOLoopBound(self, eventLoop: engine.eventLoop)
        let eventLoop = engine.eventLoop
        follower = Task {
            for await event in events {
                let goesOn = try? await eventLoop.submit { box.value.send(event) }.get()
                guard goesOn == true else { break }
            }
            _ = try? await eventLoop.submit { box.value.finish() }.get()
        }
    }

    /// Sends an event, and returns whether to go on; false if the client has left or took nothing for 60 events.
    private func send(_ event: [UInt8]) -> Bool {
        guard case .serving = phase, let client else { return false }
        guard client.isWritable, client.bufferedBytes == 0 else {
            missedEvents += 1
            return missedEvents < Self.mostMissedEvents
        }
        missedEvents = 0
        client.write(ByteBuffer(bytes: event))
        client.flush()
        return true
    }

    private static let mostMissedEvents = 60

    private static func head(of answer: APIResponse) -> [UInt8] {
        let status = HTTPResponseStatus(statusCode: answer.status)
        var head = "HTTP/1.1 \(status.code) \(status.reasonPhrase)\r\n"
        if !answer.contentType.isEmpty { head += "Content-Type: \(answer.contentType)\r\n" }
        if answer.events == nil { head += "Content-Length: \(answer.body.count)\r\n" }
        for (name, value) in answer.fields { head += "\(name): \(value)\r\n" }
        return Array((head + "Cache-Control: no-store\r\nConnection: close\r\n\r\n").utf8)
    }
}
