import Results

extension NearMiss {
    /// Redirects, and bodies with unusual framing or encoding.
    static let answers =
        followed + circles + rests + kept + chunked + lengthless + refused + multipart + encoded
        + wrapped

    private static let followed: [NearMiss] = [
        NearMiss(.ignoresRedirect, .pauses) {
            $0.fetch([.redirect(1), .part(2, bytes: 0, status: 503), .redirect(3, at: 1.5), .part(4, at: 1.7)])
            $0.end(.available)
        },
        NearMiss(.ignoresRedirect, .ranges, isCommand: true) {
            $0.fetch([.redirect(1)] + .behind(.parallel))
            $0.end(.available)
        },
        // A redirect leads to a missing file, and the client says so.
        NearMiss(.ignoresRedirect, .read, isCommand: true, expect: "error within 1 s") {
            $0.fetch([.redirect(1), .part(2, bytes: 14, status: 404, at: 0.2, lasting: 0.1)])
            $0.end(.error, at: 2, code: 22)
        },
    ]

    private static let circles: [NearMiss] = [
        NearMiss(.followsRedirectsForever, .pauses, isCommand: true, expect: "error within 3 s") {
            $0.fetch(.circle(51, from: 0) + .behind(.circle(51, from: 5), by: 51))
            $0.end(.error, at: 8, code: 47)
        },
        NearMiss(.followsRedirectsForever, .ranges) {
            $0.fetch(.circle(12, from: 0) + .behind(.parallel, by: 12))
            $0.end(.available)
        },
        NearMiss(.followsRedirectsForever, .read, isCommand: true) {
            $0.fetch(.circle(20, from: 0) + [.part(21, at: 2)])
            $0.end(.available)
        },
    ]

    private static let rests: [NearMiss] = [
        NearMiss(.dropsRangeOnRedirect, .pauses) {
            $0.fetch([
                .cut, .redirect(2, asked: 40_000, at: 0.6), .part(3, from: 40_000, bytes: 60_000, at: 0.8),
            ])
            $0.end(.available)
        },
        NearMiss(.dropsRangeOnRedirect, .ranges, isCommand: true) {
            $0.fetch(
                .parallel.dropLast() + [
                    .redirect(4, asked: 35_000, at: 0.9), .part(5, from: 35_000, bytes: 15_000, at: 1.1),
                ])
            $0.end(.available)
        },
        // Two parts are redirected at once, and the one from the first byte continues first.
        NearMiss(.dropsRangeOnRedirect, .ranges, isCommand: true) {
            $0.fetch([
                .redirect(1, asked: 0, at: 0), .redirect(2, asked: 50_000, at: 0.01), .part(3, bytes: 50_000, at: 0.1),
                .part(4, bytes: 10, asked: 50_000, status: 404, at: 0.11),
            ])
            $0.end(.error, at: 2, code: 1)
        },
        NearMiss(.dropsRangeOnRedirect, .read, isCommand: true) {
            $0.fetch([.redirect(1), .part(2, at: 0.2)])
            $0.end(.available)
        },
    ]

    private static let kept: [NearMiss] = [
        NearMiss(.leaksCredentials, .pauses) {
            $0.fetch([
                .redirect(1, "http://a", with: "authorization"),
                .part(2, bytes: 40_000, end: .host, faults: ["cut@40000"]).at("http://b"),
                .redirect(3, asked: 40_000, at: 2, "http://a", with: "authorization"),
                .part(4, from: 40_000, bytes: 60_000, at: 2.2).at("http://b"),
            ])
            $0.end(.available)
        },
        NearMiss(.leaksCredentials, .ranges, isCommand: true) {
            $0.fetch(
                [.redirect(1, "http://a", with: "authorization")] + .behind(.parallel).map { $0.at("http://b") })
            $0.end(.available)
        },
        // The client may take its cookie to another path.
        NearMiss(.leaksCredentials, .read, isCommand: true) {
            $0.fetch([.redirect(1, "http://a", with: "cookie"), .part(2, at: 0.2).at("http://a", with: "cookie")])
            $0.end(.available)
        },
        NearMiss(.downgradesToHTTP, .pauses, expect: "error within 1 s") {
            $0.fetch([.redirect(1, "https://a"), .redirect(2, at: 1, "https://a")])
            $0.end(.error, at: 2, code: -1022)
        },
        NearMiss(.downgradesToHTTP, .ranges, isCommand: true) {
            $0.fetch([.redirect(1, "https://a")] + .behind(.parallel).map { $0.at("https://b") })
            $0.end(.available)
        },
        NearMiss(.downgradesToHTTP, .read, isCommand: true) {
            $0.fetch([.redirect(1, "http://a"), .part(2, at: 0.2).at("https://a")])
            $0.end(.available)
        },
    ]

    private static let chunked = ofEachKind(.keepsChunkSizes, "framing=chunked")
    private static let lengthless = ofEachKind(.needsContentLength, "framing=until-close")
    private static let encoded = ofEachKind(.keepsEncodedBytes, "encoding=gzip")

    /// A download of each kind, in which every response has a fault that the client handles.
    private static func ofEachKind(_ bug: ClientBug, _ fault: String) -> [NearMiss] {
        let ways: [(Kind, [ConductRecord.Fetch])] = [
            (.pauses, .resumed), (.ranges, .parallel), (.read, [.part(1)]),
        ]
        return ways.map { kind, fetches in
            NearMiss(bug, kind, isCommand: kind != .pauses) {
                $0.fetch(
                    fetches.map { fetch in
                        var fetch = fetch
                        fetch.faults.append(fault)
                        return fetch
                    })
                $0.end(.available)
            }
        }
    }

    private static let refused: [NearMiss] = [
        NearMiss(.takes416ForSuccess, .pauses) {
            $0.fetch([.cut, .refused(2, from: 40_000, at: 0.6), .part(3, at: 1.5)])
            $0.end(.available)
        },
        NearMiss(.takes416ForSuccess, .ranges, isCommand: true) {
            $0.fetch(.parallel + [.refused(5, from: 100_000, at: 2)])
            $0.end(.available)
        },
        NearMiss(.takes416ForSuccess, .read, isCommand: true, expect: "error within 1 s") {
            $0.fetch([.cut, .refused(2, from: 40_000, at: 0.6)])
            $0.end(.error, at: 2, code: 33)
        },
    ]

    private static let wrapped: [NearMiss] = [
        // The client notices each time that the body is short, and asks for the rest.
        NearMiss(.wrapsLengths, .pauses, expect: "error within 1 s") {
            $0.fetch([.long(1), .long(2, from: 40_000, bytes: 0, at: 1.5), .long(3, from: 40_000, bytes: 0, at: 3)])
            $0.end(.error, at: 4, code: -1005)
        },
        NearMiss(.wrapsLengths, .ranges, isCommand: true) {
            $0.fetch([
                .part(1, bytes: 50_000, at: 0, lasting: 1, end: .client, faults: ["wrapped-length@100000"]),
                .part(2, from: 50_000, bytes: 50_000, at: 0.5, faults: ["wrapped-length@100000"]),
            ])
            $0.end(.available)
        },
        // The client resumes after a part of more than 4 GiB, and the host ends each response early.
        NearMiss(.wrapsLengths, .pauses, isCommand: true) {
            $0.conduct?.packs = [.init("p", name: "p", bytes: (1 << 32) + 100_000, requests: 1)]
            $0.conduct?.before = [.init(.part, name: "p", packBytes: (1 << 32) + 40_000)]
            $0.fetch([.part(1, from: (1 << 32) + 40_000, bytes: 20_000, end: .host, faults: ["cut@4295027296"])])
            $0.end(.error, at: 2, code: 18)
        },
        // The client leaves after the head, as it lacks space for that length.
        NearMiss(.wrapsLengths, .daemon, expect: "error within 1 s") {
            $0.fetch([.long(1, bytes: 4096, end: .client)])
            $0.end(.error, at: 2, code: 4992, class: .storage)
        },
        // The client leaves at that byte because of the pause.
        NearMiss(.wrapsLengths, .read, isCommand: true, expect: "error within 1 s") {
            $0.fetch([.long(1, end: .client)])
            $0.end(.error, at: 2, code: 28)
        },
    ]

    private static let multipart: [NearMiss] = [
        NearMiss(.takesMultipartForPart, .pauses) {
            $0.fetch([.cut, .part(2, from: 40_000, bytes: 60_000, at: 0.6, faults: ["multipart"]), .part(3, at: 2)])
            $0.end(.available)
        },
        NearMiss(.takesMultipartForPart, .ranges, isCommand: true) {
            $0.fetch(
                .parallel.dropLast() + [.part(4, from: 35_000, bytes: 15_000, at: 0.9, faults: ["multipart"])])
            $0.end(.available)
        },
        // The client splits the body rightly, and spoils the file elsewhere.
        NearMiss(.takesMultipartForPart, .read, isCommand: true, isTold: false) {
            $0.fetch([.cut, .part(2, from: 40_000, bytes: 60_000, at: 0.6, faults: ["multipart"])])
            $0.end(.available)
            $0.leave(bytes: 100_000, wrongByte: 90_000)
        },
    ]
}

extension [ConductRecord.Fetch] {
    /// The same requests with numbers that are larger by `count`.
    fileprivate static func behind(_ fetches: Self, by count: Int = 1) -> Self {
        fetches.map { fetch in
            var fetch = fetch
            fetch.number += count
            return fetch
        }
    }

    /// Redirects in a row, one every 50 ms from `start` on.
    fileprivate static func circle(_ count: Int, from start: Double) -> Self {
        (0..<count).map { .redirect($0 + 1, at: start + 0.05 * Double($0)) }
    }
}

extension ConductRecord.Fetch {
    /// A try that is cut after 40,000 B.
    fileprivate static let cut = part(1, bytes: 40_000, at: 0, lasting: 0.3, end: .host, faults: ["cut@40000"])

    /// A request that is redirected, with the origin and the credentials that the client sent to it.
    fileprivate static func redirect(
        _ number: Int, asked: Int64 = 0, at began: Double = 0, _ origin: String? = nil,
        with credentials: String? = nil
    ) -> Self {
        var fetch = part(
            number, bytes: 10, asked: asked, status: 302, at: began, lasting: 0.04,
            faults: ["redirect=/moved status=302"])
        (fetch.origin, fetch.credentials) = (origin, credentials)
        return fetch
    }

    /// A body that announces 4 GiB more than 40,000 B, and that pauses and ends at 40,000 B.
    fileprivate static func long(
        _ number: Int, from: Int64 = 0, bytes: Int64 = 40_000, at began: Double = 0, end: End = .host
    ) -> Self {
        part(
            number, from: from, bytes: bytes, at: began, lasting: 0.5, end: end,
            faults: ["wrapped-length@40000", "stall@40000 for=1500ms", "cut@40000"])
    }

    /// A request for a rest, which is answered with 416.
    fileprivate static func refused(_ number: Int, from: Int64, at began: Double) -> Self {
        part(
            number, bytes: 26, asked: from, status: 416, at: began, lasting: 0.1,
            faults: from < 100_000 ? ["refuse-range"] : [])
    }

    /// The same request at another origin, with credentials.
    fileprivate func at(_ origin: String, with credentials: String? = nil) -> Self {
        var fetch = self
        (fetch.origin, fetch.credentials) = (origin, credentials)
        return fetch
    }
}
