package import SystemPackage

/// How a guarded program ended, and what it used, after the last of its processes had ended.
package struct GuardedExit: Sendable, Equatable {
    /// How the program ended.
    package enum Status: Sendable, Equatable {
        /// By itself, with this status.
        case exited(Int32)
        /// By this signal.
        case signaled(Int32)
        /// It never ran: there is no such program (`Errno.noSuchFileOrDirectory`), or it may not be executed.
        case notExecuted(Errno)
        /// It never ran: its working directory cannot be entered.
        case noDirectory(Errno)
        /// It has not ended, because the kernel does not let it: it is among `left`.
        case left
    }

    /// A process that could not be ended.
    package struct LeftProcess: Sendable, Equatable, Decodable {
        package let processID: Int32
        /// A letter of proc(5), such as `D`: sleeps in the kernel, and receives no signal.
        package let state: String
        /// The name that it gave itself, at most 63 characters of plain ASCII.
        package let name: String

        private enum CodingKeys: String, CodingKey { case processID = "pid", state, name }
    }

    /// A period in which the program's threads together ran, or waited for a processor, for at least half of the time.
    package struct Stretch: Sendable, Equatable {
        /// The begin in nanoseconds of CLOCK_MONOTONIC, exact to the 100 ms between two samples; `until` is the end.
        package let from: Int64
        package let until: Int64
        /// How long the threads ran, summed; `waited` is how long they were runnable and waited for a processor.
        package let ran: Duration
        package let waited: Duration

        package init(from: Int64, until: Int64, ran: Duration, waited: Duration) {
            (self.from, self.until, self.ran, self.waited) = (from, until, ran, waited)
        }

        /// Reads a stretch in the guard's form: four numbers of microseconds; nil if they are not possible.
        init?(microseconds numbers: [Int64]) {
            guard numbers.count == 4, numbers[0] > 0, numbers[1] > numbers[0], numbers[1] < .max / 1000 else {
                return nil
            }
            self.init(
                from: numbers[0] * 1000, until: numbers[1] * 1000, ran: .microseconds(numbers[2]),
                waited: .microseconds(numbers[3]))
        }
    }

    package let status: Status
    /// Whether the deadline of the command ended it.
    package let timedOut: Bool
    /// Processor time in user mode of the program and of the children that it waited for.
    ///
    /// See getrusage(2).
    package let userTime: Duration
    /// Processor time in kernel mode of the same processes.
    package let systemTime: Duration
    /// The largest resident set, in bytes, of the program or of a child that it waited for: the larger one, not the
    /// sum.
    ///
    /// It is `ru_maxrss` of getrusage(2), hence VmHWM of proc(5) at its end. The guard starts the program from a small
    /// process, because the figure includes the process before it executes the program.
    package let maxResidentBytes: Int64
    /// How many other processes the guard had to end when the program had ended, or was ended.
    package let survivorsEnded: Int
    /// How many processes could not be ended.
    ///
    /// No guard watches them any more.
    package let leftCount: Int
    /// The first sixteen of these processes.
    package let left: [LeftProcess]
    /// When the program's own process ended, in nanoseconds of CLOCK_MONOTONIC; nil if it is left.
    ///
    /// The guard ends the program's remaining processes after this, which may take the whole grace.
    package var endedNanoseconds: Int64?
    /// The longest time that a runnable thread of the program, or of its descendants, waited for a processor.
    ///
    /// A lower bound, up to 100 ms below the truth: threads are sampled every 100 ms, and the count of a thread that
    /// ends in between is lost. `nil` if the kernel does not count, or the program ended before the first sample. See
    /// schedstat in the kernel's sched-stats.rst.
    package var longestWait: Duration?
    /// The first 24 periods in which the program ran or wanted a processor; `nil` if not measured.
    package var stretches: [Stretch]?

    /// Whether the program's processes had a namespace of their own.
    package var hadNamespace = false

    /// Processor time in both modes.
    package var cpuTime: Duration { userTime + systemTime }
}

extension GuardedExit {
    /// The result of a program that ran again after `earlier`: the status of this run, and the usage of both.
    package func following(_ earlier: GuardedExit?) -> GuardedExit {
        guard let earlier else { return self }
        return GuardedExit(
            status: status, timedOut: timedOut, userTime: userTime + earlier.userTime,
            systemTime: systemTime + earlier.systemTime,
            maxResidentBytes: max(maxResidentBytes, earlier.maxResidentBytes),
            survivorsEnded: survivorsEnded + earlier.survivorsEnded, leftCount: leftCount + earlier.leftCount,
            left: left + earlier.left, endedNanoseconds: endedNanoseconds,
            longestWait: [longestWait, earlier.longestWait].compactMap { $0 }.max(),
            stretches: stretches.flatMap { own in earlier.stretches.map { $0 + own } }, hadNamespace: hadNamespace)
    }

    /// The result of two programs that ran at the same time: one status, and the usage of both.
    ///
    /// The status is that of the program that did not end by itself in time, or that crashed. If there is none, it is
    /// that of a program that ended with 0, otherwise this one's. `isCrash`: whether an exit status reports a crash.
    package func beside(_ other: GuardedExit, isCrash: (GuardedExit) -> Bool) -> GuardedExit {
        let isOther = (isCrash(other) ? 0 : other.rank) < (isCrash(self) ? 0 : rank)
        var both = isOther ? other.following(self) : following(other)
        both.endedNanoseconds = [endedNanoseconds, other.endedNanoseconds].compactMap { $0 }.max()
        return both
    }

    private var rank: Int {
        switch status {
        case .exited where timedOut: 0
        case .exited(0): 1
        case .exited: 2
        case .signaled, .notExecuted, .noDirectory, .left: 0
        }
    }

    /// The end of a program that ran without a guard, so its usage was not measured.
    package init(status: Status, timedOut: Bool, endedNanoseconds: Int64) {
        self.init(
            status: status, timedOut: timedOut, userTime: .zero, systemTime: .zero, maxResidentBytes: 0,
            survivorsEnded: 0, leftCount: 0, left: [], endedNanoseconds: endedNanoseconds)
    }
}
