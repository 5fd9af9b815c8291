import LinkModel
import Testing

@testable import PacketLink

/// When the thread sleeps, and when it stays awake.
@Suite struct WakeUpTests {
    private func instant(_ microseconds: Int64) -> Instant { Instant(nanoseconds: microseconds * 1000) }

    @Test func theTimerIsEarlyByTheThreadsLateness() {
        var wakeUp = WakeUp(now: instant(0))
        for turn in 1...1000 as ClosedRange<Int64> {
            let deadline = instant(10_000 * turn)
            guard let moment = wakeUp.moment(for: deadline, now: instant(10_000 * turn - 9000)) else {
                Issue.record("it may sleep for 9 ms")
                return
            }
            #expect(moment < deadline && moment.duration(to: deadline) <= .microseconds(150))
            // The thread always wakes 40 µs late: soon the timer is about 50 µs early, and the thread awake before its
            // deadline.
            let woken = moment + .microseconds(40)
            wakeUp.noteWakeUp(moment, now: woken)
            if turn > 200 { #expect(woken < deadline && moment.duration(to: deadline) < .microseconds(65)) }
            #expect(wakeUp.moment(for: deadline, now: woken) == nil || woken >= deadline)
        }
    }

    @Test func timeSpentAwakeIsRationed() {
        var wakeUp = WakeUp(now: instant(0))
        var awake: Int64 = 0
        // Something is due every 100 µs, for a second: too often to stay awake for each.
        for now in stride(from: 0, to: 1_000_000 as Int64, by: 100) {
            let deadline = instant(now + 50)
            if wakeUp.moment(for: deadline, now: instant(now)) == nil {
                wakeUp.stayAwake(from: instant(now), to: deadline)
                awake += 50
            }
        }
        #expect(awake > 10_000 && awake < 25_000)
    }

    @Test func theThreadDoesNotSleepPastADeadline() {
        var wakeUp = WakeUp(now: instant(0))
        wakeUp.stayAwake(from: instant(0), to: instant(10_000))
        #expect(wakeUp.moment(for: instant(100), now: instant(100)) == nil)
        #expect(wakeUp.moment(for: instant(200), now: instant(150)) == instant(200))
    }

    @Test func onlyManyPacketsMakeALinkBusy() {
        var busyDetector = BusyDetector()
        var busy: [Bool] = []
        for millisecond in 0..<6 as Range<Int64> {
            busyDetector.add(millisecond < 3 ? 100 : 1)
            busy.append(busyDetector.isBusy(at: instant(1000 * millisecond)))
        }
        busyDetector.add(1000)
        // Many packets after a long pause are a burst, and not yet a stream.
        busy.append(busyDetector.isBusy(at: instant(60_000)))
        #expect(busy == [false, true, true, false, false, false, false])
    }
}
