internal import Glibc
internal import LinkModel
internal import NIOCore
internal import NIOPosix

extension Refusal {
    /// The refusal for an error of a connection to `target`.
    init(_ error: any Error, target: Endpoint) {
        let causes = (error as? NIOConnectionError)?.connectionErrors.map(\.error) ?? [error]
        // A forbidden address of a name says more than other addresses of it that do not answer.
        self =
            causes.lazy.compactMap { $0 as? Denial }.first.map(Refusal.denied)
            ?? .upstream(UpstreamFailure(error, target: target))
    }
}

extension UpstreamFailure {
    /// The failure for an error of a connection to `target`, with the system's message.
    init(_ error: any Error, target: Endpoint) {
        switch error {
        case let error as NIOConnectionError:
            if let cause = error.connectionErrors.last?.error {
                self.init(cause, target: target)
            } else {
                self.init(kind: .noName, target: target, reason: "its name could not be resolved")
            }
        case let error as IOError:
            let reason = String(cString: strerror(error.errnoCode))
            self.init(kind: ConnectFailure(errno: error.errnoCode), target: target, reason: reason)
        case ChannelError.connectTimeout(let amount):
            self.init(kind: .timedOut, target: target, reason: "no answer in \(Duration(amount).text)")
        default:
            self.init(kind: nil, target: target, reason: "\(error)")
        }
    }
}

extension ConnectFailure {
    /// The failure that an error number of connect(2) means; nil for other numbers.
    init?(errno: CInt) {
        switch errno {
        case ECONNREFUSED: self = .refused
        case ENETUNREACH, EHOSTUNREACH, ENETDOWN: self = .noRoute
        case ETIMEDOUT: self = .timedOut
        default: return nil
        }
    }
}
