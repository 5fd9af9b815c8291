import CCurl
import Foundation

/// Which addresses of a host a transfer tries, and when.
///
/// By default libcurl tries both families, 200 ms apart.
final class Addresses {
    private let url: URLComponents?
    private let bugs: Bugs
    private var list: UnsafeMutablePointer<curl_slist>?

    init(_ url: String, _ bugs: Bugs) {
        (self.url, self.bugs) = (URLComponents(string: url), bugs)
    }

    /// Destroy it only after the transfer has ended, as libcurl uses the list until then.
    deinit { curl_slist_free_all(list) }

    func apply(to handle: UnsafeMutableRawPointer?) {
        // BUG: IPv4 alone.
        if bugs.has(.needsIPv4) { headwind_easy_set_long(handle, CURLOPT_IPRESOLVE, Int(CURL_IPRESOLVE_V4)) }
        // BUG: no limit for an address.
        if bugs.has(.waitsOnDeadAddress) {
            headwind_easy_set_long(handle, CURLOPT_HAPPY_EYEBALLS_TIMEOUT_MS, 3_600_000)
            headwind_easy_set_long(handle, CURLOPT_CONNECTTIMEOUT_MS, Int(Int32.max))
        }
        // BUG: only the first address.
        guard bugs.has(.ignoresOtherAddresses), let host = url?.host, let first = first(of: host) else { return }
        let port = url?.port ?? (url?.scheme == "https" ? 443 : 80)
        list = curl_slist_append(nil, "\(host):\(port):\(first.contains(":") ? "[\(first)]" : first)")
        headwind_easy_set_list(handle, CURLOPT_RESOLVE, list)
    }

    /// The first address of a host, in digits, or nil if the lookup fails.
    private func first(of host: String) -> String? {
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var found: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(host, nil, &hints, &found) == 0, let first = found?.pointee else { return nil }
        defer { freeaddrinfo(found) }
        var text = [CChar](repeating: 0, count: Int(NI_MAXHOST))
        let size = socklen_t(text.count)
        guard getnameinfo(first.ai_addr, first.ai_addrlen, &text, size, nil, 0, NI_NUMERICHOST) == 0 else { return nil }
        return String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}
