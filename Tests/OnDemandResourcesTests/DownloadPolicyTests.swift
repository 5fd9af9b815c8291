import Testing

@testable import ResourceLoading

/// Whether, when and from which byte a download is tried again, in times that are plain numbers.
struct DownloadPolicyTests {
    typealias Decision = DownloadPolicy.Decision

    /// A try that ends `end` seconds after the start.
    private func attempt(_ end: Double, gained: Int64 = 0, answered: Bool = false, retryAfter: Duration? = nil)
        -> DownloadPolicy.Try
    {
        .init(gained: gained, isAnswered: answered, retryAfter: retryAfter, end: Int64(end * 1e9))
    }

    private func failure(_ kind: DownloadFailure.Kind) -> DownloadFailure { DownloadFailure(kind, "x") }

    private func policy() -> DownloadPolicy { DownloadPolicy(patience: .seconds(60), start: 0) }

    private func kind(_ decision: Decision) -> DownloadFailure.Kind? {
        if case .fail(let failure) = decision { failure.kind } else { nil }
    }

    @Test(arguments: [
        DownloadFailure.Kind.noRoute, .nameNotFound, .refused, .handshake, .silent, .absent, .unauthorized,
        .badResponse, .wrongLength, .unfitRange, .redirectLoop, .insecureRedirect, .certificateExpired,
        .certificateUntrusted, .certificateRootUnknown, .certificateNotYetValid, .noSpace, .cancelled, .unknown,
    ])
    func failsAtOnce(at kind: DownloadFailure.Kind) {
        var policy = policy()
        #expect(self.kind(policy.next(after: failure(kind), attempt(0.1))) == kind)
    }

    @Test(arguments: [DownloadFailure.Kind.noRoute, .nameNotFound, .refused, .handshake])
    func aLinkThatHasWorkedIsTriedAgain(kind: DownloadFailure.Kind) {
        var policy = policy()
        _ = policy.next(after: failure(.connectionLost), attempt(1, gained: 100_000, answered: true))
        #expect(policy.next(after: failure(kind), attempt(2)) == .again(after: .milliseconds(500), fromZero: false))
        // Once patience runs out, the error is the lost connection, whatever the last try met.
        #expect(self.kind(policy.next(after: failure(kind), attempt(62))) == .connectionLost)
    }

    /// A download that waits out its patience without a route has lost its connection, and waits no longer.
    @Test func silenceWithoutARouteIsALostConnection() {
        for (isCutOff, expected) in [(true, DownloadFailure.Kind.connectionLost), (false, .silent)] {
            var policy = policy()
            var last = attempt(60, gained: 100_000, answered: true)
            last.isCutOff = isCutOff
            #expect(kind(policy.next(after: failure(.silent), last)) == expected)
        }
    }

    @Test func pausesDoubleUpToALimit() {
        var policy = policy()
        let pauses = (0..<6).map { index in policy.next(after: failure(.connectionLost), attempt(Double(index))) }
        #expect(pauses == [0.25, 0.5, 1, 2, 2, 2].map { .again(after: .seconds($0), fromZero: false) })
    }

    @Test func aDownloadContinuesAtOnceAfterALargePiece() {
        var policy = policy()
        for second in 1...100 {
            let decision = policy.next(after: failure(.connectionLost), attempt(Double(second), gained: 1 << 20))
            #expect(decision == .again(after: .zero, fromZero: false))
        }
    }

    @Test func pausesGrowIfAHostCutsAfterFewBytes() {
        var policy = policy()
        let pauses = (0..<4).map { policy.next(after: failure(.connectionLost), attempt(Double($0), gained: 10)) }
        #expect(pauses == [0, 0.5, 1, 2].map { .again(after: .seconds($0), fromZero: false) })
    }

    @Test func threeShortBodiesWithoutProgressAreEnough() {
        var policy = policy()
        let kinds = [0, 0, 5, 0, 0, 0].enumerated().map { index, gained in
            kind(policy.next(after: failure(.shortBody), attempt(Double(index), gained: gained)))
        }
        #expect(kinds == [nil, nil, nil, nil, nil, .shortBody])
    }

    @Test func retryAfterCountsWithinPatience() {
        var policy = policy()
        let wish = attempt(10, retryAfter: .seconds(50))
        #expect(policy.next(after: failure(.busy), wish) == .again(after: .seconds(50), fromZero: false))
        #expect(kind(policy.next(after: failure(.busy), attempt(10.1, retryAfter: .seconds(50)))) == .busy)
    }

    @Test(arguments: [Duration.seconds(9_223_372_036), .seconds(10_000_000_000), .seconds(Int64.max)])
    func anExcessiveRetryAfterFails(wish: Duration) {
        var policy = policy()
        #expect(kind(policy.next(after: failure(.busy), attempt(10, retryAfter: wish))) == .busy)
    }

    @Test func wrongContentIsFetchedOnceMoreFromZero() {
        var policy = policy()
        #expect(policy.next(after: failure(.wrongContent), attempt(1)) == .again(after: .zero, fromZero: true))
        #expect(kind(policy.next(after: failure(.wrongContent), attempt(2))) == .wrongContent)
    }

    @Test func aFileThatNeverStopsChangingIsGivenUp() {
        var policy = policy()
        for _ in 0..<DownloadPolicy.restarts {
            #expect(policy.startOver(because: "changed") == .again(after: .zero, fromZero: true))
        }
        #expect(kind(policy.startOver(because: "changed")) == .badResponse)
    }
}
