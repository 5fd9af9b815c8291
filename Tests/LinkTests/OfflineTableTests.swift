import Foundation
import LinkModel
import Testing

/// Every call on an offline link, with real sockets, compared with the table of the documentation.
@Suite(.serialized, .timeLimit(.minutes(3)))
struct OfflineTableTests {
    /// Long enough each way to distinguish "at once", a delay and a round trip.
    private static let delay = Duration.milliseconds(250)

    private static let documentation: String = {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        return (try? String(contentsOf: root.appending(path: "docs/reference/offline.md"), encoding: .utf8)) ?? ""
    }()

    /// All rows run at once, each on its own link: nearly all of the time is waiting.
    @Test func `the table says what each call returns`() async throws {
        let rows = try await withThrowingTaskGroup { group in
            for backend in Backend.keyed {
                for kind in OfflineKind.allCases { group.addTask { try await self.row(of: kind, over: backend) } }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        for row in rows { #expect(Self.documentation.contains(row.line + "\n"), "\(row.line)") }
    }

    private func row(of kind: OfflineKind, over backend: Backend) async throws -> OfflineRow {
        let shape = Conditions(delay: Self.delay)
        let profile = Profile(name: "test", conditions: LinkConditions(downlink: shape, uplink: shape))
        return try await backend.withLink(profile) { link in
            let open = try await self.openConnection(over: link, kind: kind)
            try await link.link.update { $0.offline = kind }
            let connect = try await self.connect(over: link)
            let found = try await link.lookUp()
            let datagram = try await link.datagram()
            return OfflineRow(
                kind: kind, backend: backend, connect: connect, clientReceives: open.client, hostReceives: open.host,
                returns: open.returns, lookUp: Self.text(found.result, found.time, waits: .seconds(9)),
                datagram: datagram.map { Self.text($0.result, $0.time, waits: .seconds(2)) } ?? "does not pass")
        }
    }

    private func connect(over link: LinkUnderTest) async throws -> String {
        let opening = try await link.connect(patience: .milliseconds(1500))
        opening.socket?.close()
        switch opening.refusal {
        case nil: return Self.text("works", opening.took)
        case .answer(let answer): return Self.text(answer, opening.took)
        case .error(let error):
            let name = OfflineRow.name(of: error)
            return name == "waits" ? name : Self.text(name, opening.took)
        }
    }

    /// How an open connection reacts when the link goes offline and comes back.
    private func openConnection(
        over link: LinkUnderTest, kind: OfflineKind
    ) async throws -> (client: String, host: String, returns: String) {
        let (client, host) = try await link.pair()
        defer {
            client.close()
            host.close()
        }
        try client.send([1])
        #expect(try host.receive() == [1])
        // Waits for the acknowledgement of that byte.
        try await Task.sleep(for: Self.delay * 2)
        try await link.link.update { $0.offline = kind }
        let start = ContinuousClock.now
        let ends = [client, host].map { end in
            Task.onThread {
                end.limit(.milliseconds(1500))
                do {
                    // A connection that is not reset accepts bytes, even if they never arrive.
                    try end.send([2])
                    let bytes = try end.receive()
                    return Self.text(bytes == [2] ? "goes on" : "ends", .now - start)
                } catch {
                    let name = OfflineRow.name(of: error)
                    return name == "waits" ? name : Self.text(name, .now - start)
                }
            }
        }
        let results = [try await ends[0].value, try await ends[1].value]
        try await link.link.update { $0.offline = nil }
        guard results == ["waits", "waits"] else {
            return (results[0], results[1], results[0].hasPrefix("goes on") ? "goes on" : "stays closed")
        }
        for end in [client, host] { end.limit(.seconds(15)) }
        do {
            let (got, other) = try await Task.onThread { (try client.receive(), try host.receive()) }.value
            return (results[0], results[1], got == [2] && other == [2] ? "goes on" : "ends")
        } catch {
            return (results[0], results[1], OfflineRow.name(of: error))
        }
    }

    /// A result and its time: at once, after the delay of one way, after a round trip, or after waiting.
    private static func text(_ result: String, _ time: Duration, waits: Duration = .seconds(60)) -> String {
        if result == "nothing" { return "nothing" }
        if time >= waits { return "\(result) after \(Int(time.seconds.rounded())) s" }
        let names = ["at once", "after the delay", "after a round trip", "after \(time)", "after two round trips"]
        return "\(result) \(names[min(4, Int((time / delay).rounded()))])"
    }
}
