extension ExecStatus {
    /// What timeout(1) ends with where a program's time was over.
    static let late: Int32 = 124

    /// How a program has ended.
    init(_ ending: ForegroundProcess.Ending, isLate: Bool) {
        switch ending {
        case _ where isLate: self.init(status: Self.late, cause: .timeout)
        case .exited: self.init(status: ending.status, cause: .command)
        case .signalled: self.init(status: ending.status, cause: .signal)
        }
    }
}
