import PackFormat
import Testing

@testable import PackHost

/// The compact notation of faults.
@Suite("Notation of faults")
struct FaultNotationTests {
    static let table: [(String, HostFault)] = [
        ("status=503", HostFault(pack: "*", action: .status(503, retryAfter: nil))),
        ("status=503 retry-after=2s", HostFault(pack: "*", action: .status(503, retryAfter: .seconds(2)))),
        (
            "status=429 retry-after-date=1min",
            .init(pack: "*", action: .status(429, retryAfter: .date(after: .seconds(60))))
        ),
        (
            "status=503 retry-after-date=-1h",
            .init(pack: "*", action: .status(503, retryAfter: .date(after: .seconds(-3600))))
        ),
        (
            "redirect=http://127.0.0.1:1/a status=307",
            .init(pack: "*", action: .redirect(to: "http://127.0.0.1:1/a", status: 307))
        ),
        (
            "redirect=?moved other-host status=308",
            .init(pack: "*", action: .redirect(to: "?moved", status: 308, origin: .otherHost))
        ),
        (
            "redirect=/moved other-port status=302",
            .init(pack: "*", action: .redirect(to: "/moved", status: 302, origin: .otherPort))
        ),
        (
            "redirect=/moved plain-http status=302",
            .init(pack: "*", action: .redirect(to: "/moved", status: 302, origin: .plainHTTP))
        ),
        ("late-head=1.5s", HostFault(pack: "*", action: .lateHead(.milliseconds(1500)))),
        ("no-head", HostFault(pack: "*", action: .never)),
        (
            "pack=level-2 try=1 cut@524288",
            .init(pack: "level-2", tries: 1...1, action: .cut(at: .bytes(524_288), how: .fin))
        ),
        (
            "pack=a from=500000 try=2 no-head",
            .init(pack: "a", tries: 2...2, rangeStart: 500_000, action: .never)
        ),
        ("from=-500 refuse-range", HostFault(pack: "*", rangeStart: -500, action: .refuseRange)),
        ("try=2-4 cut@40% rst", HostFault(pack: "*", tries: 2...4, action: .cut(at: .fraction(0.4), how: .rst))),
        ("try=2- stall@0", HostFault(pack: "*", tries: 2...Int.max, action: .stall(at: .bytes(0), for: nil))),
        ("stall@12.5% for=5s", HostFault(pack: "*", action: .stall(at: .fraction(0.125), for: .seconds(5)))),
        ("drip=80kbit/s", HostFault(pack: "*", action: .drip(bytesPerSecond: 10_000))),
        ("corrupt@1", HostFault(pack: "*", action: .corrupt(at: .bytes(1)))),
        ("wrong-length=-7", HostFault(pack: "*", action: .wrongLength(by: -7))),
        ("wrapped-length@40%", HostFault(pack: "*", action: .wrappedLength(at: .fraction(0.4)))),
        ("framing=chunked", HostFault(pack: "*", action: .framing(.chunked))),
        ("framing=until-close", HostFault(pack: "*", action: .framing(.untilClose))),
        ("encoding=gzip", HostFault(pack: "*", action: .encoding(.gzip))),
        ("encoding=br", HostFault(pack: "*", action: .encoding(.br))),
        ("no-etag", HostFault(pack: "*", action: .noETag)),
        ("weak-etag", HostFault(pack: "*", action: .weakETag)),
        (#"cache-control="max-age=1""#, HostFault(pack: "*", action: .cacheControl("max-age=1"))),
        ("no-validators", HostFault(pack: "*", action: .noValidators)),
        ("clock=ahead", HostFault(pack: "*", action: .clock(.ahead))),
        ("clock=epoch", HostFault(pack: "*", action: .clock(.epoch))),
        ("range-as-whole", HostFault(pack: "*", action: .rangeAsWhole)),
        ("refuse-range", HostFault(pack: "*", action: .refuseRange)),
        ("multipart", HostFault(pack: "*", action: .multipart)),
        ("ignore-range", HostFault(pack: "*", action: .ignoreRange)),
        ("wrong-range=+5", HostFault(pack: "*", action: .wrongRange(by: 5))),
        ("changed-etag", HostFault(pack: "*", action: .changedETag)),
        ("try=2- changed-content=+9", HostFault(pack: "*", tries: 2...Int.max, action: .changedContent(by: 9))),
        ("changed-size=-9", HostFault(pack: "*", action: .changedSize(by: -9))),
        ("leading-zeros=4294967296", HostFault(pack: "*", action: .leadingZeros(1 << 32))),
        ("try=1 slow-tls=3s", HostFault(pack: "*", tries: 1...1, action: .slowTLS(.seconds(3)))),
        ("portal=\"<p>Sign in</p>\"", HostFault(pack: "*", action: .portal("<p>Sign in</p>"))),
        (
            #"pack="a \"b\"" body="<p>Hi = \\" type=text/html"#,
            .init(pack: "a \"b\"", action: .body("<p>Hi = \\", contentType: "text/html"))
        ),
    ]

    @Test(arguments: table)
    func readsAndWrites(text: String, fault: HostFault) throws {
        #expect(try HostFault(parsing: text) == fault)
        #expect(fault.text == text)
    }

    @Test(arguments: [
        ("  rst   cut@512KiB  pack=a ", HostFault(pack: "a", action: .cut(at: .bytes(524_288), how: .rst))),
        ("cut@3 fin", HostFault(pack: "*", action: .cut(at: .bytes(3), how: .fin))),
        ("redirect=/x", HostFault(pack: "*", action: .redirect(to: "/x", status: 302))),
        ("drip=10kB/s", HostFault(pack: "*", action: .drip(bytesPerSecond: 10_000))),
        ("cache-control=no-store", HostFault(pack: "*", action: .cacheControl("no-store"))),
        ("body=\"\"", HostFault(pack: "*", action: .body("", contentType: "text/html"))),
    ])
    func readsOtherSpellings(text: String, fault: HostFault) throws {
        #expect(try HostFault(parsing: text) == fault)
    }

    @Test(arguments: [
        ("", "no action"), ("pack=a", "no action"), ("cutt@5", "the actions are"), ("cut=5", "write cut@"),
        ("cut@", "not a size"), ("cut@5 cut@6", "a fault has one action"), ("cut@-1", "at least 0"),
        ("cut@101%", "at most 100%"), ("cut@nan%", "at most 100%"), ("cut@x%", "percentage"),
        ("cut@5 rst fin", "not both"), ("cut@5 rst=1", "no value"), ("cut@5 for=1s", "no option of this name"),
        ("try=0 no-head", "number from 1"), ("try=3-2 no-head", "ascending"), ("try=a no-head", "number from 1"),
        ("try=1 try=2 no-head", "twice"), ("from=x no-head", "first byte"), ("from no-head", "first byte"),
        ("status=99", "200 to 599"), ("status=600", "200 to 599"),
        ("status=99999", "a number"), ("status", "write status="), ("redirect=/ status=200", "300 to 399"),
        ("redirect=//a/b other-host", "begins with one '/'"), ("redirect=http://a/ plain-http", "begins with one '/'"),
        ("redirect=/a other-host plain-http", "not both"),
        ("redirect=\"\"", "not empty"), ("redirect=\"/\r\nA: b\"", "control characters"),
        ("slow-tls=-1s", "negative"), ("slow-tls", "write slow-tls="), ("stall@5 for=5", "no unit"),
        ("late-head=-1s", "negative"), ("drip=5", "no unit"),
        ("drip=7bit/s", "at least 1 byte"),
        ("status=503 retry-after=1.5s", "whole seconds"), ("wrong-length=5", "with its sign"),
        ("wrong-length=+5 wrong-range=+5", "of this name"), ("wrong-range=+x", "with its sign"),
        ("changed-size=5", "with its sign"), ("new-etag", "changed-etag"), ("length=+5", "wrong-length"),
        ("framing=bytes", "a framing is chunked, trailers"), ("encoding=zstd", "a content coding is gzip, br"),
        ("framing", "write framing="), ("multipart=1", "no value"),
        ("portal", "write portal="), ("cache-control=\"a\nb\"", "control characters"), ("weak-etag=1", "no value"),
        ("no-head=1", "no value"), ("body=\"open", "not closed"), ("=5 no-head", "no name"),
        ("body=x type=\"a\nb\"", "control characters"),
    ])
    func saysWhatIsWrong(text: String, reason: String) {
        do {
            let fault = try HostFault(parsing: text)
            Issue.record("'\(text)' was read as \(fault)")
        } catch {
            #expect(error.description.contains(reason), "\(error)")
            #expect(error.description.contains(text.isEmpty ? "''" : text))
        }
    }

    /// Earlier schedules name five actions differently.
    @Test(arguments: [
        ("new-etag", "changed-etag"), ("length=-7", "wrong-length=-7"), ("range=+5", "wrong-range=+5"),
        ("new-content=+9", "changed-content=+9"), ("new-size=-9", "changed-size=-9"), ("cut@5", "cut@5"),
    ])
    func schedulesKeepEarlierNames(written: String, meant: String) throws {
        #expect(try HostFault(scheduled: written) == HostFault(parsing: meant))
    }
}
