import LinkModel
import PackFormat
import PackHost
import Redaction
import Results

extension AttemptTrace {
    /// The client's requests to the host for packs, in the order in which they came.
    ///
    /// A link may hold what the host has sent: an answer is over when its last byte is at the client, or its connection
    /// is gone.
    var conductFetches: [ConductRecord.Fetch] {
        var open: [Int: Answer] = [:]
        var answers: [Answer] = []
        // These are in the order in which the answers ended, as those are here.
        var samples = fetches[...]
        var requests: [Int: [Int64]] = [:]
        for event in host.events {
            switch event.kind {
            case .request(let request):
                open[event.connection] = Answer(connection: event.connection, at: event.nanoseconds, request: request)
                requests[event.connection, default: []].append(event.nanoseconds)
            case .fault(let line):
                guard let fault = FaultSchedule.HostFaultLine(text: line) else { continue }
                open[event.connection]?.faults.append(fault.action)
            case .finished(let transfer):
                guard var answer = open.removeValue(forKey: event.connection), let pack = answer.request.pack,
                    HostLog.isPack(pack), let sample = samples.popFirst(), answer.request.method == "GET"
                else { continue }
                (answer.endedAt, answer.transfer, answer.sample) = (event.nanoseconds, transfer, sample)
                answers.append(answer)
            default: break
            }
        }
        let (arrivals, closings) = (arrivals, closings)
        return answers.sorted { $0.at < $1.at }.compactMap { answer in
            let next = requests[answer.connection]?.first { $0 > answer.at }
            let known = linkConnection(of: answer.connection).flatMap { arrivals[$0] } ?? []
            let last = known.last { $0 < next ?? .max }.flatMap { $0 >= answer.at ? $0 : nil }
            return fetch(answer, lastArrival: last, closings)
        }
    }

    /// One answer of the host while its events are gone through.
    private struct Answer {
        let connection: Int
        let at: Int64
        let request: HostRequest
        var faults: [String] = []
        var endedAt: Int64 = 0
        var transfer: HostTransfer?
        var sample: RequestSample?
    }

    private func fetch(_ answer: Answer, lastArrival: Int64?, _ closings: [Int: Int64]) -> ConductRecord.Fetch? {
        guard let transfer = answer.transfer, let sample = answer.sample else { return nil }
        // What the host has sent whole, and did not come whole, the client left, or its link did.
        let isLeft = sample.length < transfer.handed
        let gone = isLeft ? linkConnection(of: answer.connection).flatMap { closings[$0] } : nil
        let ended = max(gone ?? answer.endedAt, lastArrival ?? answer.at)
        return ConductRecord.Fetch(
            sample.pack, number: answer.request.number ?? 1, nanoseconds: answer.at, began: seconds(answer.at),
            lastByte: lastArrival.map(seconds), ended: seconds(ended), end: isLeft ? .client : .init(transfer.cause),
            askedFrom: answer.request.firstByte, answeredFrom: transfer.from, status: transfer.status,
            bytes: sample.length, isWhole: sample.isComplete,
            faults: answer.faults.prefix(8).map { String(Redaction.text($0).prefix(200)) },
            retryAfter: answer.faults.lazy.compactMap(Self.retryAfter).first)
    }

    /// The link's number of a connection to the host; nil where the link did not make it.
    func linkConnection(of connection: Int) -> Int? {
        host.peers[connection].flatMap { link.connectionByPort[$0] }
    }

    /// When bytes reached the client, by the link's connection, each list in order of time.
    var arrivals: [Int: [Int64]] {
        link.events.reduce(into: [:]) { arrivals, event in
            guard case .delivered(.downlink, _) = event.kind else { return }
            arrivals[event.connection, default: []].append(event.at.nanoseconds)
        }
    }

    /// When the link's connections were gone.
    private var closings: [Int: Int64] {
        link.events.reduce(into: [:]) { closings, event in
            guard case .closed = event.kind else { return }
            closings[event.connection] = event.at.nanoseconds
        }
    }

    /// Seconds that a fault's answer asks clients to wait; of a date the least that it may be, for it has whole seconds.
    private static func retryAfter(_ action: String) -> Double? {
        guard case .status(_, let retryAfter?)? = (try? HostFault(parsing: action))?.action else { return nil }
        return switch retryAfter {
        case .seconds(let seconds): Double(seconds)
        case .date(let delay): max(0, Double(delay.components.seconds) - 1)
        }
    }
}

extension HostRequest {
    /// The first byte that is asked for; nil for the last so many bytes.
    fileprivate var firstByte: Int64? {
        guard let range, let set = range.split(separator: "=", maxSplits: 1).dropFirst().first else { return 0 }
        let first = set.drop { $0 == " " }.prefix { $0.isASCII && $0.isNumber }
        return first.isEmpty ? nil : Int64(first) ?? .max
    }
}

extension ConductRecord.Fetch.End {
    fileprivate init(_ cause: HostTransfer.Cause) {
        self =
            switch cause {
            case .complete: .complete
            case .cut, .fileFault: .host
            // A host is closed when the client has ended.
            case .clientClosed, .hostClosed: .client
            case .writeStall: .stall
            }
    }
}
