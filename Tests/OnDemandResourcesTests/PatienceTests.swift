import Glibc
import ResourceLoading
import Synchronization
import SystemPackage
import Testing

/// How long a download waits for a byte, and for a busy host.
@Suite(.timeLimit(.minutes(1)))
struct PatienceTests {
    let pack = TestPack(name: "p", body: content(50_000), tags: ["t"])

    @Test(arguments: [false, true])
    func silenceEndsWithPatience(afterHead: Bool) async throws {
        try await Fixture.run([pack]) {
            $0.transfers.patience = .milliseconds(150)
        } script: { _, pack in
            guard let pack else { return nil }
            return afterHead ? [Right.whole(pack.body)[0], .send([1, 2]), .stall] : [.stall]
        } _: { fixture in
            let start = ContinuousClock.now
            try await fixture.expect(-1001)
            #expect(ContinuousClock.now - start >= .milliseconds(150))
        }
    }

    @Test func aSlowBodyIsNoSilence() async throws {
        // Patience counts from the last byte: this body takes longer than the patience, but none of its gaps does.
        let gates = (0..<8).map { _ in Gate() }
        try await Fixture.run([pack]) {
            $0.transfers.patience = .milliseconds(1500)
        } script: { _, pack in
            guard let pack else { return nil }
            let size = pack.body.count / gates.count + 1
            return [Right.whole(pack.body)[0]]
                + gates.enumerated().flatMap { index, gate -> [ScriptedServer.Step] in
                    [.wait(gate), .send(Array(pack.body[min(index * size, pack.body.count)...].prefix(size)))]
                }
        } _: { fixture in
            async let error = fixture.request("t")
            for gate in gates {
                try await Task.sleep(for: .milliseconds(220))
                gate.open()
            }
            #expect(try await error == nil)
        }
    }

    @Test(arguments: [
        (["Retry-After: 7"], Duration.seconds(7)),
        ([], .milliseconds(250)),
    ])
    func waitsAsLongAsTheHostAsks(fields: [String], pause: Duration) async throws {
        let pauses = Mutex<[Duration]>([])
        try await Fixture.run([pack]) {
            $0.pause = { pause in pauses.withLock { $0.append(pause) } }
        } script: { request, pack in
            guard pack != nil, request.number == 1 else { return nil }
            let lines = (["HTTP/1.1 503 Busy", "Content-Length: 0"] + fields).joined(separator: "\r\n")
            return [.text(lines + "\r\n\r\n")]
        } _: { fixture in
            try await fixture.expect(nil)
            #expect(pauses.withLock { $0 } == [pause])
            #expect(fixture.log.pauses(of: "p") == [pause])
        }
    }

    @Test func honoursADateInRetryAfter() async throws {
        let pauses = Mutex<[Duration]>([])
        try await Fixture.run([pack]) {
            $0.transfers.patience = .seconds(60)
            $0.pause = { pause in pauses.withLock { $0.append(pause) } }
        } script: { request, pack in
            guard pack != nil, request.number == 1 else { return nil }
            return [.head(503, "Content-Length: 0", "Retry-After: \(httpDate(secondsFromNow: 30))")]
        } _: { fixture in
            try await fixture.expect(nil)
            let pause = try #require(pauses.withLock { $0 }.first)
            #expect(pause > .seconds(25) && pause <= .seconds(30))
        }
    }

    @Test(arguments: ["6", "10000000000", "Fri, 31 Dec 9999 23:59:59 GMT"])
    func failsIfTheHostAsksForALongWait(wish: String) async throws {
        try await Fixture.run([pack]) {
            $0.transfers.patience = .seconds(5)
        } script: { _, pack in
            pack.map { _ in [.head(503, "Retry-After: \(wish)", "Content-Length: 0")] }
        } _: { fixture in
            try await fixture.expect(-1011)
            #expect(fixture.server.requests(for: pack.target).count == 1)
        }
    }
}

/// A date and time as HTTP writes it (RFC 9110 §5.6.7).
func httpDate(secondsFromNow seconds: Int) -> String {
    var time = Glibc.time(nil) + seconds
    var parts = tm()
    gmtime_r(&time, &parts)
    var buffer = [CChar](repeating: 0, count: 64)
    let count = strftime(&buffer, buffer.count, "%a, %d %b %Y %H:%M:%S GMT", &parts)
    return String(decoding: buffer[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self)
}
