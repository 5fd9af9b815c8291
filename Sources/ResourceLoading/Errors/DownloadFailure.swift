import SystemPackage

/// Why a download failed: one kind for each row of the table of errors.
package struct DownloadFailure: Error, Hashable, Sendable {
    /// What happened, independent of the protocol's terms.
    package enum Kind: Hashable, Sendable, CaseIterable {
        case noRoute, cellularDenied, nameNotFound, refused, silent
        /// A resolver or proxy gave no answer within its own time limit, which may be shorter than the patience.
        case unanswered
        case connectionLost, shortBody
        case unauthorized, absent, busy, badResponse, wrongLength, unfitRange, wrongContent
        case redirectLoop, insecureRedirect, malformedURL
        case handshake, certificateExpired, certificateUntrusted, certificateRootUnknown, certificateNotYetValid
        case noSpace, storeFailed, cancelled, unknown
    }

    package var kind: Kind
    /// What the system, libcurl or the host said.
    package var detail: String
    /// The error of libcurl or the system behind it; nil if there is none.
    package var underlying: ResourceError.Underlying?

    package init(_ kind: Kind, _ detail: String, underlying: ResourceError.Underlying? = nil) {
        self.kind = kind
        self.detail = detail
        self.underlying = underlying
    }
}

extension DownloadFailure.Kind {
    /// The number under which URL loading reports it; nil if it is not about the network.
    package var urlErrorCode: Int? { row.code }

    /// What users can try.
    var advice: String { row.advice }

    private var row: (code: Int?, advice: String) {
        switch self {
        case .noRoute: (-1009, "Connect to a network.")
        case .cellularDenied: (-1020, "Allow cellular data for the app, or use Wi-Fi.")
        case .nameNotFound: (-1003, "Check the host's name and the resolver.")
        case .refused: (-1004, "Check that the host is running and that its port is right.")
        case .silent, .unanswered: (-1001, "Try again on a better link; what arrived is kept.")
        case .connectionLost, .shortBody: (-1005, "Try again on a better link; what arrived is kept.")
        case .unauthorized: (-1013, "Check the header fields that carry the credentials.")
        case .absent: (-1008, "Check that the manifest and the packs on the host are from the same build.")
        case .busy: (-1011, "Try again later.")
        case .badResponse, .wrongLength, .unfitRange: (-1011, "Check the host's configuration.")
        case .wrongContent: (-1016, "Check for a captive portal, and that manifest and packs are from the same build.")
        case .redirectLoop: (-1007, "Check the host's redirects.")
        case .insecureRedirect: (-1022, "Check the host's redirects.")
        case .malformedURL: (-1000, "Check the URLs of the manifest.")
        case .handshake: (-1200, "Check that the host speaks TLS on this port.")
        case .certificateExpired: (-1201, "Check the certificate's dates, and this machine's clock.")
        case .certificateUntrusted: (-1202, "Check that the certificate is for this name.")
        case .certificateRootUnknown: (-1203, "Name the authority's file with --ca.")
        case .certificateNotYetValid: (-1204, "Check the certificate's dates, and this machine's clock.")
        case .noSpace: (nil, "Free some space, or end requests that are no longer needed.")
        case .storeFailed: (nil, "Check the store's folder and its permissions.")
        case .cancelled: (nil, "Try again.")
        case .unknown: (-1, "Try again.")
        }
    }
}

extension DownloadFailure {
    /// The failure as an app sees it.
    ///
    /// `file` names what should have been downloaded, for the message.
    package func resourceError(of file: String) -> ResourceError {
        let message = "Could not download \(file): \(detail) \(kind.advice)"
        switch kind {
        case .cancelled: return .cancelled
        case .noSpace: return .outOfSpace(message, underlying: underlying)
        case .storeFailed:
            let cause = underlying ?? .init(domain: "NSPOSIXErrorDomain", code: 0, message: detail)
            return .storeFailed(message, underlying: cause)
        default:
            return ResourceError(
                domain: .url,
                code: kind.urlErrorCode ?? -1,
                kind: kind == .unknown ? .unexpected : .network,
                message: message,
                underlying: underlying
            )
        }
    }

    /// Reads the facts of a transfer that failed or was silent; nil if it is complete, or was stopped by its receiver.
    init?(_ result: TransferResult) {
        switch result.ending {
        case .complete, .stopped: return nil
        case .cancelled, .yielded: self.init(.cancelled, "The transfer was cancelled.")
        case .silent: self.init(.silent, "Nothing arrived within the request's patience.")
        case .failed(let code):
            let text = result.detail.isEmpty ? code.text : result.detail
            self.init(
                Self.kind(of: code, result),
                text.hasSuffix(".") ? text : text + ".",
                underlying: .init(domain: "libcurl", code: Int(code.number), message: code.text)
            )
        }
    }

    /// The kind for libcurl's code (libcurl-errors(3)).
    private static func kind(of code: CurlCode, _ result: TransferResult) -> Kind {
        // A proxy's refusal is reported as a failed receive or, by later libcurl versions, as a proxy error.
        if result.tunnelStatus != 0, !(200..<300).contains(result.tunnelStatus) {
            return kind(ofRefusal: result.proxyRefusal, status: result.tunnelStatus)
        }
        switch code {
        // Without a network the lookup fails too, although the name may be right.
        case .hostNotResolved where !result.hasNetwork: return .noRoute
        case .hostNotResolved, .proxyNotResolved: return result.isLookupSilent ? .unanswered : .nameNotFound
        case .notConnected: return kind(ofConnectError: result.systemError)
        case .certificateRefused: return kind(ofCertificate: result.certificateVerdict)
        default: return code.kind ?? .unknown
        }
    }

    private static func kind(ofConnectError error: Errno) -> Kind {
        switch error {
        case .networkUnreachable, .noRouteToHost, .networkDown, .addressNotAvailable: .noRoute
        case .timedOut: .silent
        default: .refused
        }
    }

    /// The kind for a proxy's refusal: from its Proxy-Status, else from its status code.
    private static func kind(ofRefusal refusal: ProxyRefusal?, status: Int) -> Kind {
        switch refusal {
        case .noRoute: .noRoute
        case .nameNotFound: .nameNotFound
        case .nameTimedOut, .connectTimedOut: .unanswered
        case .refused: .refused
        case .terminated: .connectionLost
        case nil:
            switch status {
            case 401, 407: .unauthorized
            case 504: .silent
            default: .refused
            }
        }
    }

    /// The kind for OpenSSL's verdict (X509_STORE_CTX_get_error(3)).
    ///
    /// 0 for a refused certificate means that the name differs.
    private static func kind(ofCertificate verdict: Int) -> Kind {
        switch verdict {
        case 9: .certificateNotYetValid
        case 10: .certificateExpired
        case 2, 18, 19, 20, 21: .certificateRootUnknown
        default: .certificateUntrusted
        }
    }

    /// Reads a status that brings no file; nil for those that may (200, 206, 3xx, 416).
    init?(status: Int) {
        let kind: Kind
        switch status {
        case 200, 206, 300...399, 416: return nil
        case 401, 407: kind = .unauthorized
        case 403, 404, 410: kind = .absent
        // 408 and 425 ask explicitly for another try (RFC 9110 §15.5.9, RFC 8470 §5.2).
        case 408, 425, 429, 500...599: kind = .busy
        default: kind = .badResponse
        }
        self.init(kind, "The host answered with status \(status).")
    }

    /// The address that a redirect from `target` leads to; throws if there is none, or if it gives up https.
    static func redirected(from target: String, to redirect: String?) throws(DownloadFailure) -> String {
        guard let redirect, let url = CurlURL(redirect) else {
            throw .init(.badResponse, "The host redirects without a usable URL.")
        }
        guard url.isSecure || CurlURL(target)?.isSecure != true else {
            throw .init(.insecureRedirect, "The host redirects from https to http.")
        }
        return redirect
    }

    /// Turns a store's error into that of a full store, or of a broken one.
    init(_ error: StoreError) {
        self.init(error.isOutOfSpace ? .noSpace : .storeFailed, error.description, underlying: error.underlying)
    }

    /// What `body` returns; its error becomes that of a full store, or of a broken one.
    static func ofStore<Value: ~Copyable>(
        _ body: () throws(StoreError) -> Value
    ) throws(DownloadFailure) -> Value {
        do { return try body() } catch { throw DownloadFailure(error) }
    }
}
