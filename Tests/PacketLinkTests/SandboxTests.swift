import Glibc
import LinkModel
import PacketLink
import SystemPackage
import Testbed
import Testing

/// Two TUN devices in namespaces of their own, and what programs see through the link between them.
@Suite(.serialized, .timeLimit(.minutes(2)))
struct SandboxTests {
    private func withLink<Result>(
        _ profile: Profile = .open, capture: PacketCapture? = nil, _ body: (PacketLink, Sandbox) async throws -> Result
    ) async throws -> Result {
        try await withSandbox { sandbox in
            let configuration = PacketLinkConfiguration(profile: profile, capture: capture)
            return try await withPacketLink(configuration, client: sandbox.clientTUN, host: sandbox.hostTUN) { link in
                try await body(link, sandbox)
            }
        }
    }

    @Test(arguments: [false, true])
    func datagramsTakeTheirDelay(v6: Bool) async throws {
        try await withLink(.link(Conditions(delay: .milliseconds(40)))) { _, sandbox in
            try await TestSocket.with(sandbox, on: .host, .udp, port: 0, v6: v6) { host in
                try await TestSocket.with(sandbox, on: .client, .udp, v6: v6) { client in
                    try client.connect(toPort: host.port, v6: v6)
                    let clock = ContinuousClock()
                    for index in 0..<5 {
                        let start = clock.now
                        try client.send(be16(index))
                        try host.echo()
                        #expect(try client.receive() == be16(index))
                        let took = clock.now - start
                        #expect(took >= .milliseconds(80) && took < .milliseconds(180))
                    }
                }
            }
        }
    }

    @Test(arguments: [false, true])
    func aConnectionIsWholeAndItsEventsAreReported(v6: Bool) async throws {
        let size = 2_000_000
        let whole = (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }
        let shape = Conditions(
            rate: BitRate(bitsPerSecond: 100_000_000), delay: .milliseconds(2), loss: .random(.percent(1)),
            duplicate: .percent(1), reorder: .percent(1), corrupt: .percent(1))
        let kinds = try await withLink(.link(shape)) { link, sandbox in
            try await TestSocket.with(sandbox, on: .host, .tcp, listens: true, v6: v6) { listener in
                try await TestSocket.with(sandbox, on: .client, .tcp, v6: v6) { client in
                    try client.connect(toPort: listener.port, v6: v6)
                    try await listener.accepted { host in
                        let sending = Thread.detached {
                            try host.send(whole)
                            shutdown(host.descriptor.rawValue, Int32(SHUT_WR))
                        }
                        var got: [UInt8] = []
                        while case let piece = try client.receive(), !piece.isEmpty { got += piece }
                        try await sending.value
                        #expect(got == whole)
                        try client.descriptor.close()
                    }
                }
            }
            var kinds: [LinkEvent.Kind] = []
            for await event in link.events {
                if event.connection == 1 { kinds.append(event.kind) }
                if case .closed = event.kind { break }
            }
            return kinds
        }
        guard case .flow(6, let target, "#1", _) = kinds.first else {
            Issue.record("the first event is not a connection: \(kinds.first as Any)")
            return
        }
        #expect(target.hasPrefix("[") == v6)
        #expect(kinds.contains(.delivered(direction: .downlink, total: Int64(size))))
        #expect(!kinds.contains { if case .delivered(.uplink, _) = $0 { true } else { false } })
        #expect(kinds.last == .closed(downlink: Int64(size), uplink: 0, cause: .finished))
        let effects = Set(
            kinds.compactMap { if case .decision(let decision) = $0 { decision.effect.word } else { nil } })
        #expect(effects == ["drop", "duplicate", "reorder", "corrupt"])
    }

    @Test(arguments: [(OfflineKind.noRoute, Errno.networkUnreachable), (.refused, .connectionRefused)], [false, true])
    func connectingOfflineFailsByItsKind(kind: (OfflineKind, Errno), v6: Bool) async throws {
        let profile = Profile(name: "test", conditions: LinkConditions(offline: kind.0))
        try await withLink(profile) { _, sandbox in
            try await TestSocket.with(sandbox, on: .client, .tcp, v6: v6) { client in
                let failure = #expect(throws: Errno.self) { try client.connect(toPort: 80, v6: v6) }
                #expect(failure == kind.1)
            }
        }
    }

    @Test func silentConnectingWaits() async throws {
        try await withLink(Profile(name: "test", conditions: LinkConditions(offline: .silent))) { link, sandbox in
            try await TestSocket.with(sandbox, on: .client, .tcp) { client in
                _ = fcntl(client.descriptor.rawValue, F_SETFL, O_NONBLOCK)
                let failure = #expect(throws: Errno.self) { try client.connect(toPort: 80) }
                #expect(failure == .nowInProgress)
                while try await link.counters().link.uplink.offlinePackets == 0 { await Task.yield() }
                var watched = pollfd(fd: client.descriptor.rawValue, events: Int16(POLLOUT), revents: 0)
                #expect(poll(&watched, 1, 100) == 0)
            }
        }
    }

    /// How an open connection reacts when the link goes offline, and when it comes back.
    @Test(arguments: OfflineKind.allCases)
    func anOpenConnectionReactsToAnOutage(kind: OfflineKind) async throws {
        try await withLink { link, sandbox in
            try await TestSocket.with(sandbox, on: .host, .tcp, listens: true) { listener in
                try await TestSocket.with(sandbox, on: .client, .tcp) { client in
                    try client.connect(toPort: listener.port)
                    try await listener.accepted { host in
                        try client.send([1])
                        #expect(try host.receive() == [1])
                        try await link.update { $0.offline = kind }
                        if kind == .refused {
                            let failure = #expect(throws: Errno.self) { try client.receive() }
                            #expect(failure == .connectionReset)
                            let other = #expect(throws: Errno.self) { try host.receive() }
                            #expect(other == .connectionReset)
                            return
                        }
                        try client.send([2])
                        if kind != .noName {
                            var watched = pollfd(fd: host.descriptor.rawValue, events: Int16(POLLIN), revents: 0)
                            #expect(poll(&watched, 1, 300) == 0)
                            try await link.update { $0.offline = nil }
                        }
                        #expect(try host.receive() == [2])
                    }
                }
            }
        }
    }

    @Test func oneDescriptorForBothEndsIsRefused() async throws {
        var failure: PacketLinkError?
        do {
            try await withSandbox { sandbox in
                try await withPacketLink(
                    .init(profile: .open), client: sandbox.clientTUN, host: sandbox.clientTUN
                ) { _ in }
            }
        } catch let error as PacketLinkError {
            failure = error
        }
        // The second registration of a descriptor fails: the system says that it exists.
        #expect(failure == .descriptor(.host, attempt: "watch", code: EEXIST))
    }
}

extension PacketEffect {
    fileprivate var word: String {
        switch self {
        case .drop: "drop"
        case .delay: "delay"
        case .duplicate: "duplicate"
        case .corrupt: "corrupt"
        case .reorder: "reorder"
        case .stall: "stall"
        case .cut: "cut"
        }
    }
}

/// Runs blocking work in a detached task.
private enum Thread {
    static func detached(_ body: @escaping @Sendable () throws -> Void) -> Task<Void, any Error> {
        Task.detached { try body() }
    }
}
