import LinkModel
import PackFormat
import Results
import Testing

@testable import Scenarios

/// The faults of a scenario, and the expectations that go with them.
@Suite struct FaultTests {
    private static let minimal = "scenario: Test\npacks: ./packs\nlink: 3g\nworkload: [{request: {tags: [a]}}]\n"

    @Test(arguments: [
        ("{pack: a, status: 503}", HostFault(pack: "a", action: .status(503, retryAfter: nil))),
        (
            "{pack: a, status: 503, retry-after: 2 s}",
            HostFault(pack: "a", action: .status(503, retryAfter: .seconds(2)))
        ),
        (
            "{pack: a, status: 429, retry-after: {date: 2 s}}",
            HostFault(pack: "a", action: .status(429, retryAfter: .date(after: .seconds(2))))
        ),
        (
            "{pack: a, status: 503, retry-after: {date: -1 h}}",
            HostFault(pack: "a", action: .status(503, retryAfter: .date(after: .seconds(-3600))))
        ),
        (
            "{pack: manifest, try: 1, redirect: /x}",
            HostFault(pack: "manifest", tries: 1...1, action: .redirect(to: "/x", status: 302))
        ),
        (
            "{pack: any, try: 1-3, redirect: {to: /x, status: 307}}",
            HostFault(pack: "*", tries: 1...3, action: .redirect(to: "/x", status: 307))
        ),
        (
            "{pack: any, redirect: {to: '?x', origin: other-host}}",
            HostFault(pack: "*", action: .redirect(to: "?x", status: 302, origin: .otherHost))
        ),
        ("{pack: a, late-head: 1 s}", HostFault(pack: "a", action: .lateHead(.seconds(1)))),
        ("{pack: a, framing: until-close}", HostFault(pack: "a", action: .framing(.untilClose))),
        ("{pack: a, encoding: gzip}", HostFault(pack: "a", action: .encoding(.gzip))),
        ("{pack: a, encoding: br}", HostFault(pack: "a", action: .encoding(.br))),
        ("{pack: a, wrapped-length: 40 %}", HostFault(pack: "a", action: .wrappedLength(at: .fraction(0.4)))),
        ("{pack: a, range-as-whole: true}", HostFault(pack: "a", action: .rangeAsWhole)),
        ("{pack: a, no-etag: true}", HostFault(pack: "a", action: .noETag)),
        ("{pack: a, weak-etag: true}", HostFault(pack: "a", action: .weakETag)),
        ("{pack: a, cache-control: max-age=1}", HostFault(pack: "a", action: .cacheControl("max-age=1"))),
        ("{pack: a, no-validators: true}", HostFault(pack: "a", action: .noValidators)),
        ("{pack: a, clock: epoch}", HostFault(pack: "a", action: .clock(.epoch))),
        ("{pack: a, refuse-range: true}", HostFault(pack: "a", action: .refuseRange)),
        ("{pack: a, multipart: true}", HostFault(pack: "a", action: .multipart)),
        ("{pack: a, no-head: true}", HostFault(pack: "a", action: .never)),
        ("{pack: a, cut: {at: 40%}}", HostFault(pack: "a", action: .cut(at: .fraction(0.4), how: .fin))),
        ("{pack: a, cut: {at: 1 MiB, how: rst}}", HostFault(pack: "a", action: .cut(at: .bytes(1_048_576), how: .rst))),
        ("{pack: a, stall: {at: 0 B}}", HostFault(pack: "a", action: .stall(at: .bytes(0), for: nil))),
        (
            "{pack: a, stall: {at: 50 %, for: 5 s}}",
            HostFault(pack: "a", action: .stall(at: .fraction(0.5), for: .seconds(5)))
        ),
        ("{pack: a, drip: 16 kbit/s}", HostFault(pack: "a", action: .drip(bytesPerSecond: 2000))),
        ("{pack: a, drip: 2 kB/s}", HostFault(pack: "a", action: .drip(bytesPerSecond: 2000))),
        ("{pack: a, corrupt: 50 %}", HostFault(pack: "a", action: .corrupt(at: .fraction(0.5)))),
        ("{pack: a, wrong-length: -10}", HostFault(pack: "a", action: .wrongLength(by: -10))),
        ("{pack: a, ignore-range: true}", HostFault(pack: "a", action: .ignoreRange)),
        ("{pack: a, wrong-range: +100}", HostFault(pack: "a", action: .wrongRange(by: 100))),
        ("{pack: a, changed-etag: true}", HostFault(pack: "a", action: .changedETag)),
        ("{pack: a, changed-content: +1}", HostFault(pack: "a", action: .changedContent(by: 1))),
        ("{pack: a, leading-zeros: 4 GiB}", HostFault(pack: "a", action: .leadingZeros(1 << 32))),
        ("{pack: a, changed-size: -1}", HostFault(pack: "a", action: .changedSize(by: -1))),
        ("{pack: a, portal: '<p>hi</p>'}", HostFault(pack: "a", action: .portal("<p>hi</p>"))),
        ("{pack: a, body: {text: hi}}", HostFault(pack: "a", action: .body("hi", contentType: "text/html"))),
    ])
    func hostFaults(text: String, fault: HostFault) throws {
        #expect(try scenario(Self.minimal + "faults: [\(text)]").cells[0].hostFaults == [fault])
    }

    @Test func aSlowHandshakeNeedsTLS() throws {
        let text = Self.minimal + "faults: [{pack: any, try: 1-2, slow-tls: 3 s}]\n"
        let fault = HostFault(pack: "*", tries: 1...2, action: .slowTLS(.seconds(3)))
        #expect(try scenario(text + "tls: true").cells[0].hostFaults == [fault])
        let refusals = try [text, text.replacing("any", with: "a") + "tls: true"].map {
            try problems(inScenario: $0.utf8)
        }
        #expect(refusals.map(\.count) == [1, 1])
        #expect(refusals[0][0].contains("5:1 no host can play 'slow-tls' here: slow-tls needs a host with TLS"))
        #expect(refusals[1][0].contains("slow-tls precedes any request"))
    }

    @Test(arguments: [
        (
            "{after: 3 s, link: offline}",
            LinkFault(trigger: .time(.seconds(3)), effect: .offline(.noRoute), duration: nil)
        ),
        ("{after: progress + 3, link: cut}", LinkFault(trigger: .client(.progress, 3), effect: .cut, duration: nil)),
        (
            "{after: 1 MiB, link: silent, until: progress+2}",
            LinkFault(
                trigger: .bytes(1_048_576, .downlink), effect: .offline(.silent), duration: nil,
                until: .client(.progress, 2))
        ),
        (
            "{after: callback + 1, wait: 0.4 s, client: killed}",
            LinkFault(trigger: .client(.callback, 1), wait: .milliseconds(400), effect: .clientKilled)
        ),
        (
            "{after: 3 s, link: silent, until: 80 % of a}",
            LinkFault(
                trigger: .time(.seconds(3)), effect: .offline(.silent), duration: nil,
                until: .packShare(Ratio(partsPerBillion: 800_000_000), pack: "a"))
        ),
        (
            "{after: start, link: silent, for: 1 s}",
            LinkFault(trigger: .time(.zero), effect: .offline(.silent), duration: .seconds(1))
        ),
        (
            "{after: 1 MiB, link: refused}",
            LinkFault(trigger: .bytes(1_048_576, .downlink), effect: .offline(.refused), duration: nil)
        ),
        (
            "{after: 5 kB of a b, link: no-name}",
            LinkFault(trigger: .packBytes(5000, pack: "a b"), effect: .offline(.noName), duration: nil)
        ),
        (
            "{after: 5 % of a, link: no-route}",
            LinkFault(
                trigger: .packShare(Ratio(partsPerBillion: 50_000_000), pack: "a"), effect: .offline(.noRoute),
                duration: nil)
        ),
    ])
    func linkFaults(text: String, fault: LinkFault) throws {
        #expect(try scenario(Self.minimal + "faults: [\(text)]").cells[0].linkFaults == [fault])
    }

    @Test func linkFaultThatIsAProfile() throws {
        let faults = try scenario(Self.minimal + "faults: [{after: 1 s, link: edge}]").cells[0].linkFaults
        #expect(faults[0].effect == .profile(try Repository.profiles.profile(named: "edge")))
    }

    @Test(arguments: [
        ("available", Results.Expectation.available()), ("available within 30 s", .available(withinSeconds: 30)),
        ("no callback within 5 s", .noCallback(withinSeconds: 5)), ("error -1009", .error(.init(code: -1009))),
        ("{error: -1009}", .error(.init(code: -1009))), ("{error: any}", .error(.init())),
        (
            "{error: {domain: NSURLErrorDomain, code: -1009, class: network, within: 20 s}}",
            .error(.init(domain: "NSURLErrorDomain", code: -1009, errorClass: .network), withinSeconds: 20)
        ),
    ])
    func expectations(text: String, expectation: Results.Expectation) throws {
        #expect(
            try scenario(Self.minimal + "expect: \(text)").cells[0].expectations.requests == [
                RequestExpectation(expectation)
            ])
        let own = try scenario(Self.minimal + "expect: {r1: \(text)}").cells[0].expectations
        #expect(own.requests == [RequestExpectation(expectation, request: "r1")] && own.files.isEmpty)
    }
}
