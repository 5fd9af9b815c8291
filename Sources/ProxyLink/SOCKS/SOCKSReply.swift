internal import LinkModel
internal import NIOCore

/// The reply to a SOCKS 5 client: the field REP of RFC 1928 §6.
enum SOCKSReply: UInt8 {
    case succeeded = 0
    case generalFailure = 1
    case notAllowed = 2
    case networkUnreachable = 3
    case hostUnreachable = 4
    case connectionRefused = 5
    /// Other proxies too use it for a connect attempt without an answer.
    case timeToLiveExpired = 6
    case commandNotSupported = 7
    case addressTypeNotSupported = 8

    init(_ refusal: Refusal) {
        self =
            switch refusal {
            case .modelled(let failure): SOCKSReply(failure)
            case .denied, .unauthenticated: .notAllowed
            case .unsupported(.command): .commandNotSupported
            case .unsupported(.addressType): .addressTypeNotSupported
            case .unsupported(.authentication), .unsupported(.version4), .malformed, .tooSlow, .tooMany: .generalFailure
            case .upstream(let failure): failure.kind.map { SOCKSReply($0) } ?? .generalFailure
            }
    }

    private init(_ failure: ConnectFailure) {
        self =
            switch failure {
            // An unreachable host is not distinguished from an unreachable network.
            case .noRoute: .networkUnreachable
            case .refused: .connectionRefused
            case .noName: .hostUnreachable
            case .timedOut: .timeToLiveExpired
            }
    }

    /// The message: VER, REP, RSV, ATYP, BND.ADDR, BND.PORT.
    ///
    /// `address`: the source address of the connection to the target (default: 0.0.0.0:0).
    func message(from address: SocketAddress? = nil) -> ByteBuffer {
        let packed = address?.packed ?? [0, 0, 0, 0]
        var bytes = ByteBuffer(bytes: [SOCKSCollector.version, rawValue, 0, packed.count == 4 ? 1 : 4] + packed)
        bytes.writeInteger(UInt16(clamping: address?.port ?? 0))
        return bytes
    }
}
