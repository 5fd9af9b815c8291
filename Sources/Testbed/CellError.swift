package import CellMessages
package import SystemPackage

/// Why a cell cannot be had, or does not do what it was asked for.
package enum CellError: Error, Equatable, CustomStringConvertible {
    /// This machine does not allow it.
    case refused(CellRefusal)
    /// A program of the cell cannot be executed.
    case noProgram(path: FilePath, Errno)
    /// A value of the configuration is none that a cell can have.
    case configuration(String)
    /// A resource of this process cannot be had.
    case noResources(attempted: String, Errno)
    /// The cell could not do something.
    case failed(attempted: String, Errno)
    /// A program cannot be started.
    case notStarted(command: String, CellStage, Errno)
    /// The cell did not come up in time.
    case late(Duration)
    /// The cell has not answered for so long.
    case silent(Duration)
    /// A process of the cell was killed or has failed, so that all of it has ended.
    case died(CellDeath)
    /// What the cell says cannot be understood.
    case misunderstood(String)

    package var description: String {
        switch self {
        case .refused(let refusal):
            refusal.description
        case .noProgram(let path, let error):
            "Could not start '\(path)', a program of every cell: \(error). It belongs beside the headwind program and must be "
                + "readable for whoever runs it; build it with 'swift build'."
        case .configuration(let problem):
            "A cell cannot be made so: \(problem)."
        case .noResources(let attempted, let error):
            "Could not \(attempted) for a cell: \(error). Close other programs, or raise the limits that 'ulimit -a' shows."
        case .failed(let attempted, let error):
            "A cell could not \(attempted): \(error)."
        case .notStarted(let command, let stage, let error):
            "Could not start '\(command)' in a cell, at '\(stage.rawValue)': \(error)."
        case .late(let deadline):
            "A cell did not come up within \(deadline). Run fewer at once, or look for what keeps this machine busy."
        case .silent(let patience):
            "A cell has said nothing for \(patience), and was ended: one of its programs may have stopped headwind-cell (SIGSTOP), "
                + "or this machine is too busy."
        case .died(let death):
            "A cell has ended before it was let go: \(death). All of its programs have ended with it. Look for who killed it "
                + "with 'dmesg' (out of memory?), and run again."
        case .misunderstood(let problem):
            problem
        }
    }
}
