import CCurl
import Glibc

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
