/// Downloads one file into its partial file, try by try, until it is complete and accepted.
struct Download: Sendable {
    /// The callbacks of a running download.
    struct Hooks: Sendable {
        /// Called when a try begins, at byte `from`.
        var fetching: @Sendable (_ url: String, _ from: Int64, _ number: Int) -> Void
        /// Called when a response has ended, with or without an error, after this many bytes of its body.
        var received: @Sendable (_ bytes: Int64) -> Void
        /// Called when another try follows after a pause.
        var retrying: @Sendable (_ after: Duration, _ reason: String) -> Void
        /// Waits for a pause; throws if the task is cancelled.
        var pause: @Sendable (Duration) async throws -> Void
    }

    /// The absolute URL of the file.
    let url: String
    let receiver: PartialReceiver
    let loop: TransferLoop
    /// Holds the download back while others are more urgent.
    var pause = TransferPause()
    /// Header fields for the host besides those of the configuration.
    var receipts: [String] = []
    /// Whether its bytes may wait a little, as long as nothing is urgent.
    var isSparing = false
    let hooks: Hooks

    /// Runs until `accept` takes the file.
    ///
    /// `accept` gets the size of the file, whose bytes have all arrived and have the right size and digest. It throws
    /// `wrongContent` for a file that is not what it should be: then the file is fetched once more, from zero.
    ///
    /// Throws the reason for giving up. The bytes of an interrupted file stay for the next download.
    func run(accept: (_ bytes: Int64) async throws(DownloadFailure) -> Void) async throws(DownloadFailure) {
        var policy = DownloadPolicy(patience: loop.configuration.patience, start: pause.ownTime)
        var number = 0
        var isUnanswered = false
        while true {
            number += 1
            // After a lookup without an answer the waiting time continues; for a new connection it starts again.
            let waited = isUnanswered ? policy.waited(at: pause.ownTime) : .zero
            isUnanswered = false
            let decision: DownloadPolicy.Decision
            let reason: String
            switch await attempt(number, waited) {
            case .startOver(let text):
                (decision, reason) = (policy.startOver(because: text), text)
            case .failed(let failure, let last):
                isUnanswered = failure.kind == .unanswered
                (decision, reason) = (policy.next(after: failure, last), failure.detail)
            case .arrived(let size):
                pause.setIdle(true)
                do {
                    try await accept(size)
                    return
                } catch {
                    (decision, reason) = (policy.next(after: error, .init(end: pause.ownTime)), error.detail)
                }
            }
            try await prepare(decision, reason)
        }
    }

    private func prepare(_ decision: DownloadPolicy.Decision, _ reason: String) async throws(DownloadFailure) {
        switch decision {
        case .fail(let failure): throw failure
        case .again(let pause, let fromZero):
            if fromZero { try DownloadFailure.ofStore { () throws(StoreError) in try receiver.discard() } }
            hooks.retrying(pause, reason)
            let isCancelled = DownloadFailure(.cancelled, "The download was cancelled.")
            if pause > .zero {
                self.pause.setIdle(true)
                do { try await hooks.pause(pause) } catch { throw isCancelled }
            }
            if Task.isCancelled { throw isCancelled }
        }
    }

    private enum Attempt {
        case arrived(Int64)
        case startOver(String)
        case failed(DownloadFailure, DownloadPolicy.Try)
    }

    private func attempt(_ number: Int, _ waited: Duration) async -> Attempt {
        var last = TransferResult(ending: .complete)
        let outcome: PartialReceiver.Outcome
        if receiver.isComplete {
            outcome = receiver.outcomeWithoutTransfer()
        } else {
            var found: (PartialReceiver.Outcome, result: TransferResult)
            // A download that yielded continues where it is once it may; that does not count as another try.
            repeat {
                // Without a validator and a digest, the rest could be of another edition than the bytes that are there.
                if !receiver.canResume, !receiver.isComplete {
                    do { try receiver.rewind() } catch {
                        return .failed(DownloadFailure(error), .init(end: pause.ownTime))
                    }
                }
                hooks.fetching(Redaction.url(url), receiver.start.from, number)
                found = await transfer(waited)
            } while found.0.hasYielded
            (outcome, last) = found
        }
        let gain = receiver.gain
        let facts = DownloadPolicy.Try(
            gained: gain.bytes,
            isAnswered: gain.isAnswered,
            isCutOff: await isCutOff(last),
            retryAfter: last.retryAfter,
            end: pause.ownTime
        )
        switch outcome {
        case .startOver(let reason): return .startOver(reason)
        case .failed(let failure): return .failed(failure, facts)
        case .redirect: return .failed(.init(.redirectLoop, "The host redirects without end."), facts)
        case .yielded: preconditionFailure("a download that has yielded goes on")
        case .arrived(let size, let digest):
            if let failure = await checkDigest(digest) { return .failed(failure, facts) }
            return .arrived(size)
        }
    }

    /// Makes one request, and follows its redirects.
    private func transfer(_ waited: Duration) async -> (PartialReceiver.Outcome, result: TransferResult) {
        var target = url
        for _ in 0...max(0, loop.configuration.redirectLimit) {
            receiver.begin()
            let start = receiver.start
            var request = TransferRequest(
                url: target,
                from: start.from,
                validator: start.validator,
                headers: isSameOrigin(target) ? loop.configuration.headers + receipts : []
            )
            request.isSparing = isSparing
            if target == url { request.waited = waited }
            let result = await loop.perform(request, receiver: receiver, pause: pause)
            if let bytes = receiver.received { hooks.received(bytes) }
            let outcome = receiver.outcome(of: result)
            guard case .redirect = outcome else { return (outcome, result) }
            do throws(DownloadFailure) {
                target = try DownloadFailure.redirected(from: target, to: result.redirect)
            } catch {
                return (.failed(error), result)
            }
        }
        return (.redirect, TransferResult(ending: .complete))
    }

    /// Whether a host that fell silent during the body can no longer be reached: then the connection is lost, not slow.
    ///
    /// Behind a proxy only the proxy knows. It is asked for another tunnel, and refuses at once if there is no route.
    private func isCutOff(_ result: TransferResult) async -> Bool {
        guard result.ending == .silent, let address = result.silentAddress else { return false }
        if HostRoute.isMissing(to: address) { return true }
        guard loop.configuration.proxy != .none else { return false }
        var request = TransferRequest(url: url, method: .handshake(.usual))
        request.timeLimit = Self.lastLook
        let answer = await loop.perform(
            request, receiver: ProbeReceiver(most: 0, wantsPart: true), pause: TransferPause())
        return DownloadFailure(answer)?.kind == .noRoute
    }

    /// How long a proxy may take to report that there is no route to a host.
    private static let lastLook = Duration.milliseconds(500)

    private func isSameOrigin(_ target: String) -> Bool {
        target == url || CurlURL(target)?.origin == CurlURL(url)?.origin
    }

    /// Compares the file with the manifest's digest; reads it again only if several processes downloaded it in parts.
    private func checkDigest(_ known: String?) async -> DownloadFailure? {
        guard let expected = receiver.expected.sha256 else { return nil }
        do throws(StoreError) {
            let digest: String
            if let known {
                digest = known
            } else {
                let file = receiver.partial.data
                digest = try await BlockingWork.run { () throws(StoreError) in try FileSystem.sha256(of: file) }
            }
            guard digest != expected.lowercased() else { return nil }
            return DownloadFailure(.wrongContent, "The file's SHA-256 is \(digest); the manifest says \(expected).")
        } catch {
            return DownloadFailure(error)
        }
    }
}
