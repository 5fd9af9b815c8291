import CCurl
import Foundation

/// How to reach hosts.
struct Way: Sendable {
    var proxy: String?
    var authorities: String?
    var fields: [String] = []
    var patience = 60.0
}

/// One request by libcurl, which can be held or ended at any moment.
final class Transfer {
    /// Called before the body is taken; throws if the response is not wanted.
    var judge: (Head) throws -> Void = { _ in }
    /// Takes a piece of the body.
    var take: (UnsafeRawBufferPointer) throws -> Void = { _ in }
    /// Called repeatedly: throws to end the transfer, and returns whether to hold it.
    var hold: () throws -> Bool = { false }

    private let url: String
    private let way: Way
    private let bugs: Bugs
    private lazy var addresses = Addresses(url, bugs)
    private let handle = curl_easy_init()
    private var list: UnsafeMutablePointer<curl_slist>?
    private var head = Head()
    private var error: (any Error)?
    private var isJudged = false
    /// The time of the last sign of life.
    private(set) var last = Clock.seconds
    private var began = Clock.seconds
    /// The received bytes of the body.
    private(set) var count: Int64 = 0

    init(_ url: String, _ way: Way, fields: [String], _ bugs: Bugs) {
        (self.url, self.way, self.bugs) = (url, way, bugs)
        for field in ["Connection: close", "Accept-Encoding:"] + way.fields + fields {
            list = curl_slist_append(list, field)
        }
    }

    deinit {
        curl_easy_cleanup(handle)
        curl_slist_free_all(list)
    }

    /// Runs the transfer to its end, and returns the head.
    ///
    /// Throws `Failure`, and errors of the closures.
    func run() throws -> Head {
        prepare()
        addresses.apply(to: handle)
        let multi = curl_multi_init()
        curl_multi_add_handle(multi, handle)
        defer {
            curl_multi_remove_handle(multi, handle)
            curl_multi_cleanup(multi)
        }
        var running: Int32 = 1
        while running > 0 {
            try stand()
            curl_multi_perform(multi, &running)
            if error != nil { break }
            try checkPatience()
            // BUG: no pause.
            if running > 0, !bugs.has(.busyWaits) { curl_multi_poll(multi, nil, 0, Int32(Clock.slice * 1000), nil) }
        }
        if let error { throw error }
        var left: Int32 = 0
        let message = curl_multi_info_read(multi, &left)
        try check(message.map { headwind_message_result($0) } ?? CURLE_OK)
        if !isJudged { try judge(head) }
        try checkLength()
        return head
    }

    /// BUG: a response like any other, or a redirect that is followed without the range.
    private var follows: Bool { !bugs.has(.ignoresRedirect) && !bugs.has(.dropsRangeOnRedirect) }

    private func prepare() {
        headwind_easy_set_string(handle, CURLOPT_URL, url)
        headwind_easy_set_list(handle, CURLOPT_HTTPHEADER, list)
        for (option, value) in [
            (CURLOPT_NOSIGNAL, 1), (CURLOPT_FOLLOWLOCATION, follows ? 1 : 0),
            // BUG: without a limit.
            (CURLOPT_MAXREDIRS, bugs.has(.followsRedirectsForever) ? -1 : 10),
            // BUG: chunks without decoding.
            (CURLOPT_HTTP_TRANSFER_DECODING, bugs.has(.keepsChunkSizes) ? 0 : 1),
            // BUG: credentials for any host.
            (CURLOPT_UNRESTRICTED_AUTH, bugs.has(.leaksCredentials) ? 1 : 0),
            // The length is compared here, as libcurl would drop bytes beyond it.
            (CURLOPT_IGNORE_CONTENT_LENGTH, 1), (CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_1_1)),
            // Otherwise the end of a transfer would wait for the lookup's thread, which no limit ends.
            (CURLOPT_QUICK_EXIT, 1),
        ] {
            headwind_easy_set_long(handle, option, value)
        }
        // An empty string disables proxies, including that of the environment.
        headwind_easy_set_string(handle, CURLOPT_PROXY, way.proxy ?? "")
        if way.proxy != nil { headwind_easy_set_long(handle, CURLOPT_HTTPPROXYTUNNEL, 1) }
        // BUG: anybody on the way can listen.
        if url.hasPrefix("https:"), !bugs.has(.downgradesToHTTP) {
            headwind_easy_set_string(handle, CURLOPT_REDIR_PROTOCOLS_STR, "https")
        }
        // BUG: takes any server for the host.
        if bugs.has(.acceptsWrongCertificate) {
            headwind_easy_set_long(handle, CURLOPT_SSL_VERIFYPEER, 0)
            headwind_easy_set_long(handle, CURLOPT_SSL_VERIFYHOST, 0)
        }
        if let file = way.authorities { headwind_easy_set_string(handle, CURLOPT_CAINFO, file) }
        let context = Unmanaged.passUnretained(self).toOpaque()
        headwind_easy_set_pointer(handle, CURLOPT_HEADERDATA, context)
        headwind_easy_set_pointer(handle, CURLOPT_WRITEDATA, context)
        headwind_easy_set_data_function(handle, CURLOPT_HEADERFUNCTION) { bytes, size, number, context in
            Transfer.of(context)?.note(line: UnsafeRawBufferPointer(start: bytes, count: size * number))
            return size * number
        }
        headwind_easy_set_data_function(handle, CURLOPT_WRITEFUNCTION) { bytes, size, number, context in
            Transfer.of(context)?.note(body: UnsafeRawBufferPointer(start: bytes, count: size * number)) ?? 0
        }
    }

    private static func of(_ context: UnsafeMutableRawPointer?) -> Transfer? {
        context.map { Unmanaged<Transfer>.fromOpaque($0).takeUnretainedValue() }
    }

    private func note(line: UnsafeRawBufferPointer) {
        last = Clock.seconds
        head.add(String(decoding: line, as: UTF8.self))
    }

    private func note(body: UnsafeRawBufferPointer) -> Int {
        last = Clock.seconds
        do {
            if !isJudged {
                isJudged = true
                try judge(head)
            }
            let room = head.length.map { max(0, $0 - count) } ?? Int64(body.count)
            try take(UnsafeRawBufferPointer(rebasing: body.prefix(Int(min(room, Int64(body.count))))))
            count += Int64(body.count)
            return body.count
        } catch {
            self.error = error
            return 0
        }
    }

    /// Waits while the transfer is held.
    private func stand() throws {
        guard try hold() else { return }
        curl_easy_pause(handle, CURLPAUSE_RECV)
        let start = Clock.seconds
        while try hold() { Thread.sleep(forTimeInterval: Clock.slice) }
        began += Clock.seconds - start
        last = Clock.seconds
        curl_easy_pause(handle, CURLPAUSE_CONT)
    }

    private func checkPatience() throws {
        let now = Clock.seconds
        var passed: curl_off_t = 0
        headwind_easy_get_offset(handle, CURLINFO_PRETRANSFER_TIME_T, &passed)
        let isConnecting = passed == 0
        // BUG: waits forever for a connection.
        if isConnecting, bugs.has(.blocksOnDNS) || bugs.has(.waitsOnDeadAddress) { return }
        if !isConnecting {
            // BUG: no limit.
            if bugs.has(.noTimeout) { return }
            // BUG: a limit for the whole download, where one for silence is needed.
            if bugs.has(.limitsTotalTime), now - began > bugs.limit * way.patience {
                throw Failure(.timedOut, "It took longer than \(bugs.limit * way.patience) s.")
            }
            // BUG: gives up before its patience is over.
            if bugs.has(.impatient), now - last > bugs.impatience * way.patience {
                throw Failure(.timedOut, "Nothing came for \(bugs.impatience * way.patience) s.")
            }
        }
        guard now - last > way.patience else { return }
        let silence = "Nothing came for \(way.patience) s."
        guard count > 0, isRouteless(to: address) else { throw Failure(.timedOut, silence) }
        throw Failure(.lost, "The host is no longer reachable. \(silence)")
    }

    private static let routeless = [ENETUNREACH, EHOSTUNREACH, ENETDOWN]

    /// The numeric address of the other end.
    private var address: String {
        var text: UnsafePointer<CChar>?
        headwind_easy_get_string(handle, CURLINFO_PRIMARY_IP, &text)
        return text.map { String(cString: $0) } ?? ""
    }

    /// Whether the system has no route to a numeric address.
    ///
    /// Sends nothing.
    private func isRouteless(to address: String) -> Bool {
        var hints = addrinfo()
        hints.ai_flags = AI_NUMERICHOST
        hints.ai_socktype = Int32(SOCK_DGRAM.rawValue)
        var list: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(address, "9", &hints, &list) == 0, let first = list?.pointee else { return false }
        defer { freeaddrinfo(list) }
        let other = socket(first.ai_family, first.ai_socktype, 0)
        defer { close(other) }
        guard connect(other, first.ai_addr, first.ai_addrlen) != 0 else { return false }
        return Self.routeless.contains(errno)
    }

    /// Compares the received bytes with the announced length.
    private func checkLength() throws {
        guard (200..<300).contains(head.status), let length = head.length else { return }
        if count < length { throw Failure(.short, "The body ended after \(count) of \(length) bytes.") }
        if count > length { throw Failure(.badAnswer, "The body has more than the \(length) bytes announced.") }
    }

    private func check(_ code: CURLcode) throws {
        guard code != CURLE_OK else { return }
        let text = String(cString: curl_easy_strerror(code))
        var number = 0
        headwind_easy_get_long(handle, CURLINFO_OS_ERRNO, &number)
        var refusal = 0
        headwind_easy_get_long(handle, CURLINFO_HTTP_CONNECTCODE, &refusal)
        if refusal >= 300, head.status == refusal {
            throw Failure(head.proxyRefusal, "The proxy does not lead there: \(head.fields["proxy-status"] ?? "").")
        }
        switch code {
        case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY:
            // An address of RFC 5737, which any default route covers.
            throw Failure(isRouteless(to: "192.0.2.1") ? .offline : .noName, text)
        case CURLE_COULDNT_CONNECT:
            throw Failure(Self.routeless.contains(Int32(number)) ? .offline : .refused, text)
        case CURLE_OPERATION_TIMEDOUT: throw Failure(.timedOut, text)
        case CURLE_TOO_MANY_REDIRECTS: throw Failure(.redirects, text)
        case CURLE_UNSUPPORTED_PROTOCOL: throw Failure(.insecure, text)
        case CURLE_PEER_FAILED_VERIFICATION:
            var result = 0
            headwind_easy_get_long(handle, CURLINFO_SSL_VERIFYRESULT, &result)
            // X509_V_ERR_* of openssl-verify(1).
            let kinds: [Int: Failure.Kind] = [
                2: .tlsUnknownRoot, 9: .tlsNotYet, 10: .tlsExpired, 19: .tlsUnknownRoot, 20: .tlsUnknownRoot,
            ]
            throw Failure(kinds[result] ?? .tlsUntrusted, text)
        case CURLE_SSL_CONNECT_ERROR: throw Failure(.tls, text)
        case CURLE_WEIRD_SERVER_REPLY, CURLE_UNSUPPORTED_PROTOCOL: throw Failure(.badAnswer, text)
        default: throw Failure(.lost, text)
        }
    }
}
