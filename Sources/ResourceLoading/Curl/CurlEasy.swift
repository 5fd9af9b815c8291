import CCurl
import Glibc
import SystemPackage

/// One libcurl easy handle, with the list and the buffer that libcurl refers to but does not copy.
///
/// Not Sendable, like the handle itself: it belongs to the thread of its `TransferLoop`.
@safe
struct CurlEasy: ~Copyable {
    /// The handle's address, by which libcurl's multi interface names a finished transfer.
    let handle: UnsafeMutableRawPointer
    private var fields: UnsafeMutablePointer<curl_slist>?
    private let errorText: UnsafeMutablePointer<CChar>

    /// Makes a handle with libcurl's defaults.
    ///
    /// Throws only if no memory is left.
    ///
    /// The corresponding C function is `curl_easy_init`.
    init() throws(CurlCode) {
        guard let handle = unsafe curl_easy_init() else { throw .outOfMemory }
        unsafe self.init(owning: handle)
    }

    private init(owning handle: UnsafeMutableRawPointer) {
        unsafe self.handle = handle
        unsafe errorText = .allocate(capacity: Int(CURL_ERROR_SIZE))
        unsafe errorText.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
        _ = unsafe headwind_easy_set_pointer(handle, CURLOPT_ERRORBUFFER, errorText)
    }

    deinit {
        // The handle goes first: it may still write into the buffer and read the list.
        unsafe curl_easy_cleanup(handle)
        unsafe curl_slist_free_all(fields)
        unsafe errorText.deallocate()
    }

    /// libcurl's message about the last failure; empty if there is none.
    var detail: String { unsafe String(cString: errorText) }

    private static func check(_ code: CURLcode) throws(CurlCode) {
        guard code == CURLE_OK else { throw CurlCode(code) }
    }

    /// Sets a numeric option.
    func set(_ option: CURLoption, _ value: Int) throws(CurlCode) {
        try Self.check(unsafe headwind_easy_set_long(handle, option, value))
    }

    /// Sets a flag.
    func set(_ option: CURLoption, _ value: Bool) throws(CurlCode) {
        try set(option, value ? 1 : 0)
    }

    /// Sets a text option, which libcurl copies.
    func set(_ option: CURLoption, _ value: String) throws(CurlCode) {
        try Self.check(unsafe headwind_easy_set_string(handle, option, value))
    }

    /// Sets the header fields that a request carries besides libcurl's own.
    ///
    /// It may be called only once.
    mutating func set(fields texts: [String]) throws(CurlCode) {
        for text in texts {
            guard let longer = unsafe curl_slist_append(fields, text) else { throw .outOfMemory }
            unsafe fields = longer
        }
        try Self.check(unsafe headwind_easy_set_list(handle, CURLOPT_HTTPHEADER, fields))
    }

    /// Sets the two callbacks and the pointer that is passed to them.
    ///
    /// `context` is not retained: it must outlive the transfer.
    func setCallbacks(
        head: @escaping curl_write_callback,
        body: @escaping curl_write_callback,
        context: UnsafeMutableRawPointer
    ) throws(CurlCode) {
        try Self.check(unsafe headwind_easy_set_data_function(handle, CURLOPT_HEADERFUNCTION, head))
        try Self.check(unsafe headwind_easy_set_pointer(handle, CURLOPT_HEADERDATA, context))
        try Self.check(unsafe headwind_easy_set_data_function(handle, CURLOPT_WRITEFUNCTION, body))
        try Self.check(unsafe headwind_easy_set_pointer(handle, CURLOPT_WRITEDATA, context))
    }

    /// Stops reading the body, or goes on; then bytes that were held back arrive at once.
    ///
    /// The corresponding C function is `curl_easy_pause`.
    func setHeld(_ isHeld: Bool) {
        _ = unsafe curl_easy_pause(handle, isHeld ? CURLPAUSE_RECV : CURLPAUSE_CONT)
    }

    /// A number that libcurl knows about the transfer; 0 if it knows none.
    func number(_ info: CURLINFO) -> Int {
        var value = 0
        _ = unsafe headwind_easy_get_long(handle, info, &value)
        return value
    }

    /// A count of bytes, or a time in microseconds; 0 if libcurl knows none.
    func offset(_ info: CURLINFO) -> Int64 {
        var value: curl_off_t = 0
        _ = unsafe headwind_easy_get_offset(handle, info, &value)
        return Int64(value)
    }

    /// The fields of the certificates that the host sent, the host's own first; empty unless they were asked for.
    ///
    /// It has at most ten certificates, and only `Name:value` fields below 16 KiB, because any host may send them.
    var certificates: [[String]] {
        var list: UnsafeMutablePointer<curl_certinfo>?
        guard unsafe headwind_easy_get_certificates(handle, &list) == CURLE_OK, let list = unsafe list,
            let entries = unsafe list.pointee.certinfo
        else { return [] }
        return unsafe (0..<min(10, Int(list.pointee.num_of_certs))).map { index in
            var fields: [String] = []
            var next = unsafe entries[index]
            while let field = unsafe next {
                if let data = unsafe field.pointee.data, unsafe strlen(data) < 16 << 10 {
                    fields.append(unsafe String(cString: data))
                }
                unsafe next = field.pointee.next
            }
            return fields
        }
    }

    /// A text that libcurl knows about the transfer; nil if it knows none.
    func text(_ info: CURLINFO) -> String? {
        var value: UnsafePointer<CChar>?
        guard unsafe headwind_easy_get_string(handle, info, &value) == CURLE_OK, let value = unsafe value else {
            return nil
        }
        return unsafe String(cString: value)
    }
}

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
