import Events
import Testing

@testable import ResourceLoading

/// Which requests want and hold which packs, and the actions that the ledger returns.
struct AccessLedgerTests {
    private let lost = ResourceError.outOfSpace("x")

    private func ledger(parallel: Int = 4) -> AccessLedger { AccessLedger(parallel: parallel) }

    private func begin(
        _ ledger: inout AccessLedger,
        _ key: UInt64,
        _ packs: Set<String>,
        missing: Set<String>? = nil,
        _ priority: LoadingPriority = .normal(0.5)
    ) -> [AccessLedger.Action] {
        ledger.begin(key, packs: packs, missing: missing ?? packs, priority: priority)
    }

    @Test func storedPacksAreAvailableAtOnce() {
        var ledger = ledger()
        #expect(begin(&ledger, 1, ["a"], missing: []) == [.available(1)])
        #expect(ledger.pinned == ["a"])
    }

    @Test func twoRequestsShareOneJobAndOnePin() {
        var ledger = ledger()
        #expect(begin(&ledger, 1, ["a"]) == [.start("a")])
        #expect(begin(&ledger, 2, ["a"]) == [])
        #expect(ledger.stored("a") == [.available(1), .available(2)])
        #expect(ledger.end(1) == [])
        #expect(ledger.pinned == ["a"])
        #expect(ledger.end(2) == [])
        #expect(ledger.pinned == [])
    }

    @Test func packsThatAreWaitedForAreHeldAndNotPinned() {
        var ledger = ledger()
        _ = begin(&ledger, 1, ["a", "b"], missing: ["b"])
        #expect(ledger.wanted == ["a", "b"])
        #expect(ledger.pinned == [])
    }

    @Test func aLostPackFailsAllRequestsThatWaitForIt() {
        var ledger = ledger()
        _ = begin(&ledger, 1, ["a", "b"])
        _ = begin(&ledger, 2, ["b", "c"])
        #expect(ledger.failed("b", lost) == [.failed(1, lost), .stop("a"), .failed(2, lost), .stop("c")])
        #expect(ledger.wanted == [])
    }

    @Test func cancellingStopsOnlyPacksThatNoOtherRequestWants() {
        var ledger = ledger()
        _ = begin(&ledger, 1, ["a", "b"])
        _ = begin(&ledger, 2, ["b"])
        #expect(ledger.end(1) == [.stop("a")])
        #expect(ledger.stored("b") == [.available(2)])
    }

    @Test func aJobThatIsWantedAgainWhileItStopsStartsOver() {
        var ledger = ledger()
        _ = begin(&ledger, 1, ["a"])
        #expect(ledger.end(1) == [.stop("a")])
        #expect(begin(&ledger, 2, ["a"]) == [])
        #expect(ledger.failed("a", .cancelled) == [.start("a")])
        #expect(ledger.stored("a") == [.available(2)])
    }

    @Test func aJobThatFinishesWhileItStopsCounts() {
        var ledger = ledger()
        _ = begin(&ledger, 1, ["a"])
        _ = ledger.end(1)
        _ = begin(&ledger, 2, ["a"])
        #expect(ledger.stored("a") == [.available(2)])
    }

    @Test func aWaitingJobOfAnEndedRequestIsDropped() {
        var ledger = ledger(parallel: 1)
        _ = begin(&ledger, 1, ["a"])
        _ = begin(&ledger, 2, ["b"])
        #expect(ledger.end(2) == [.drop("b")])
        #expect(ledger.stored("a") == [.available(1)])
    }

    @Test func startsByPriorityThenByArrival() {
        var ledger = ledger(parallel: 1)
        _ = begin(&ledger, 1, ["running"])
        _ = begin(&ledger, 2, ["low"], .normal(0.1))
        _ = begin(&ledger, 3, ["second"])
        _ = begin(&ledger, 4, ["third"])
        let order = ["running", "second", "third", "low"].map { ledger.stored($0).last }
        #expect(order == [.start("second"), .start("third"), .start("low"), .available(2)])
    }

    @Test func aHigherPriorityPausesLowerOnes() {
        var ledger = ledger(parallel: 2)
        #expect(begin(&ledger, 1, ["a", "b", "c"], .normal(0.2)) == [.start("a"), .start("b")])
        // They start even if lower priorities occupy all slots.
        #expect(
            begin(&ledger, 2, ["x", "y", "z"], .normal(0.7))
                == [.start("x"), .start("y"), .pause("a", true), .pause("b", true)])
        #expect(ledger.stored("x") == [.start("z")])
        #expect(begin(&ledger, 3, ["d"], .normal(0.1)) == [])
        #expect(ledger.stored("y") == [])
        #expect(ledger.stored("z") == [.available(2), .pause("a", false), .pause("b", false)])
        #expect(ledger.stored("a") == [.start("c")])
        #expect(ledger.end(1) == [.stop("b"), .stop("c")])
        #expect(ledger.failed("b", .cancelled) == [.start("d")])
    }

    @Test func aPriorityChangesInMidDownload() {
        var ledger = ledger()
        _ = begin(&ledger, 1, ["a"], .normal(0.4))
        _ = begin(&ledger, 2, ["b"], .normal(0.4))
        #expect(ledger.setPriority(.normal(0.6), of: 2) == [.pause("a", true)])
        #expect(ledger.setPriority(.normal(0.8), of: 1) == [.pause("b", true), .pause("a", false)])
        #expect(ledger.setPriority(.normal(0.8), of: 2) == [.pause("b", false)])
    }

    @Test func anIdleJobLetsLowerPrioritiesRun() {
        var ledger = ledger()
        _ = begin(&ledger, 1, ["low"], .normal(0))
        #expect(begin(&ledger, 2, ["high"], .normal(1)) == [.start("high"), .pause("low", true)])
        #expect(ledger.setIdle(true, "high") == [.pause("low", false)])
        #expect(ledger.setIdle(true, "high") == [])
        #expect(begin(&ledger, 3, ["lowest"], .normal(0)) == [.start("lowest")])
        #expect(ledger.setIdle(false, "high") == [.pause("low", true), .pause("lowest", true)])
        #expect(ledger.setIdle(true, "high") == [.pause("low", false), .pause("lowest", false)])
        #expect(ledger.failed("high", lost) == [.failed(2, lost)])
        #expect(ledger.setIdle(false, "high") == [])
    }

    @Test func anUrgentPackStartsAtOnceAndPausesOthers() {
        var ledger = ledger(parallel: 2)
        _ = begin(&ledger, 1, ["a", "b", "c"])
        #expect(begin(&ledger, 2, ["u"], .urgent) == [.start("u"), .pause("a", true), .pause("b", true)])
        #expect(ledger.stored("a") == [])
        #expect(ledger.stored("u") == [.available(2), .start("c"), .pause("b", false)])
    }

    @Test func startsAPausedDownloadThatBecomesUrgent() {
        var ledger = ledger()
        _ = begin(&ledger, 1, ["a"])
        #expect(begin(&ledger, 2, ["u"], .urgent) == [.start("u"), .pause("a", true)])
        #expect(begin(&ledger, 3, ["a"], .urgent) == [.pause("a", false)])
        #expect(ledger.end(2) == [.stop("u")])
        #expect(ledger.end(3) == [])
    }

    @Test func aPriorityRisesDuringTheWait() {
        var ledger = ledger(parallel: 1)
        _ = begin(&ledger, 1, ["a", "b"])
        _ = begin(&ledger, 2, ["c"])
        #expect(ledger.setPriority(.urgent, of: 2) == [.start("c"), .pause("a", true)])
    }

    @Test func startingOverStopsTheJobFirst() {
        var ledger = ledger()
        _ = begin(&ledger, 1, ["a"])
        #expect(ledger.startOver() == [.stop("a")])
        #expect(ledger.startOver() == [])
        #expect(ledger.failed("a", .cancelled) == [.start("a")])
        #expect(ledger.startOver() == [.stop("a")])
        // No request wants it any more, so it does not start again.
        #expect(ledger.end(1) == [])
        #expect(ledger.failed("a", .cancelled) == [])
    }

    @Test func aPausedRequestPausesItsJobsAndKeepsItsPacks() {
        var ledger = ledger()
        _ = begin(&ledger, 1, ["a", "b"], missing: ["a"])
        #expect(ledger.setPaused(true, of: 1) == [.pause("a", true)])
        #expect(ledger.setPaused(true, of: 1) == [])
        #expect(ledger.wanted == ["a", "b"])
        #expect(ledger.setPaused(false, of: 1) == [.pause("a", false)])
        #expect(ledger.setPaused(false, of: 1) == [])
        #expect(ledger.stored("a") == [.available(1)])
    }

    @Test func aJobPausesOnlyWhenAllItsRequestsArePaused() {
        var ledger = ledger()
        _ = begin(&ledger, 1, ["a"])
        _ = begin(&ledger, 2, ["a"])
        #expect(ledger.setPaused(true, of: 1) == [])
        #expect(ledger.setPaused(true, of: 2) == [.pause("a", true)])
        // A cancelled request stops nothing that a paused one still needs.
        #expect(ledger.end(2) == [])
        #expect(ledger.end(1) == [.stop("a")])
    }

    @Test func aPausedJobFreesItsSlotAndAWaitingJobIsDropped() {
        var ledger = ledger(parallel: 1)
        _ = begin(&ledger, 1, ["a", "b"])
        _ = begin(&ledger, 2, ["c"])
        #expect(ledger.setPaused(true, of: 1) == [.drop("b"), .start("c"), .pause("a", true)])
        #expect(ledger.setPaused(false, of: 1) == [.pause("a", false)])
        #expect(ledger.stored("c") == [.available(2)])
        #expect(ledger.stored("a") == [.start("b")])
    }

    @Test func aRequestThatBeginsPausedStartsNothing() {
        var ledger = ledger()
        #expect(ledger.begin(1, packs: ["a"], missing: ["a"], priority: .normal(0.5), isPaused: true) == [])
        #expect(ledger.setPaused(false, of: 1) == [.start("a")])
    }

    /// A request that begins paused has room reserved from its start.
    @Test func endingAPausedRequestDropsItsPacks() {
        var ledger = ledger()
        _ = ledger.begin(1, packs: ["a", "b"], missing: ["a"], priority: .normal(0.5), isPaused: true)
        _ = ledger.begin(2, packs: ["a", "c"], missing: ["a", "c"], priority: .normal(0.5), isPaused: true)
        #expect(ledger.end(1) == [])
        #expect(ledger.end(2) == [.drop("a"), .drop("c")])
    }

    @Test func aPausedUrgentRequestLetsOthersResume() {
        var ledger = ledger()
        _ = begin(&ledger, 1, ["a"])
        #expect(begin(&ledger, 2, ["u"], .urgent) == [.start("u"), .pause("a", true)])
        #expect(ledger.setPaused(true, of: 2) == [.pause("u", true), .pause("a", false)])
    }

    @Test func aJobThatFailsWhileItIsHeldBackStartsOver() {
        var ledger = ledger()
        _ = begin(&ledger, 1, ["a"])
        _ = ledger.setPaused(true, of: 1)
        #expect(ledger.failed("a", lost) == [])
        #expect(ledger.setPaused(false, of: 1) == [.start("a")])
    }

    @Test func prioritiesAreLimited() {
        #expect(LoadingPriority.normal(7).limited == .normal(1))
        #expect(LoadingPriority.normal(-1).limited == .normal(0))
        #expect(LoadingPriority.normal(.nan).limited == .normal(0.5))
        #expect(LoadingPriority.urgent > .normal(1))
    }
}
