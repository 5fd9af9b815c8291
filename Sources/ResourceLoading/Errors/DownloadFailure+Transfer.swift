import SystemPackage

extension DownloadFailure {
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
        case .operationTimedOut: return .silent
        case .partialFile: return .shortBody
        case .emptyReply, .sendFailed, .receiveFailed, .http2Framing, .http2Stream: return .connectionLost
        // libcurl's code for an answer that is not HTTP.
        case .unsupportedProtocol, .strangeReply: return .badResponse
        case .malformedURL: return .malformedURL
        case .badContentEncoding: return .wrongContent
        case .handshakeFailed, .noCommonCipher, .clientCertificate: return .handshake
        case .badCAFile: return .certificateRootUnknown
        case .certificateRefused: return kind(ofCertificate: result.certificateVerdict)
        case .proxyHandshake: return .refused
        default: return .unknown
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
}

extension DownloadFailure {
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
}

extension DownloadFailure {
    /// Turns a store's error into that of a full store, or of a broken one.
    init(_ error: StoreError) {
        self.init(error.isOutOfSpace ? .noSpace : .storeFailed, error.description, underlying: error.underlying)
    }
}
