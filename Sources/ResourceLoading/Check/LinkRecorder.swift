import LinuxSupport
import PackFormat

/// Measures a real connection for a while: its rate and its round-trip time, again and again.
///
/// Each turn first sends HEAD requests, while no other transfer runs, and then fetches the beginning of a file. So the
/// round-trip time includes no queue, and the rate is that of one connection.
package struct LinkRecorder: Sendable {
    /// What the connection did in one part of the recording.
    package struct Sample: Hashable, Sendable {
        /// The start, counted from the beginning of the recording.
        package var from: Duration
        /// The end, counted from the beginning of the recording.
        package var to: Duration
        /// Bits of the body per second; nil if too little arrived.
        package var rate: Double?
        /// The shortest time between a HEAD request and its answer; nil if there was no answer.
        package var roundTrip: Duration?
        /// Why the host could not be reached; nil if it could.
        package var failure: DownloadFailure.Kind?
    }

    /// Why nothing can be recorded.
    package struct Refusal: Error, CustomStringConvertible, Sendable {
        package var description: String
        /// Whether the host was not reached at all.
        package var isUnreachable = false
    }

    /// The address of a file, or of a folder or a manifest of packs, of which the largest pack is the file.
    package var url: String
    /// How requests reach the host.
    package var transfers = TransferConfiguration()
    /// How long to record; 60 s unless set.
    package var length = Duration.seconds(60)
    /// The length of one turn; 2 s unless set.
    ///
    /// A host that is silent for that long, and for at least 2 s, counts as out of reach.
    package var interval = Duration.seconds(2)

    package init(url: String) { self.url = url }

    /// The number of HEAD requests in each turn.
    private static let heads = 3
    /// The smallest usable size of a file, and the most bytes of it that one turn fetches.
    package static let bytes: ClosedRange<Int64> = 65_536...8_388_608

    /// Records until the length is over or the task is cancelled; calls `told` with each sample.
    ///
    /// - Returns: the samples, in order of time, without gaps.
    /// - Throws: ``Refusal`` if the first answer never comes, or is not from a large enough file that is served in
    ///   ranges; the system's error if it has no memory or thread left.
    package func run(told: @escaping @Sendable (Sample) -> Void = { _ in }) async throws -> [Sample] {
        var configuration = transfers
        configuration.patience = max(interval, .seconds(2))
        let loop = try TransferLoop(configuration)
        return try await ending {
            var turns = Turns(recorder: self, file: try await file(loop), loop: loop, told: told)
            return await turns.run()
        } with: {
            await loop.close()
        }
    }

    /// The file that each turn fetches.
    private func file(_ loop: TransferLoop) async throws -> File {
        let prober = Prober(
            loop: loop, patience: .seconds(10), deadline: MonotonicClock.now + Duration.seconds(60).nanoseconds)
        let target = try await target(prober)
        let answer = await prober.ask(target, fields: ["Range: bytes=0-0"], wantsPart: true)
        if let failure = answer.failure {
            throw Refusal(
                description: "could not fetch '\(Redaction.url(target))': \(failure.detail)", isUnreachable: true)
        }
        guard answer.status == 206, let total = answer.head?.contentRange?.total else {
            throw Refusal(
                description: "could not record with '\(Redaction.url(target))': it answers a range request with "
                    + "\(answer.text) instead of 206; name a file on a server that supports ranges")
        }
        guard total >= Self.bytes.lowerBound else {
            throw Refusal(
                description: "could not record with '\(Redaction.url(target))': it has \(total) bytes, but a recording "
                    + "needs \(Self.bytes.lowerBound); name a larger file")
        }
        let isOwn = CurlURL(answer.url)?.origin == CurlURL(url)?.origin
        return File(url: answer.url, bytes: total, fields: isOwn ? transfers.headers : [])
    }

    private func target(_ prober: Prober) async throws -> String {
        guard let manifest = HostCheck.manifestURL(url) else {
            throw Refusal(description: "'\(Redaction.url(url))' is not an http or https address")
        }
        // A folder contains its manifest; any other address is that of a file.
        let isManifest = manifest == url ? [".plist", ".json"].contains(where: url.hasSuffix) : url.hasSuffix("/")
        if !isManifest, CurlURL(url)?.fileName.isEmpty == false { return url }
        let answer = await prober.ask(manifest, most: 16 << 20)
        guard answer.failure == nil, answer.status == 200, let list = try? AssetPackManifest(plist: answer.body),
            let largest = list.resources.max(by: { $0.uncompressedSize < $1.uncompressedSize }),
            let pack = CurlURL(manifest)?.resolve(largest.url)
        else {
            throw Refusal(
                description: "could not read a manifest of packs at '\(Redaction.url(manifest))': \(answer.text)",
                isUnreachable: answer.head == nil)
        }
        return pack
    }

    fileprivate struct File {
        let url: String
        let bytes: Int64
        let fields: [String]
    }

    /// The turns of one recording.
    private struct Turns {
        let recorder: LinkRecorder
        let file: File
        let loop: TransferLoop
        let told: @Sendable (Sample) -> Void
        private let start = MonotonicClock.now
        var samples: [Sample] = []
        /// How many bytes the next turn asks for.
        var block = LinkRecorder.bytes.lowerBound

        private var elapsed: Duration { .nanoseconds(MonotonicClock.now - start) }
        private var isOver: Bool { elapsed >= recorder.length || Task.isCancelled }

        mutating func run() async -> [Sample] {
            while !isOver { await turn() }
            return samples
        }

        private mutating func turn() async {
            let from = samples.last?.to ?? .zero
            var roundTrip: Duration?
            for _ in 0..<LinkRecorder.heads {
                let began = MonotonicClock.now
                let (result, _) = await ask(.head, fields: [])
                if Task.isCancelled { return }
                if let failure = DownloadFailure(result) {
                    // Without a network the error comes at once; trying again without a pause would only use the
                    // processor.
                    try? await Task.sleep(for: .milliseconds(100))
                    return note(Sample(from: from, to: elapsed, failure: failure.kind))
                }
                roundTrip = min(roundTrip ?? .seconds(3600), .nanoseconds(MonotonicClock.now - began))
            }
            let (result, arrivals) = await ask(.get, fields: ["Range: bytes=0-\(block - 1)"])
            if Task.isCancelled { return }
            // A host that refuses the request, or is too busy, says nothing about the link.
            guard [0, 200, 206].contains(result.status) else { return await rest(since: from) }
            let rate = arrivals.rate
            if let rate {
                let share = Int64(
                    min(rate / 8 * recorder.interval.seconds * 0.7, Double(LinkRecorder.bytes.upperBound)))
                block = min(file.bytes, max(4096, share))
            }
            // A transfer that reached its time limit shows its rate; one that fell silent shows it up to the last byte.
            let isCut = DownloadFailure(result) != nil && result.ending != .failed(.operationTimedOut)
            let last = arrivals.last.map { Duration.nanoseconds($0 - start) } ?? from
            note(Sample(from: from, to: isCut ? max(from, last) : elapsed, rate: rate, roundTrip: roundTrip))
            if isCut, let failure = DownloadFailure(result) {
                note(Sample(from: max(from, last), to: elapsed, failure: failure.kind))
            } else {
                await rest(since: from)
            }
        }

        /// Waits until the end of a turn that was quick, so that others can use the network.
        private mutating func rest(since from: Duration) async {
            let left = min(from + recorder.interval, recorder.length) - elapsed
            if left > .zero { try? await Task.sleep(for: left) }
            if let last = samples.indices.last {
                samples[last].to = max(samples[last].to, min(elapsed, recorder.length))
            }
        }

        private mutating func note(_ sample: Sample) {
            guard sample.to > sample.from else { return }
            samples.append(sample)
            told(sample)
        }

        private func ask(
            _ method: TransferRequest.Method, fields: [String]
        ) async -> (TransferResult, ArrivalReceiver) {
            let receiver = ArrivalReceiver(most: block)
            var request = TransferRequest(url: file.url, headers: file.fields + fields)
            request.method = method
            request.timeLimit = max(recorder.interval * 2, .seconds(4))
            return (await loop.perform(request, receiver: receiver, pause: TransferPause()), receiver)
        }
    }
}

extension Duration {
    fileprivate var seconds: Double { Double(nanoseconds) / 1e9 }
}
