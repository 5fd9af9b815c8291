import Testing

@testable import ResourceLoading

/// The error that an app gets from an offline network, in virtual time.
///
/// Each kind has one code, for every way to the host and every patience.
struct OfflineCodeTests {
    /// How a link is offline; docs/reference/offline.md lists what each call returns then.
    enum Kind: CaseIterable { case noRoute, silent, refused, noName }

    /// The way to the host: packets, also through the kernel's queues, or a proxy.
    enum Way: CaseIterable { case packets, proxy }

    struct Case: Sendable, CustomTestStringConvertible {
        var kind: Kind
        var way: Way
        var patience: Int64
        /// Whether an earlier lookup of the host's name is cached.
        var isCached: Bool
        /// Whether the host has answered this download before.
        var isAnswered: Bool

        var testDescription: String {
            "\(kind) by \(way), \(patience) s, cached \(isCached), answered \(isAnswered)"
        }

        /// How long the resolver and Headwind's proxy wait before they report that there is no answer, in seconds.
        static let resolver: Int64 = 10

        /// The facts of one try after `waited` seconds of silence, and how long the try took, in seconds.
        func attempt(_ waited: Double) -> (TransferResult, took: Double) {
            let silence = (TransferResult(ending: .silent), Double(patience) - waited)
            let ownPatience = Double(Self.resolver)
            switch (kind, way) {
            case (.silent, .packets) where isCached: return silence
            case (.silent, _) where silence.1 <= ownPatience: return silence
            case (.silent, .packets):
                var result = TransferResult(ending: .failed(.hostNotResolved))
                result.isLookupSilent = NameLookup.isSilent(after: Self.resolver * 1_000_000_000, wait: .seconds(10))
                return (result, ownPatience)
            case (.silent, .proxy): return (refusal(.connectTimedOut, 504), ownPatience)
            case (.noRoute, .packets):
                var result = TransferResult(ending: .failed(isCached ? .notConnected : .hostNotResolved))
                (result.hasNetwork, result.systemError) = (false, .networkUnreachable)
                return (result, 0)
            case (.noRoute, .proxy): return (refusal(.noRoute, 502), 0)
            case (.refused, .packets):
                var result = TransferResult(ending: .failed(.notConnected))
                result.systemError = .connectionRefused
                return (result, 0.5)
            case (.refused, .proxy): return (refusal(.refused, 502), 0.5)
            case (.noName, .packets):
                var result = TransferResult(ending: .failed(.hostNotResolved))
                result.isLookupSilent = NameLookup.isSilent(after: 500_000_000, wait: .seconds(10))
                return (result, 0.5)
            case (.noName, .proxy): return (refusal(.nameNotFound, 502), 0.5)
            }
        }

        private func refusal(_ refusal: ProxyRefusal, _ status: Int) -> TransferResult {
            var result = TransferResult(ending: .failed(CurlCode(56)))  // CURLE_RECV_ERROR
            (result.tunnelStatus, result.proxyRefusal) = (status, refusal)
            return result
        }

        /// The expected error code.
        ///
        /// An immediate failure is reported at once. If the host has answered before, the connection counts as lost
        /// once patience runs out.
        var code: Int {
            switch kind {
            case .silent: -1001
            case .noRoute: isAnswered ? -1005 : -1009
            case .refused: isAnswered ? -1005 : -1004
            case .noName: isAnswered ? -1005 : -1003
            }
        }

        static let all = Kind.allCases.flatMap { kind in
            Way.allCases.flatMap { way in
                [1, 2, 9, 10, 11, 12, 15, 30, 60, 90, 120].flatMap { patience in
                    [(false, false), (true, false), (false, true), (true, true)].map {
                        Case(kind: kind, way: way, patience: patience, isCached: $0.0, isAnswered: $0.1)
                    }
                }
            }
            // A cached name needs no lookup, so no lookup can fail.
        }.filter { $0.kind != .noName || !$0.isCached }
    }

    @Test(arguments: Case.all) func oneCodeForEachKind(of row: Case) throws {
        var policy = DownloadPolicy(patience: .seconds(row.patience), start: 0)
        if row.isAnswered {
            let reset = DownloadPolicy.Try(gained: 100_000, isAnswered: true, end: 0)
            _ = policy.next(after: DownloadFailure(.connectionLost, "x"), reset)
        }
        var now = 0.0
        var waited = 0.0
        for _ in 0..<1000 {
            let (result, took) = row.attempt(waited)
            now += took
            let failure = try #require(DownloadFailure(result))
            let moment = Int64(now * 1e9)
            switch policy.next(after: failure, DownloadPolicy.Try(end: moment)) {
            case .fail(let last):
                #expect(last.kind.urlErrorCode == row.code)
                #expect(now <= Double(row.patience) + 0.5, "it gave up after \(now) s")
                if row.kind == .silent { #expect(now > Double(row.patience) - 2.01, "it gave up after \(now) s") }
                return
            case .again(let pause, let fromZero):
                #expect(!fromZero)
                now += Double(pause.nanoseconds) / 1e9
                waited = failure.kind == .unanswered ? Double(policy.waited(at: Int64(now * 1e9)).nanoseconds) / 1e9 : 0
            }
        }
        Issue.record("it never gives up")
    }

    /// A server that answers does so before its last query times out; lookup times and waits are in seconds.
    @Test(arguments: [
        (0.001, 10, false), (0.5, 10, false), (5.0, 10, false), (9.4, 10, false), (9.99, 10, true), (10.0, 10, true),
        (20.0, 10, true), (0.5, 1, false), (1.0, 1, true), (30.0, 30, true), (10.0, 30, false),
    ])
    func aLookupOfTheWholeWaitIsSilent(took: Double, wait: Int, isSilent: Bool) {
        #expect(NameLookup.isSilent(after: Int64(took * 1e9), wait: .seconds(wait)) == isSilent)
    }
}
