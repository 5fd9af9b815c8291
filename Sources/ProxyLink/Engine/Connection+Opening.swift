internal import LinkModel
internal import NIOCore

extension Connection {
    /// The client's socket is connected.
    func began() {
        do throws(Denial) {
            if door == nil { try engine.configuration.access.check(client?.channel.remoteAddress) }
        } catch {
            refuse(.denied(error))
            return
        }
        switch entrance {
        case .forward:
            phase = .awaitingRequest(
                RequestCollector(
                    headLimit: engine.configuration.limits.headBytes,
                    credentials: engine.configuration.access.credentials, page: pageAddress))
            setDeadline(engine.configuration.limits.headTime) { [self] in refuse(.tooSlow) }
            client?.read()
        case .reverse(let target):
            let destination = engine.destination(ofReverse: target)
            open(Course(mode: .reverse, target: target, destination: destination))
        case .door(let door):
            let target = door.value.target
            open(Course(mode: .reverse, target: target, destination: engine.destination(ofReverse: target)))
        }
        engine.pump()
    }

    /// Collects bytes of a forward proxy's client until its request is complete.
    func collect(_ bytes: ByteBuffer, in collector: RequestCollector) {
        var collector = collector
        var bytes = bytes
        // A write may find that the client has left, and end the connection.
        while !isEnded {
            do throws(Refusal) {
                let progress = try collector.append(&bytes)
                dialect = collector.dialect
                switch progress {
                case .incomplete:
                    phase = .awaitingRequest(collector)
                    return
                case .answer(let answer):
                    client?.write(answer)
                    client?.flush()
                case .page(let request):
                    clearDeadline()
                    if let page = engine.commons.page { serve(request, by: page) }
                    return
                case .complete(let request, let rest):
                    clearDeadline()
                    early = rest
                    follow(request)
                    return
                }
            } catch {
                dialect = collector.dialect
                refuse(error)
                return
            }
        }
    }

    /// Where the proxy's own pages are for this client; nil if there are none.
    private var pageAddress: PageAddress? {
        guard let page = engine.commons.page else { return nil }
        let local = client?.channel.localAddress.flatMap { address in
            address.ipAddress.map { Endpoint(host: $0, port: address.port ?? 0) }
        }
        return PageAddress(local: local, openPaths: page.openPaths)
    }

    private func follow(_ request: ProxyRequest) {
        guard let destination = engine.destination(for: request.target) else {
            refuse(.denied(.noRoute))
            return
        }
        switch request {
        case .tunnel(let target):
            open(Course(mode: .tunnel, target: target, destination: destination))
        case .socks(let target):
            open(Course(mode: .socks, target: target, destination: destination))
        case .forward(let target, let path, let head, let body):
            self.body = body
            key = engine.key(for: FirstRequest(beginning: head) ?? FirstRequest(path: path), of: self)
            isKeyed = true
            open(Course(mode: .forward, target: target, destination: destination, head: head))
            guard let alias = key.alias else { return }
            engine.rekey(self)
            emit(.keyed(key: "\(key)", alias: alias))
        }
    }

    private func open(_ course: Course) {
        self.course = course
        phase = .connecting
        let mode = door.map { "proxy \($0.name)" } ?? course.mode.rawValue
        let address = client?.address.map { "\($0)" }
        emit(.opened(mode: mode, target: "\(course.target)", key: "\(key)", client: address))
        engine.open(self, lookup: course.target.isAddress ? nil : course.target.host)
    }

    /// Connects to the real target, after the modelled link has let the connect attempt through.
    func dial(_ course: Course) {
        phase = .dialing
        let destination = course.destination
        let admission = engine.admission(of: self, to: course)
        engine.dial(destination, engine.tuning, admission).assumeIsolated().whenComplete { [self] result in
            dialed(destination, result)
            engine.pump()
        }
    }

    private func dialed(_ destination: Endpoint, _ result: Result<any Channel, any Error>) {
        switch (phase, result) {
        case (.dialing, .success(let channel)):
            attach(channel, destination)
        case (.dialing, .failure(let error)):
            refuse(Refusal(error, target: destination))
        case (_, .success(let channel)):
            // The client has left meanwhile. RST, as a target may still answer after a FIN.
            channel.reset()
        case (_, .failure):
            break
        }
    }

    private func attach(_ channel: any Channel, _ destination: Endpoint) {
        let host = SocketEnd(.host, channel: channel, connection: self)
        guard (try? channel.pipeline.syncOperations.addHandler(host)) != nil else {
            refuse(.upstream(UpstreamFailure(kind: nil, target: destination, reason: "it closed at once")))
            return
        }
        host.tune(engine.tuning, engine.readLimit)
        self.host = host
        phase = .relaying
        emit(.hostSide(port: channel.localAddress?.port ?? 0))
        if let answer = course?.answer(from: channel.localAddress) {
            client?.write(answer)
            client?.flush()
        }
        if let head = course?.head, !head.isEmpty { relay(ByteBuffer(bytes: head), from: .client) }
        applyToxics()
        let early = self.early
        self.early = ByteBuffer()
        if early.readableBytes > 0 { received(early, from: .client) }
        if client?.isInputClosed == true { finished(from: .client) }
        for end in End.allCases { readOn(from: end) }
    }
}
