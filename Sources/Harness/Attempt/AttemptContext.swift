import LinkModel
import Links
import Results
import Scenarios
import SystemPackage

/// What all attempts of a cell share.
struct CellContext: Sendable {
    var cell: Cell
    let content: PreparedContent?
    var programs: Programs
    var dependencies = AttemptDependencies()
    /// What carries the link.
    var backend = LinkBackend.proxy
    /// Where packets are recorded; nil: nowhere.
    var capture: AttemptCapture?
    /// What the link showed before the attempts; empty where it was not probed.
    var calibration: [LinkMeasurement] = []
    /// The run's folder for what must not remain, and the cell's own in it.
    let runScratch: FilePath
    let scratch: FilePath
    /// Which pair of two that take turns the attempt is of, from 0: both have the same seed.
    ///
    /// Nil where none do.
    var pair: Int?

    /// Random decisions of an attempt come from a seed of its own, so that a budget is held against several draws.
    ///
    /// That of a schedule, where one is played that has one, is the same for all.
    func seed(attempt: Int) -> UInt64 {
        cell.schedule?.faults.seed ?? cell.link.seed &+ UInt64(pair ?? attempt - 1)
    }

    /// The names that the workload requests packs by; for a command, what its address stands for.
    var requestedTags: [[String]] {
        switch cell.workload {
        case .requests: cell.workload.requests.map(\.tags)
        case .command(let command): command.pack.map { [[$0]] } ?? []
        }
    }
}

extension CellContext {
    /// What the link lets pass at once behind a pause, beyond its rate, at the most of all times.
    func bucketBytes(_ direction: Direction) -> Int64 {
        let profile = cell.link.profile
        return ([profile.conditions] + profile.changes.map(\.conditions)).map {
            backend.provider.bucketBytes($0, direction)
        }.max() ?? 0
    }
}
