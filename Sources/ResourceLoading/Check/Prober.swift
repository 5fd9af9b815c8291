import LinuxSupport

/// Asks a host for little, each time within a time and a number of bytes, whatever the host does.
struct Prober: Sendable {
    let loop: TransferLoop
    /// The longest that one request may take.
    let patience: Duration
    /// When all must be over, in nanoseconds of CLOCK_MONOTONIC.
    let deadline: Int64

    /// Whether there is no time left.
    var isOver: Bool { MonotonicClock.now >= deadline }

    /// Sends a request, and follows redirects; `fields` are added to those of the configuration, which only the address's own
    /// origin gets.
    ///
    /// With `wantsPart` an answer with the whole file is left at its head.
    func ask(
        _ url: String, _ method: TransferRequest.Method = .get, fields: [String] = [], most: Int = 64 << 10,
        wantsPart: Bool = false
    ) async -> ProbeAnswer {
        var answer = ProbeAnswer()
        var target = url
        while true {
            let receiver = ProbeReceiver(most: most, wantsPart: wantsPart)
            var request = TransferRequest(url: target, headers: fields)
            if CurlURL(target)?.origin == CurlURL(url)?.origin { request.headers += loop.configuration.headers }
            let result = await send(&request, method, receiver)
            answer.url = target
            let taken = receiver.taken
            (answer.head, answer.body, answer.isTooLong) = (taken.head, taken.body, taken.isTooLong)
            answer.failure = DownloadFailure(result)
            if taken.head == nil, answer.failure == nil {
                answer.failure = .init(.badResponse, "The host sent no readable response head.")
            }
            guard let status = taken.head?.status, [301, 302, 303, 307, 308].contains(status) else { return answer }
            if let failure = next(result.redirect, &target, &answer) {
                answer.failure = failure
                return answer
            }
        }
    }

    /// Follows a redirect; answers why it cannot.
    private func next(_ redirect: String?, _ target: inout String, _ answer: inout ProbeAnswer) -> DownloadFailure? {
        guard let redirect, let url = CurlURL(redirect) else {
            return .init(.badResponse, "The host redirects without a usable URL.")
        }
        guard url.isSecure || CurlURL(target)?.isSecure != true else {
            return .init(.insecureRedirect, "The host redirects from https to http.")
        }
        guard answer.redirects.count < loop.configuration.redirectLimit else {
            return .init(.redirectLoop, "The host redirects more than \(loop.configuration.redirectLimit) times.")
        }
        answer.redirects.append(url.redacted)
        target = redirect
        return nil
    }

    /// Shakes hands, asks for nothing, and says what the host showed.
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
    /// The head; nil where none came.
    var head: ResponseHead?
    var body: [UInt8] = []
    /// Whether the body had more than was wanted.
    var isTooLong = false
    /// Why there is no whole answer; nil where there is.
    var failure: DownloadFailure?
    /// The address that was asked last: where redirects led.
    var url = ""
    /// Where redirects led, without secrets.
    var redirects: [String] = []

    var status: Int { head?.status ?? 0 }

    /// What happened, for people.
    var text: String {
        if let head, failure == nil || head.status >= 300 || head.status == 200 { return "status \(head.status)" }
        return failure?.detail ?? "nothing"
    }
}
