import Evidence
package import LinkModel
import Links
import LinuxSupport
import ProcessGuard
import Synchronization

/// A link behind which a program of somebody's runs: has its faults happen, and keeps what happens, if asked.
package final class ProgramWatch: Sendable {
    private let link: any ConditionedLink
    private let driver: LinkFaultDriver
    private let events = LinkEventTask(SignsOfLife())
    private let isRecording: Bool
    private let linkStart = MonotonicClock.now
    private let state = Mutex<(start: Int64, faults: Task<Void, Never>?)>((0, nil))

    /// Watches a link that is up; `isRecording` keeps what it takes to have all of it again.
    package init(_ link: any ConditionedLink, playing faults: [LinkFault], isRecording: Bool) {
        self.link = link
        self.isRecording = isRecording
        driver = LinkFaultDriver(faults, link: link)
        // Nothing else needs to know of each packet that arrives.
        if isRecording || faults.contains(where: \.waitsForTraffic) { events.start(link.events, driver: driver) }
    }

    /// To be called when the program has started: times of faults count from here.
    package func start() {
        let start = MonotonicClock.now
        let faults = Task { [driver] in await driver.playTimed(from: start) }
        state.withLock { $0 = (start, faults) }
    }

    /// To be called when the program has ended: nothing happens to the link any more.
    ///
    /// Where it was recorded the link is taken down, and what happened is answered. Throws what the link died of.
    package func end(_ end: ProgramEnd) async throws -> ProgramRecord? {
        let now = MonotonicClock.now
        let (start, faults) = state.withLock { $0 }
        faults?.cancel()
        await faults?.value
        driver.end()
        try await link.verify()
        guard isRecording else { return nil }
        var trace = AttemptTrace()
        try await link.close()
        trace.crossed = try await link.use()
        (trace.linkStart, trace.clientStart, trace.clientEnd, trace.clientGone) = (linkStart, start, now, now)
        trace.take(await events.finish())
        trace.exit = end.guarded(at: now)
        (trace.unplayedFaults, trace.playedFaults) = (driver.unplayed, driver.played)
        return ProgramRecord(trace: trace)
    }
}

/// How a program ended that had no guard.
package enum ProgramEnd: Sendable, Hashable {
    case exited(Int32)
    case signalled(Int32)
    /// Its time was over.
    case late

    fileprivate func guarded(at time: Int64) -> GuardedExit {
        switch self {
        case .exited(let status): GuardedExit(status: .exited(status), timedOut: false, endedNanoseconds: time)
        case .signalled(let signal): GuardedExit(status: .signaled(signal), timedOut: false, endedNanoseconds: time)
        case .late: GuardedExit(status: .signaled(15), timedOut: true, endedNanoseconds: time)
        }
    }
}

/// What happened on a link while a program ran.
package struct ProgramRecord: Sendable {
    let trace: AttemptTrace
}

extension LinkFault {
    /// Whether its beginning or its end is a moment of the traffic.
    fileprivate var waitsForTraffic: Bool {
        [trigger, until].contains { moment in
            if case .time? = moment { return false }
            return moment != nil
        }
    }
}
