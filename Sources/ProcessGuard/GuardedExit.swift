package import SystemPackage

/// What became of a guarded program, after the last of its processes had ended.
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
        /// It has not ended at all, because the kernel does not let it: it is among `left`.
        case left
    }

    /// A process that could not be ended.
    package struct LeftProcess: Sendable, Equatable {
        package let processID: Int32
        /// A letter of proc(5): `D` sleeps in the kernel and hears no signal.
        package let state: String
        /// The name that it gave itself, at most 63 characters of plain ASCII.
        package let name: String
    }

    /// A time in which the program's threads together ran, or waited for a processor, for half of it or more.
    package struct Stretch: Sendable, Equatable {
        /// In nanoseconds of CLOCK_MONOTONIC, as exact as the 100 ms between two looks.
        package let from: Int64
        package let until: Int64
        /// How long they ran in it, and how long they could run and waited for a processor; of several threads the sum.
        package let ran: Duration
        package let waited: Duration

        package init(from: Int64, until: Int64, ran: Duration, waited: Duration) {
            (self.from, self.until, self.ran, self.waited) = (from, until, ran, waited)
        }

        /// As the guard writes it; nil for what cannot be one.
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
    /// The deadline of the command ended it.
    package let timedOut: Bool
    /// Processor time in user mode of the program and of the children that it waited for.
    ///
    /// See getrusage(2).
    package let userTime: Duration
    /// Processor time in kernel mode of the same processes.
    package let systemTime: Duration
    /// The largest resident set that the program, or one child that it waited for, ever had: the larger, not the sum.
    ///
    /// It is `ru_maxrss` of getrusage(2), hence VmHWM of proc(5) at its end. The guard starts the program from a small
    /// process, because the figure includes what a process was before it executed the program.
    package let maxResidentBytes: Int64
    /// How many other processes were alive when the program had ended, or was made to end, and had to be ended.
    package let survivorsEnded: Int
    /// How many processes could not be ended.
    ///
    /// They no longer have an owner.
    package let leftCount: Int
    /// The first sixteen of these.
    package let left: [LeftProcess]
    /// When the program's own process had ended, in nanoseconds of CLOCK_MONOTONIC; nil for one that is left.
    ///
    /// The processes that it left behind are ended after this, which may take the whole grace.
    package var endedNanoseconds: Int64?
    /// How long a thread of the program, or of what it started, could run and waited for a processor at a time: the least
    /// that it was, up to 100 ms less than the truth.
    ///
    /// `nil` where the kernel does not count, or the program had ended before anybody looked. Threads are looked at every
    /// 100 ms, and one that ended meanwhile took its count along. See schedstat in the kernel's sched-stats.rst.
    package var longestWait: Duration?
    /// When the program wanted a processor, the first 24 times; `nil` where that was not measured.
    package var stretches: [Stretch]?

    /// Whether the program's processes had a namespace of their own.
    package var hadNamespace = false

    /// Processor time in both modes.
    package var cpuTime: Duration { userTime + systemTime }
}

extension GuardedExit {
    /// What became of a program that was run again after an end: how it ended is this, and what it took is both.
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

    /// What became of two programs that ran at once: one that did not end by itself counts for both, else one that ended with
    /// 0; what they took is both.
    package func beside(_ other: GuardedExit) -> GuardedExit {
        var both = other.rank < rank ? other.following(self) : following(other)
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

    /// The end of a program that was seen without a guard, which measures nothing.
    package init(status: Status, timedOut: Bool, endedNanoseconds: Int64) {
        self.init(
            status: status, timedOut: timedOut, userTime: .zero, systemTime: .zero, maxResidentBytes: 0,
            survivorsEnded: 0, leftCount: 0, left: [], endedNanoseconds: endedNanoseconds)
    }
}
