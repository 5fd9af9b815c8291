import CCurl

/// A result code of libcurl's easy interface, by the number of libcurl-errors(3).
///
/// A type of our own keeps libcurl's names inside this folder, and lets tests use the table of errors as values.
struct CurlCode: Error, Hashable, Sendable {
    /// The number of the `CURLE_` constant.
    let number: UInt32

    /// Wraps a number; any is valid, because the table of errors has a row for unknown ones.
    init(_ number: UInt32) { self.number = number }

    init(_ code: CURLcode) { number = code.rawValue }

    static let ok = CurlCode(CURLE_OK)
    static let unsupportedProtocol = CurlCode(CURLE_UNSUPPORTED_PROTOCOL)
    static let malformedURL = CurlCode(CURLE_URL_MALFORMAT)
    static let proxyNotResolved = CurlCode(CURLE_COULDNT_RESOLVE_PROXY)
    static let hostNotResolved = CurlCode(CURLE_COULDNT_RESOLVE_HOST)
    static let notConnected = CurlCode(CURLE_COULDNT_CONNECT)
    static let strangeReply = CurlCode(CURLE_WEIRD_SERVER_REPLY)
    static let partialFile = CurlCode(CURLE_PARTIAL_FILE)
    static let outOfMemory = CurlCode(CURLE_OUT_OF_MEMORY)
    static let operationTimedOut = CurlCode(CURLE_OPERATION_TIMEDOUT)
    static let handshakeFailed = CurlCode(CURLE_SSL_CONNECT_ERROR)
    static let emptyReply = CurlCode(CURLE_GOT_NOTHING)
    static let sendFailed = CurlCode(CURLE_SEND_ERROR)
    static let receiveFailed = CurlCode(CURLE_RECV_ERROR)
    static let clientCertificate = CurlCode(CURLE_SSL_CERTPROBLEM)
    static let noCommonCipher = CurlCode(CURLE_SSL_CIPHER)
    static let certificateRefused = CurlCode(CURLE_PEER_FAILED_VERIFICATION)
    static let badContentEncoding = CurlCode(CURLE_BAD_CONTENT_ENCODING)
    static let badCAFile = CurlCode(CURLE_SSL_CACERT_BADFILE)
    static let proxyHandshake = CurlCode(CURLE_PROXY)
    static let http2Framing = CurlCode(CURLE_HTTP2)
    static let http2Stream = CurlCode(CURLE_HTTP2_STREAM)

    /// libcurl's own sentence for this code (curl_easy_strerror(3)).
    var text: String {
        unsafe String(cString: curl_easy_strerror(CURLcode(number)))
    }
}
