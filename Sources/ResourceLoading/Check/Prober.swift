import LinuxSupport

/// Sends small requests to a host, each limited in time and bytes, whatever the host does.
struct Prober: Sendable {
    let loop: TransferLoop
    /// The longest that one request may take.
    let patience: Duration
    /// When all requests must be over, in nanoseconds of CLOCK_MONOTONIC.
    let deadline: Int64

    /// Whether there is no time left.
    var isOver: Bool { MonotonicClock.now >= deadline }

    /// Sends a request and follows redirects.
    ///
    /// Each request carries `fields`; only the address's own origin also gets the configured header fields. `most` is
    /// the most bytes of the body (default: 64 KiB). With `wantsPart` it stops at the head of an answer with the whole
    /// file.
    func ask(
        _ url: String, _ method: TransferRequest.Method = .get, fields: [String] = [], most: Int = 64 << 10,
        wantsPart: Bool = false
    ) async -> ProbeAnswer {
        var redirects: [String] = []
        var target = url
        while true {
            let receiver = ProbeReceiver(most: most, wantsPart: wantsPart)
            var request = TransferRequest(url: target, headers: fields)
            if CurlURL(target)?.origin == CurlURL(url)?.origin { request.headers += loop.configuration.headers }
            let result = await send(&request, method, receiver)
            var answer = receiver.answer
            (answer.url, answer.redirects, answer.failure) = (target, redirects, DownloadFailure(result))
            if answer.head == nil, answer.failure == nil {
                answer.failure = .init(.badResponse, "The host sent no readable response head.")
            }
            guard [301, 302, 303, 307, 308].contains(answer.status) else { return answer }
            do throws(DownloadFailure) {
                target = try DownloadFailure.redirected(from: target, to: result.redirect)
                guard redirects.count < loop.configuration.redirectLimit else {
                    throw .init(
                        .redirectLoop, "The host redirects more than \(loop.configuration.redirectLimit) times.")
                }
            } catch {
                answer.failure = error
                return answer
            }
            redirects.append(Redaction.url(target))
        }
    }

    /// Makes a TLS handshake without a request, and returns what the host showed.
    func shakeHands(_ url: String, _ protocols: TransferRequest.Protocols) async -> TransferResult {
        var request = TransferRequest(url: url)
        return await send(&request, .handshake(protocols), ProbeReceiver(most: 0, wantsPart: true))
    }

    private func send(
        _ request: inout TransferRequest, _ method: TransferRequest.Method, _ receiver: ProbeReceiver
    ) async -> TransferResult {
        let left = deadline - MonotonicClock.now
        guard left > 0 else { return TransferResult(ending: .silent) }
        request.method = method
        request.timeLimit = min(patience, .nanoseconds(left))
        return await loop.perform(request, receiver: receiver, pause: TransferPause())
    }
}

/// What a host answered to one probe.
struct ProbeAnswer: Sendable {
    /// The head; nil if none came.
    var head: ResponseHead?
    var body: [UInt8] = []
    /// Whether the body was longer than wanted.
    var isTooLong = false
    /// Why there is no complete answer; nil if there is one.
    var failure: DownloadFailure?
    /// The address of the last request, after all redirects.
    var url = ""
    /// The addresses that redirects led to, without secrets.
    var redirects: [String] = []

    var status: Int { head?.status ?? 0 }

    /// What happened, for people.
    var text: String {
        if let head, failure == nil || head.status >= 300 || head.status == 200 { return "status \(head.status)" }
        return failure?.detail ?? "nothing"
    }
}
