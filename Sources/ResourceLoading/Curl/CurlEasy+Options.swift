import CCurl
import Glibc
import SystemPackage

extension CurlEasy {
    /// Sets everything that a request and its configuration ask for.
    mutating func apply(_ request: TransferRequest, _ configuration: TransferConfiguration) throws(CurlCode) {
        try set(CURLOPT_URL, request.url)
        try set(CURLOPT_PROTOCOLS_STR, "http,https")
        // HTTP/2 if TLS negotiates it; HTTP/1.1 without TLS.
        try set(CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_2TLS))
        try set(CURLOPT_USERAGENT, "headwind")
        try set(CURLOPT_BUFFERSIZE, 256 * 1024)
        // Signals would only serve the resolver's alarm(2), which does not work with threads.
        try set(CURLOPT_NOSIGNAL, true)
        // An abandoned lookup ends by itself: joining its thread would block all other transfers.
        try set(CURLOPT_QUICK_EXIT, true)
        // The loop measures patience itself, in all phases: libcurl's low-speed timer counts whole seconds.
        try set(CURLOPT_CONNECTTIMEOUT_MS, Int(Int32.max))
        // The caller follows redirects, because it knows which header fields may go to which origin.
        try set(CURLOPT_FOLLOWLOCATION, false)
        if let authorities = configuration.authorities?.string ?? Self.otherAuthorities {
            try set(CURLOPT_CAINFO, authorities)
        }
        try set(configuration.proxy)
        try set(request.method)
        if let limit = request.timeLimit {
            try set(CURLOPT_TIMEOUT_MS, Int(clamping: max(1, limit.nanoseconds / 1_000_000)))
        }
        try set(fields: Self.fields(of: request))
    }

    /// The system's file of certificate authorities, if libcurl's built-in path cannot be read here; nil if it can.
    private static let otherAuthorities: String? = {
        if let own = unsafe curl_version_info(CURLVERSION_SEVENTH)?.pointee.cainfo, unsafe access(own, R_OK) == 0 {
            return nil
        }
        // Debian; Fedora; openSUSE; Alpine.
        return [
            "/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt", "/etc/ssl/ca-bundle.pem",
            "/etc/ssl/cert.pem",
        ].first { unsafe access($0, R_OK) == 0 }
    }()

    private func set(_ method: TransferRequest.Method) throws(CurlCode) {
        try set(CURLOPT_SSLVERSION, Int(CURL_SSLVERSION_TLSv1_2))
        switch method {
        case .get: break
        case .head: try set(CURLOPT_NOBODY, true)
        case .handshake(let protocols):
            try set(CURLOPT_CONNECT_ONLY, true)
            try set(CURLOPT_CERTINFO, true)
            try set(CURLOPT_SSL_VERIFYPEER, false)
            try set(CURLOPT_SSL_VERIFYHOST, 0)
            switch protocols {
            case .usual: break
            case .newest: try set(CURLOPT_SSLVERSION, Int(CURL_SSLVERSION_TLSv1_3))
            case .any:
                try set(CURLOPT_SSLVERSION, Int(CURL_SSLVERSION_TLSv1_0))
                try set(CURLOPT_SSL_CIPHER_LIST, "DEFAULT:@SECLEVEL=0")
            }
        }
    }

    private func set(_ proxy: TransferConfiguration.Proxy) throws(CurlCode) {
        // Header fields for the host must not go to the proxy.
        try set(CURLOPT_HEADEROPT, Int(CURLHEADER_SEPARATE))
        switch proxy {
        case .environment: break
        case .none: try set(CURLOPT_PROXY, "")
        case .tunnel(let url):
            try set(CURLOPT_PROXY, url)
            try set(CURLOPT_NOPROXY, "")
            try set(CURLOPT_HTTPPROXYTUNNEL, true)
        }
    }

    /// The header fields of a request.
    ///
    /// Range and If-Range are written here. libcurl's own resume would make an error of a whole answer to a range
    /// request.
    private static func fields(of request: TransferRequest) -> [String] {
        var fields = request.headers
        if request.from > 0 {
            fields.append("Range: bytes=\(request.from)-")
            if let validator = request.validator { fields.append("If-Range: \(validator)") }
        }
        return fields
    }
}
