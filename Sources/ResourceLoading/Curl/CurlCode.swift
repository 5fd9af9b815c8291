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
    static let proxyNotResolved = CurlCode(CURLE_COULDNT_RESOLVE_PROXY)
    static let hostNotResolved = CurlCode(CURLE_COULDNT_RESOLVE_HOST)
    static let notConnected = CurlCode(CURLE_COULDNT_CONNECT)
    static let outOfMemory = CurlCode(CURLE_OUT_OF_MEMORY)
    static let operationTimedOut = CurlCode(CURLE_OPERATION_TIMEDOUT)
    static let certificateRefused = CurlCode(CURLE_PEER_FAILED_VERIFICATION)

    /// The kind of the failure (libcurl-errors(3)); nil for an unknown code, and if the code alone does not say it.
    var kind: DownloadFailure.Kind? {
        switch CURLcode(number) {
        case CURLE_OPERATION_TIMEDOUT: .silent
        case CURLE_PARTIAL_FILE: .shortBody
        case CURLE_GOT_NOTHING, CURLE_SEND_ERROR, CURLE_RECV_ERROR, CURLE_HTTP2, CURLE_HTTP2_STREAM: .connectionLost
        // libcurl's code for an answer that is not HTTP.
        case CURLE_UNSUPPORTED_PROTOCOL, CURLE_WEIRD_SERVER_REPLY: .badResponse
        case CURLE_URL_MALFORMAT: .malformedURL
        case CURLE_BAD_CONTENT_ENCODING: .wrongContent
        case CURLE_SSL_CONNECT_ERROR, CURLE_SSL_CIPHER, CURLE_SSL_CERTPROBLEM: .handshake
        case CURLE_SSL_CACERT_BADFILE: .certificateRootUnknown
        case CURLE_PROXY: .refused
        default: nil
        }
    }

    /// libcurl's own sentence for this code (curl_easy_strerror(3)).
    var text: String {
        unsafe String(cString: curl_easy_strerror(CURLcode(number)))
    }
}
