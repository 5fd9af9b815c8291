import CCurl
import Wording

/// URLs as libcurl reads them, so that checks and transfers read a URL in the same way.
@safe
struct CurlURL: ~Copyable {
    /// nil if there is no memory: libcurl refuses it as a URL.
    private let handle: OpaquePointer?

    /// Reads an absolute http or https URL; nil for anything else.
    init?(_ text: String) { unsafe self.init(text, relativeTo: nil) }

    /// Reads a reference relative to a URL; nil if the result is not an http or https URL.
    ///
    /// The corresponding C function is `curl_url_set`, which resolves a reference against the URL it already holds.
    private init?(_ text: String, relativeTo base: OpaquePointer?) {
        // `deinit` runs even if this returns nil.
        unsafe handle = if let base = unsafe base { unsafe curl_url_dup(base) } else { unsafe curl_url() }
        guard unsafe curl_url_set(handle, CURLUPART_URL, text, 0) == CURLUE_OK,
            ["http", "https"].contains(part(CURLUPART_SCHEME)?.lowercased())
        else { return nil }
    }

    deinit { unsafe curl_url_cleanup(handle) }

    private func part(_ part: CURLUPart, flags: Int32 = 0) -> String? {
        var text: UnsafeMutablePointer<CChar>?
        guard unsafe curl_url_get(handle, part, &text, UInt32(flags)) == CURLUE_OK, let text = unsafe text else {
            return nil
        }
        defer { unsafe curl_free(text) }
        return unsafe String(cString: text)
    }

    /// Resolves a reference against this URL (RFC 3986 §5); nil if the result is not http or https.
    func resolve(_ reference: String) -> String? {
        unsafe CurlURL(reference, relativeTo: handle)?.part(CURLUPART_URL)
    }

    /// Whether the scheme is https.
    var isSecure: Bool { part(CURLUPART_SCHEME)?.lowercased() == "https" }

    /// Scheme, host and port, to compare origins: extra header fields stay within one origin.
    var origin: String {
        let host = part(CURLUPART_HOST)?.lowercased() ?? ""
        let port = part(CURLUPART_PORT, flags: CURLU_DEFAULT_PORT) ?? ""
        return "\(isSecure ? "https" : "http")://\(host):\(port)"
    }

    /// The decoded last component of the path; empty for a folder.
    var fileName: String {
        let path = part(CURLUPART_PATH) ?? "/"
        let name = path.split(separator: "/", omittingEmptySubsequences: false).last ?? ""
        return String(decoding: PercentEncoding.bytes(of: name), as: UTF8.self)
    }

    /// The URL without user, password, query and fragment, which may appear in events, logs and messages.
    var redacted: String {
        let host = part(CURLUPART_HOST) ?? ""
        let port = part(CURLUPART_PORT).map { ":\($0)" } ?? ""
        let query = part(CURLUPART_QUERY) == nil ? "" : "?…"
        return "\(isSecure ? "https" : "http")://\(host)\(port)\(part(CURLUPART_PATH) ?? "/")\(query)"
    }
}

/// Removes secrets from what is shown or written.
package enum Redaction {
    /// A URL without user, password, query and fragment; a placeholder if it is not an http or https URL.
    package static func url(_ text: String) -> String { CurlURL(text)?.redacted ?? "(no URL)" }
}
