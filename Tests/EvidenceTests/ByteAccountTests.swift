import Testing

@testable import Evidence
@testable import PackHost

/// The bytes that host, link and client count in an attempt.
struct ByteAccountTests {
    /// The host does not count blocks that went out in part, so the socket may hold more bytes than it has counted.
    @Test func bytesOfACutAnswerAreNotNegative() {
        var trace = AttemptTrace()
        let request = HostRequest(method: "GET", path: "/a", pack: "a", number: 1, range: nil)
        let cut = HostTransfer(
            status: 200, from: 0, planned: 1_000_000, handed: 25_000, unacknowledged: 67_000, cause: .clientClosed)
        for kind in [HostEvent.Kind.request(request), .finished(cut)] {
            trace.host.append(HostEvent(nanoseconds: 1, connection: 1, kind: kind))
        }
        #expect(Transfers(trace).account(isHostOurs: true, stored: []).hostBytes == 0)
    }

    /// A client that gives up for lack of storage leaves bytes unread in its socket, and may end before the host
    /// notices.
    @Test(arguments: [true, false])
    func bytesOfAFailedRequestNeedNotBeRead(isStored: Bool) {
        var trace = AttemptTrace()
        let request = HostRequest(method: "GET", path: "/a", pack: "a", number: 1, range: nil)
        let whole = HostTransfer(
            status: 200, from: 0, planned: 100_000, handed: 100_000, unacknowledged: 0, cause: .complete)
        for kind in [HostEvent.Kind.request(request), .finished(whole)] {
            trace.host.append(HostEvent(nanoseconds: 1, connection: 1, kind: kind))
        }
        let lines = [
            #"{"v":1,"t":1,"event":"request","id":"r1","tags":["a"]}"#,
            #"{"v":1,"t":3,"event":"error","id":"r1","domain":"NSCocoaErrorDomain","code":4992,"message":"no room"}"#,
        ]
        for line in lines { _ = trace.client.append(line: Array(line.utf8)) }
        let account = Transfers(trace).account(isHostOurs: true, stored: isStored ? ["a"] : [])
        #expect(account.toleranceBytes >= (isStored ? 0 : 100_000) && (account.toleranceBytes < 100_000) == isStored)
    }
}
