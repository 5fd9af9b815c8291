import LinkModel
import PackHost

/// The events of a host as lines of text: one for each response, and one for each unusual event.
struct HostLog {
    /// The requests under way, by connection, with the nanoseconds at which they began.
    private var underway: [Int: (request: HostRequest, start: Int64)] = [:]

    /// The lines for an event.
    mutating func lines(for event: HostEvent) -> [String] {
        switch event.kind {
        case .opened, .head: return []
        case .request(let request):
            underway[event.connection] = (request, event.nanoseconds)
            return []
        case .fault(let line): return [line]
        case .finished(let transfer):
            guard let (request, start) = underway.removeValue(forKey: event.connection) else { return [] }
            let time = Duration.nanoseconds((event.nanoseconds - start) / 100_000 * 100_000)
            return ["\(Self.text(request)) \(Self.text(transfer)) in \(time.text)"]
        case .fileFault(let reason): return ["file: \(reason)"]
        case .refused(let status, let reason): return ["refused with \(status): \(reason)"]
        case .listenerFailed(let reason): return ["the host accepts no more connections: \(reason)"]
        case .closed(let end):
            underway.removeValue(forKey: event.connection)
            return Self.line(for: end.cause).map { ["connection \(event.connection) \($0)"] } ?? []
        }
    }

    private static func text(_ request: HostRequest) -> String {
        let number = request.number.map { " try=\($0)" } ?? ""
        return "\(request.method) \(request.path)\(number)"
    }

    private static func text(_ transfer: HostTransfer) -> String {
        let status = transfer.status.map { "\($0)" } ?? "no head"
        let from = transfer.from > 0 ? " from \(transfer.from)" : ""
        let bytes = "\(status) \(transfer.handed) of \(transfer.planned) B\(from)"
        return switch transfer.cause {
        case .complete: bytes
        case .cut(let reset): "\(bytes), cut by \(reset ? "a reset" : "a FIN")"
        case .streamReset: "\(bytes), cut by RST_STREAM"
        case .goAway: "\(bytes), cut by GOAWAY"
        case .clientClosed: "\(bytes), the client left"
        case .writeStall: "\(bytes), the client stopped reading"
        case .fileFault(let reason): "\(bytes), \(reason)"
        case .hostClosed: "\(bytes), the host was closed"
        }
    }

    /// The line for the end of a connection; nil for ordinary ends.
    private static func line(for cause: HostConnectionEnd.Cause) -> String? {
        switch cause {
        case .client, .host, .idle, .writeStall: nil
        case .head: "closed: the request head was not complete in time"
        case .failed(let reason): "failed: \(reason)"
        }
    }
}
