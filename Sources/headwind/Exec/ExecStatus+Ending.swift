import Harness

extension ExecStatus {
    /// What timeout(1) ends with where a program's time was over.
    static let late: Int32 = 124

    /// How a program has ended.
    init(_ ending: ForegroundProcess.Ending, isLate: Bool) {
        switch ending {
        case _ where isLate:
            self.init(status: Self.late, cause: .timeout, message: "CMD was ended, as its time (--timeout) was over.")
        case .exited: self.init(status: ending.status, cause: .command)
        case .signalled: self.init(status: ending.status, cause: .signal)
        }
    }

    /// Whether a program did not end by itself with the status that it was to.
    func hasFailed(asked status: Int32) -> Bool { cause != .command || self.status != status }
}

extension ForegroundProcess.Ending {
    /// The same for who keeps it.
    func program(isLate: Bool) -> ProgramEnd {
        switch self {
        case _ where isLate: .late
        case .exited(let status): .exited(status)
        case .signalled(let signal): .signalled(signal)
        }
    }
}
