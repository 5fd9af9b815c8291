import LinkModel
import PackFormat
import PackHost
import Redaction
import Results

extension Conduct {
    /// The client's requests to the host for packs with GET, or with another method, in the order in which they came.
    ///
    /// A link may delay what the host has sent. An answer ends when its last byte reaches the client, or when its
    /// connection is gone.
    func fetches(by method: String = "GET") -> [ConductRecord.Fetch] {
        let (arrivals, closings) = (trace.link.arrivals, trace.link.closings)
        let ranges = RangeRequests(trace.host.events)
        return zip(trace.host.transfers, Transfers(trace).fetches).filter { $0.0.request.method == method }
            .sorted { $0.0.at < $1.0.at }.map { answer, sample in
                let connection = trace.linkConnection(of: answer.connection)
                var fetch = fetch(
                    answer, sample, arrivals: connection.flatMap { arrivals[$0] } ?? [],
                    closing: connection.flatMap { closings[$0] })
                // A HEAD has the number of the next GET, but is no request for a range.
                let range = method == "GET" ? answer.request.number.flatMap { ranges[sample.pack, $0] } : nil
                if let range, range.isParallel { fetch.numberOfRange = range.number }
                return fetch
            }
    }

    /// An answer as the client got it.
    ///
    /// The link reports `arrivals` at the client on the connection, and `closing`, when the connection was gone.
    private func fetch(
        _ answer: HostLog.Transfer, _ sample: RequestSample, arrivals: [Int64], closing: Int64?
    ) -> ConductRecord.Fetch {
        let (request, transfer) = (answer.request, answer.transfer)
        let next = trace.host.requestTimes[answer.connection]?.first { $0 > answer.at } ?? .max
        let lastArrival = arrivals.last { $0 < next }.flatMap { $0 >= answer.at ? $0 : nil }
        // If less arrived than the host sent, the client or its link ended the answer.
        let isLeft = sample.length < transfer.handed
        let ended = max((isLeft ? closing : nil) ?? answer.endedAt, lastArrival ?? answer.at)
        return ConductRecord.Fetch(
            sample.pack, number: request.number ?? 1, nanoseconds: answer.at, began: trace.seconds(answer.at),
            lastByte: lastArrival.map(trace.seconds), ended: trace.seconds(ended),
            end: isLeft ? .client : .init(transfer.cause), askedFrom: request.firstByte, answeredFrom: transfer.from,
            status: transfer.status, bytes: sample.length, isWhole: sample.isComplete,
            faults: answer.faults.prefix(8).map { String(Redaction.text($0).prefix(200)) },
            retryAfter: answer.faults.lazy.compactMap(Self.retryAfter).first, connection: answer.connection,
            origin: request.origin.map { String(Redaction.text($0).prefix(200)) }, credentials: request.credentials,
            httpVersion: request.httpVersion)
    }

    /// The seconds that a fault's answer asks clients to wait.
    ///
    /// For a date, the least that it can mean, since a date has whole seconds.
    private static func retryAfter(_ action: String) -> Double? {
        guard case .status(_, let retryAfter?)? = (try? HostFault(parsing: action))?.action else { return nil }
        return switch retryAfter {
        case .seconds(let seconds): Double(seconds)
        case .date(let delay): max(0, Double(delay.components.seconds) - 1)
        }
    }
}

extension HostRequest {
    /// The first requested byte; nil for a range that counts from the end.
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
            case .cut, .streamReset, .goAway, .fileFault: .host
            // The host closes when the client has ended.
            case .clientClosed, .hostClosed: .client
            case .writeStall: .stall
            }
    }
}
