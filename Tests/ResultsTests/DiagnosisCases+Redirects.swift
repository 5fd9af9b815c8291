import Results

extension DiagnosisCase {
    /// The handling of redirects: three forms of each bug.
    static let redirected = ignored + endless + withoutRange + unsafe

    private static let ignored: [DiagnosisCase] = [
        DiagnosisCase("takes what a redirect says for the pack", .ignoresRedirect, isCommand: true) {
            $0.fetch(redirect(1))
            $0.end(.available)
            $0.leave(bytes: 10, wrongByte: 0)
        },
        DiagnosisCase("takes what a redirect to HTTP says for the pack", .ignoresRedirect, isCommand: true) {
            $0.fetch(redirect(1, at: "https://a", fault: "redirect=/moved plain-http status=302"))
            $0.end(.available)
            $0.leave(bytes: 10, wrongByte: 0)
        },
        DiagnosisCase("ends in an error at a redirect", .ignoresRedirect, isCommand: true) {
            $0.fetch(redirect(1))
            $0.end(.error, at: 0.2, code: 1)
        },
        DiagnosisCase("follows some kinds of redirects", .ignoresRedirect) {
            $0.fetch(redirect(1), redirect(2, at: 0.15), redirect(3, at: 0.3))
            $0.end(.error, at: 0.5, code: -1011)
        },
    ]

    private static let endless: [DiagnosisCase] = [
        DiagnosisCase("follows redirects until it is ended", .followsRedirectsForever, expect: "error within 4 s") {
            $0.redirects(90, every: 0.05)
            $0.end(.noCallback)
            $0.findings = [Finding(.clientHung, "")]
        },
        DiagnosisCase("follows redirects for too long", .followsRedirectsForever, budgets: ["requests: max <= 60"]) {
            $0.redirects(61, every: 0.06)
            $0.end(.available)
            $0.samples.set(.requests, 62)
        },
        DiagnosisCase(
            "follows redirects, and gives up late", .followsRedirectsForever, isCommand: true,
            expect: "error within 3 s"
        ) {
            $0.redirects(70, every: 0.05)
            $0.end(.error, at: 4, code: 47)
        },
    ]

    private static let withoutRange: [DiagnosisCase] = [
        DiagnosisCase(
            "asks for all where it is led", .dropsRangeOnRedirect, isCommand: true, words: [.refetched(mostBytes: 1024)]
        ) {
            $0.fetch(half, redirect(2, from: 40_000), .part(3, at: 1.15))
            $0.end(.available)
            $0.samples.set(.redundantBytes, 40_000)
        },
        DiagnosisCase(
            "asks for all at the end of two redirects", .dropsRangeOnRedirect,
            budgets: ["redundant_bytes: max <= 1 kB"]
        ) {
            $0.fetch(half, redirect(2, from: 40_000), redirect(3, at: 1.15), .part(4, at: 1.3))
            $0.end(.available)
            $0.samples.set(.redundantBytes, 40_000)
        },
        DiagnosisCase("asks for all where it is led, too often", .dropsRangeOnRedirect, words: [.retries(0...1)]) {
            $0.fetch(half, redirect(2, from: 40_000), .part(3, at: 1.2))
            $0.end(.available)
        },
    ]

    private static let unsafe: [DiagnosisCase] = [
        DiagnosisCase("takes a token to another host", .leaksCredentials, isCommand: true) {
            $0.fetch(
                redirect(1, at: "http://a", with: "authorization"), part(2, at: "http://b", with: "authorization"))
            $0.end(.available)
            $0.findings = [Finding(.redirectUnsafe, "authorization of http://a went to http://b")]
        },
        DiagnosisCase("takes a token to another port", .leaksCredentials) {
            $0.fetch(
                redirect(1, at: "http://a", with: "authorization, cookie"),
                part(2, at: "http://a:81", with: "authorization, cookie"))
            $0.end(.available)
            $0.findings = [Finding(.redirectUnsafe, "authorization of http://a went to http://a:81")]
        },
        DiagnosisCase("takes a token to the second host that it is led to", .leaksCredentials, isCommand: true) {
            $0.fetch(
                redirect(1, at: "http://a", with: "authorization"), redirect(2, at: "http://b"),
                part(3, at: "http://c", with: "authorization"))
            $0.end(.error, at: 3, code: 22)
            $0.findings = [Finding(.redirectUnsafe, "authorization of http://a went to http://c")]
        },
        DiagnosisCase("takes a token to where a HEAD request led", .leaksCredentials, isCommand: true) {
            $0.conduct?.heads = [redirect(1, at: "http://a", with: "authorization")]
            $0.fetch(part(2, at: "http://b", with: "authorization"))
            $0.end(.available)
            $0.findings = [Finding(.redirectUnsafe, "authorization of http://a went to http://b")]
        },
        DiagnosisCase("goes from HTTPS to HTTP", .downgradesToHTTP, isCommand: true, expect: "either") {
            $0.fetch(redirect(1, at: "https://a"), part(2, at: "http://a:443"))
            $0.end(.available)
            $0.findings = [Finding(.redirectUnsafe, "the client followed a redirect from https://a to http://a:443")]
        },
        DiagnosisCase("goes from HTTPS to HTTP, and is cut", .downgradesToHTTP, expect: "error -1022") {
            $0.fetch(
                redirect(1, at: "https://a"),
                part(2, at: "http://a:443", bytes: 40_000, end: .host, faults: ["cut@40000"]))
            $0.end(.error, code: -1005)
            $0.findings = [Finding(.redirectUnsafe, "the client followed a redirect from https://a to http://a:443")]
        },
        DiagnosisCase(
            "goes from HTTPS to HTTP, and takes a token along", .leaksCredentials, .downgradesToHTTP, isCommand: true
        ) {
            $0.fetch(
                redirect(1, at: "https://a", with: "authorization"), part(2, at: "http://a", with: "authorization"))
            $0.end(.available)
            $0.findings = [Finding(.redirectUnsafe, "authorization of https://a went to http://a")]
        },
    ]

    /// Clients whose failures look like one of these bugs, and that have none of them.
    static let rightlyRedirected: [DiagnosisCase] = [
        // Clients that do not ignore a redirect.
        DiagnosisCase("is led to where there is nothing, and says so", isCommand: true, expect: "error within 1 s") {
            $0.fetch(redirect(1), .part(2, bytes: 14, status: 404, at: 0.2, lasting: 0.1))
            $0.end(.error, at: 2, code: 22)
        },
        DiagnosisCase("is led in a circle, and gives up after ten", isCommand: true) {
            $0.redirects(11, every: 0.1)
            $0.end(.error, at: 1.2, code: 47)
        },
        DiagnosisCase("stays away from HTTP", isCommand: true) {
            $0.fetch(redirect(1, at: "https://a", fault: "redirect=/moved plain-http status=302"))
            $0.end(.error, at: 0.2, code: 1)
        },
        // Clients that do not follow redirects forever.
        DiagnosisCase("is led in a circle 50 times, and is slow", isCommand: true, expect: "error within 3 s") {
            $0.redirects(51, every: 0.08)
            $0.end(.error, at: 4.2, code: 47)
        },
        DiagnosisCase(
            "tries a circle again with pauses", isCommand: true, expect: "error within 20 s",
            budgets: ["requests: max <= 90"]
        ) {
            $0.redirects(51, every: 0.05)
            $0.redirects(51, every: 0.05, from: 5)
            $0.end(.error, at: 8, code: 47)
            $0.samples.set(.requests, 102)
        },
        DiagnosisCase("is led 20 times, and goes on", budgets: ["requests: max <= 20"]) {
            $0.redirects(20, every: 0.05)
            $0.end(.available)
            $0.samples.set(.requests, 21)
        },
        // Clients that keep the range.
        DiagnosisCase("asks for the rest where it is led, and is late", isCommand: true, expect: "available within 1 s")
        {
            $0.fetch(half, redirect(2, from: 40_000), .part(3, from: 40_000, bytes: 60_000, at: 1.15))
            $0.end(.available)
        },
        DiagnosisCase("begins anew where the file has changed behind a redirect", words: [.refetched(mostBytes: 0)]) {
            $0.fetch(
                half, redirect(2, from: 40_000),
                .part(3, asked: 40_000, status: 200, at: 1.15, faults: ["changed-etag"]))
            $0.end(.available)
            $0.samples.set(.redundantBytes, 40_000)
        },
        DiagnosisCase("asks for all, is led, and asks for all", words: [.retries(0...1)]) {
            $0.fetch(redirect(1), .part(2, bytes: 0, status: 503, at: 0.2, lasting: 0.1), .part(3, at: 2))
            $0.end(.available)
        },
        // Clients that give no credentials away.
        DiagnosisCase("keeps its token to itself, and is late", expect: "available within 1 s") {
            $0.fetch(redirect(1, at: "http://a", with: "authorization"), part(2, at: "http://b"))
            $0.end(.available)
        },
        DiagnosisCase("takes its token to another path, and is late", expect: "available within 1 s") {
            $0.fetch(redirect(1, at: "http://a", with: "cookie"), part(2, at: "http://a", with: "cookie"))
            $0.end(.available)
        },
        DiagnosisCase("takes its cookie to another port, and is late", expect: "available within 1 s") {
            $0.fetch(
                redirect(1, at: "http://[::1]:80", with: "authorization, cookie"),
                part(2, at: "http://[::1]:81", with: "cookie"))
            $0.end(.available)
            $0.findings = [Finding(.redirectUnsafe, "whatever it says")]
        },
        DiagnosisCase("asks the first host again with its token", expect: "available within 1 s") {
            $0.fetch(
                redirect(1, at: "http://a", with: "authorization"),
                part(2, at: "http://b", bytes: 40_000, end: .host, faults: ["cut@40000"]),
                redirect(3, from: 40_000, at: "http://a", with: "authorization"), part(4, at: "http://b", from: 40_000))
            $0.end(.available)
        },
        DiagnosisCase("goes from HTTP to HTTPS, and is late", expect: "available within 1 s") {
            $0.fetch(redirect(1, at: "http://a"), part(2, at: "https://a"))
            $0.end(.available)
        },
        DiagnosisCase("is led by HTTPS to another host, and is late", expect: "available within 1 s") {
            $0.fetch(redirect(1, at: "https://a"), part(2, at: "https://b"))
            $0.end(.available)
        },
        DiagnosisCase("asks for HTTP by itself, and is late", expect: "available within 1 s") {
            $0.fetch(part(1, at: "https://a", bytes: 0, end: .client), part(2, at: "http://a"))
            $0.end(.available)
        },
    ]

    private static let half = ConductRecord.Fetch.part(1, bytes: 40_000, end: .client, faults: [])

    private static func redirect(
        _ number: Int, from: Int64 = 0, at began: Double? = nil
    ) -> ConductRecord.Fetch {
        .part(
            number, bytes: 10, asked: from, status: 302, at: began, lasting: 0.1,
            faults: ["redirect=/moved status=302"])
    }

    private static func redirect(
        _ number: Int, from: Int64 = 0, at origin: String, with credentials: String? = nil,
        fault: String = "redirect=/moved other-host status=302"
    ) -> ConductRecord.Fetch {
        var fetch = ConductRecord.Fetch.part(
            number, bytes: 10, asked: from, status: 302, lasting: 0.1, faults: [fault])
        (fetch.origin, fetch.credentials) = (origin, credentials)
        return fetch
    }

    private static func part(
        _ number: Int, at origin: String, with credentials: String? = nil, from: Int64 = 0, bytes: Int64? = nil,
        end: ConductRecord.Fetch.End = .complete, faults: [String] = []
    ) -> ConductRecord.Fetch {
        var fetch = ConductRecord.Fetch.part(
            number, from: from, bytes: bytes ?? 100_000 - from, end: end, faults: faults)
        (fetch.origin, fetch.credentials) = (origin, credentials)
        return fetch
    }
}

extension AttemptRecord {
    /// Appends `count` redirects in a row to the requests, one every `seconds`, from `start` on.
    fileprivate mutating func redirects(_ count: Int, every seconds: Double, from start: Double = 0) {
        let before = conduct?.fetches ?? []
        let more = (0..<count).map { index in
            ConductRecord.Fetch.part(
                before.count + index + 1, bytes: 10, status: 302, at: start + Double(index) * seconds,
                lasting: seconds * 0.8, faults: ["redirect=?again status=302"])
        }
        conduct?.fetches = before + more
        conduct?.packs = [.init("p", name: "level", bytes: 100_000, requests: before.count + count)]
    }
}
