import Testing

@testable import ResourceLoading

/// How response heads, ranges and refusals are parsed, and what follows from them.
struct ResponseTests {
    @Test(arguments: [
        ("bytes 0-499/1234", ContentRange(0...499, 1234)),
        ("bytes 0-499/*", ContentRange(0...499, nil)),
        ("bytes */1234", ContentRange(nil, 1234)),
        ("BYTES 5-5/6", ContentRange(5...5, 6)),
        ("bytes 0-499/499", nil),
        ("bytes 5-4/10", nil),
        ("bytes -5/10", nil),
        ("bytes +1-2/10", nil),
        ("bytes */*", nil),
        ("bytes 0-1", nil),
        ("bytes 0-99999999999999999999/*", nil),
        ("items 0-1/2", nil),
        ("", nil),
    ])
    func contentRange(text: String, expected: ContentRange?) {
        #expect(ContentRange(text) == expected)
    }

    @Test(arguments: [
        ("headwind; error=dns_error", ProxyRefusal.nameNotFound),
        ("headwind;error=destination_ip_unroutable", .noRoute),
        ("edge; error=dns_timeout; details=\"x\"", .nameTimedOut),
        ("a, b; error=connection_refused", .refused),
        ("a; error=http_protocol_error, b; error=connection_timeout", .connectTimedOut),
        ("headwind; error=connection_terminated", .terminated),
        ("headwind; error=unheard_of", nil),
        ("error=dns_error", nil),
        ("headwind; error", nil),
        ("", nil),
    ])
    func proxyStatus(field: String, refusal: ProxyRefusal?) {
        #expect(ProxyRefusal(field: field) == refusal)
    }

    @Test func aStatusLineDiscardsThePreviousHead() {
        var head = ResponseHead()
        for line in ["HTTP/1.1 200 Connection established\r\n", "ETag: \"proxy\"\r\n", "HTTP/1.1 206 Partial\r\n"] {
            head.take(line: line)
        }
        head.take(line: "content-RANGE:bytes 5-9/10 \r\n")
        head.take(line: "Content-Type: Text/HTML; charset=utf-8\r\n")
        #expect(head.status == 206)
        #expect(head.etag == nil)
        #expect(head.contentRange == ContentRange(5...9, 10))
        #expect(head.contentType == "text/html")
    }

    @Test(
        arguments: [
            ("\"strong\"", nil, "\"strong\""),
            ("W/\"weak\"", "a date", "a date"),
            (nil, "a date", "a date"),
            ("unquoted", nil, nil),
            ("\"", nil, nil),
        ] as [(String?, String?, String?)])
    func validator(etag: String?, date: String?, expected: String?) {
        var head = ResponseHead()
        head.etag = etag
        head.lastModified = date
        #expect(head.validator == expected)
    }

    struct Row: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var head: ResponseHead
        var from: Int64 = 0
        var note: PartialNote? = PartialNote(pack: "p", edition: .init(), validator: "\"e\"", total: 100)
        var expected = Expectation()
        var rule: Outcome
    }

    /// The result of a rule, without its texts.
    enum Outcome: Equatable { case append, replace, complete, startOver, redirect, fail(DownloadFailure.Kind) }

    static func head(_ status: Int, _ lines: String...) -> ResponseHead {
        var head = ResponseHead()
        head.take(line: "HTTP/1.1 \(status) X")
        for line in lines { head.take(line: line) }
        return head
    }

    static let rows: [Row] = [
        Row(testDescription: "the whole", head: head(200, "Content-Length: 100"), rule: .replace),
        Row(testDescription: "the whole in place of a part", head: head(200), from: 50, rule: .replace),
        Row(testDescription: "the rest", head: head(206, "Content-Range: bytes 50-99/100"), from: 50, rule: .append),
        Row(testDescription: "some of it", head: head(206, "Content-Range: bytes 50-59/100"), from: 50, rule: .append),
        Row(
            testDescription: "the rest of an unknown whole", head: head(206, "Content-Range: bytes 50-99/*"), from: 50,
            rule: .append),
        Row(
            testDescription: "a length that is not the range's",
            head: head(206, "Content-Range: bytes 50-99/100", "Content-Length: 49"), from: 50, rule: .fail(.unfitRange)),
        Row(
            testDescription: "another range", head: head(206, "Content-Range: bytes 40-99/100"), from: 50,
            rule: .fail(.unfitRange)),
        Row(testDescription: "no range", head: head(206), from: 50, rule: .fail(.unfitRange)),
        Row(
            testDescription: "a range that was not asked for", head: head(206, "Content-Range: bytes 0-99/100"),
            rule: .fail(.unfitRange)),
        Row(
            testDescription: "a part of another file",
            head: head(206, "Content-Range: bytes 50-99/100", "ETag: \"f\""), from: 50, rule: .startOver),
        Row(
            testDescription: "a part of a file of another size", head: head(206, "Content-Range: bytes 50-99/101"),
            from: 50, rule: .startOver),
        Row(testDescription: "all there", head: head(416, "Content-Range: bytes */100"), from: 100, rule: .complete),
        Row(
            testDescription: "more than there is", head: head(416, "Content-Range: bytes */7"), from: 50,
            rule: .startOver),
        Row(testDescription: "no such range, no more said", head: head(416), from: 50, rule: .startOver),
        Row(
            testDescription: "all of a file that is not the pack", head: head(416, "Content-Range: bytes */100"),
            from: 100, expected: .init(size: 120), rule: .startOver),
        Row(testDescription: "416 although nothing was asked", head: head(416), rule: .fail(.badResponse)),
        Row(testDescription: "redirect", head: head(308, "Location: /x"), rule: .redirect),
        Row(testDescription: "not modified", head: head(304), rule: .fail(.badResponse)),
        Row(
            testDescription: "a length that cannot be", head: head(200, "Content-Length: 99"),
            expected: .init(size: 100), rule: .fail(.wrongLength)),
        Row(
            testDescription: "a page of another length",
            head: head(200, "Content-Length: 9", "Content-Type: text/html"),
            expected: .init(size: 100), rule: .fail(.wrongContent)),
        Row(
            testDescription: "over the limit", head: head(200, "Content-Length: 99"), expected: .init(limit: 98),
            rule: .fail(.wrongLength)),
        Row(testDescription: "absent", head: head(404), rule: .fail(.absent)),
        Row(testDescription: "busy", head: head(503), rule: .fail(.busy)),
    ]

    @Test(arguments: rows)
    func aHeadLeadsToItsRule(row: Row) {
        let outcome: Outcome =
            switch ResponseRule(row.head, from: row.from, note: row.note, expected: row.expected) {
            case .append: .append
            case .replace: .replace
            case .complete: .complete
            case .startOver: .startOver
            case .redirect: .redirect
            case .fail(let failure): .fail(failure.kind)
            }
        #expect(outcome == row.rule)
    }
}

extension ContentRange {
    /// A range as parsed from its text, for comparison.
    fileprivate init?(_ bytes: ClosedRange<Int64>?, _ total: Int64?) {
        self.init("bytes \(bytes.map { "\($0.lowerBound)-\($0.upperBound)" } ?? "*")/\(total.map(String.init) ?? "*")")
    }
}
