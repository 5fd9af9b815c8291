import Evidence
import Harness
import LinkModel
import Links
import LinuxSupport
import ProcessGuard
import Synchronization

/// Plays the faults of a link while a program of the user's runs behind it, and records events if requested.
final class ProgramWatch: Sendable {
    private let link: any ConditionedLink
    private let driver: LinkFaultDriver
    private let events: Task<LinkLog, Never>?
    private let isRecording: Bool
    private let linkStart = MonotonicClock.now
    private let state = Mutex<(start: Int64, faults: Task<Void, Never>?)>((0, nil))

    /// Watches a running link; `isRecording` keeps what a replay needs.
    init(_ link: any ConditionedLink, playing faults: [LinkFault], isRecording: Bool) {
        self.link = link
        self.isRecording = isRecording
        driver = LinkFaultDriver(faults, link: link)
        // Otherwise, the events of single packets are not needed.
        events =
            isRecording || faults.contains(where: \.waitsForTraffic)
            ? LinkLog.reading(link.events, driver: driver) : nil
    }

    /// Call this when the program has started: times of faults count from here.
    func start() {
        let start = MonotonicClock.now
        let faults = Task { [driver] in await driver.playTimed(from: start) }
        state.withLock { $0 = (start, faults) }
    }

    /// Call this when the program has ended: no fault is played after that.
    ///
    /// If it was recording, it closes the link and returns the record. Throws the error that ended the link.
    func end(_ end: ProgramEnd) async throws -> ProgramRecord? {
        let now = MonotonicClock.now
        let (start, faults) = state.withLock { $0 }
        driver.end()
        faults?.cancel()
        await faults?.value
        try await link.verify()
        guard isRecording else { return nil }
        var trace = AttemptTrace()
        try await link.close()
        trace.crossed = try await link.use()
        (trace.linkStart, trace.clientStart, trace.clientEnd, trace.clientGone) = (linkStart, start, now, now)
        trace.take(await events?.value ?? LinkLog())
        trace.exit = end.guarded(at: now)
        (trace.unplayedFaults, trace.playedFaults) = (driver.unplayed, driver.played)
        return ProgramRecord(trace: trace)
    }
}

/// How a program without a guard ended.
package enum ProgramEnd: Sendable, Hashable {
    case exited(Int32)
    case signalled(Int32)
    /// It was ended at its deadline.
    case late

    fileprivate func guarded(at time: Int64) -> GuardedExit {
        switch self {
        case .exited(let status): GuardedExit(status: .exited(status), timedOut: false, endedNanoseconds: time)
        case .signalled(let signal): GuardedExit(status: .signaled(signal), timedOut: false, endedNanoseconds: time)
        case .late: GuardedExit(status: .signaled(15), timedOut: true, endedNanoseconds: time)
        }
    }
}

extension LinkFault {
    /// Whether its beginning or its end depends on the traffic.
    fileprivate var waitsForTraffic: Bool {
        [trigger, until].contains { moment in
            if case .time? = moment { return false }
            return moment != nil
        }
    }
}
