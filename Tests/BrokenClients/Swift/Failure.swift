/// The reason why something was not done, with Apple's domains and codes.
struct Failure: Error, Sendable {
    enum Kind: Sendable {
        case offline, notAllowed, noName, refused, timedOut, lost, short, denied, missing, busy, badAnswer, redirects
        case insecure, wrongContent, tls, tlsExpired, tlsUntrusted, tlsUnknownRoot, tlsNotYet
        case unknownTag, noManifest, tooMuch, noSpace, unwritable, cancelled
    }

    var kind: Kind
    var message: String
    /// The seconds of Retry-After, or nil if the host sent none.
    var retryAfter: Double?

    init(_ kind: Kind, _ message: String, retryAfter: Double? = nil) {
        self.kind = kind
        self.message = message
        self.retryAfter = retryAfter
    }

    var domain: String {
        switch kind {
        case .unknownTag, .noManifest, .tooMuch, .noSpace, .unwritable, .cancelled: "NSCocoaErrorDomain"
        default: "NSURLErrorDomain"
        }
    }

    var code: Int {
        switch kind {
        case .offline: -1009
        case .notAllowed: -1020
        case .noName: -1003
        case .refused: -1004
        case .timedOut: -1001
        case .lost, .short: -1005
        case .denied: -1013
        case .missing: -1008
        case .busy, .badAnswer: -1011
        case .redirects: -1007
        case .insecure: -1022
        case .wrongContent: -1016
        case .tls: -1200
        case .tlsExpired: -1201
        case .tlsUntrusted: -1202
        case .tlsUnknownRoot: -1203
        case .tlsNotYet: -1204
        case .unknownTag, .noManifest: 4994
        case .tooMuch: 4993
        case .noSpace: 4992
        case .unwritable: 512
        case .cancelled: 3072
        }
    }

    var errorClass: String {
        switch kind {
        case .tooMuch, .noSpace, .unwritable: "storage"
        case .unknownTag, .noManifest, .cancelled: "unexpected"
        default: "network"
        }
    }

    /// The failure for an HTTP status, or nil if it is no failure.
    init?(status: Int, retryAfter: Double?) {
        let kind: Kind
        switch status {
        case ..<400, 416: return nil
        case 401, 407: kind = .denied
        case 403, 404, 410: kind = .missing
        case 408, 425, 429, 500...: kind = .busy
        default: kind = .badAnswer
        }
        self.init(kind, "The host answered with status \(status).", retryAfter: retryAfter)
    }
}

/// A download releases its connection for something more urgent.
struct Yielded: Error {}
