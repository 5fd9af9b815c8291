import PackHost
import Testing

@testable import Harness

/// What host, link and client count of an attempt.
struct ByteAccountTests {
    /// The host counts no block of which it does not know how much went out, and the socket may hold more than it has counted.
    @Test func anAnswerThatWasCutHasNoFewerBytesThanNone() {
        var trace = AttemptTrace()
        let request = HostRequest(method: "GET", path: "/a", pack: "a", number: 1, range: nil)
        let cut = HostTransfer(
            status: 200, from: 0, planned: 1_000_000, handed: 25_000, unacknowledged: 67_000, cause: .clientClosed)
        for kind in [HostEvent.Kind.request(request), .finished(cut)] {
            trace.host.append(HostEvent(nanoseconds: 1, connection: 1, kind: kind))
        }
        #expect(trace.byteAccount(isHostOurs: true).hostBytes == 0)
    }
}
