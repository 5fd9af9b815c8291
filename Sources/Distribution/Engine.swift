package import SystemPackage

/// What runs the shards of a divided run on other machines: a batch system, a cluster, or a list of hosts.
///
/// Headwind starts and watches them by the engine's own programs. An engine keeps nothing that a coordinator that is started
/// anew would need: all of that is in the submissions, which the plan has.
package protocol Engine: Sendable {
    /// Starts shards, and answers what the engine calls the jobs that run them, which may be none.
    ///
    /// A coordinator that was killed before it could write the answer down asks again for the same submission; then the jobs
    /// that are there are answered, and none is started twice. Throws ``EngineError`` where a shard cannot be started; then none runs.
    func submit(_ submission: Submission) async throws -> [String]

    /// How the shards of these submissions are, each by the last submission that has it.
    ///
    /// Asked every second: an engine that asks somebody else answers what it heard the last time, where that is not long ago. It
    /// also brings the shards' progress into their logs (``ShardFolder/log(_:)``), as far as it can. Throws ``EngineError`` where
    /// the state cannot be known now.
    func states(of submissions: [Submission]) async throws -> [Int: ShardState]

    /// Ends everything that these submissions have started, waits until it has ended, and leaves their results where they are.
    ///
    /// It may be called in a task that is cancelled only from a task of its own.
    func cancel(_ submissions: [Submission]) async

    /// Brings what a shard has left here, and answers its folder: whole, or the part that was finished; nil where there is
    /// nothing.
    ///
    /// Called for shards that have ended or are lost, and for all after ``cancel(_:)``. Throws ``EngineError``.
    func collect(_ shard: Int, of submission: Submission) async throws -> FilePath?

    /// What a submission would be, for people: a script, or a manifest. Starts nothing.
    func draft(of submission: Submission) async throws -> String
}

/// Shards that are started together.
package struct Submission: Hashable, Sendable, Codable {
    /// From 1, in the order in which they were made; a shard that is lost is in a later one again.
    package var number: Int
    /// Their numbers, from 1.
    package var shards: [Int]
    /// What the engine calls the jobs that run them; nil before they are started.
    package var jobs: [String]?
    /// Whether a coordinator ended it, so that it counts as never started; nil: none did.
    package var isOver: Bool?

    package init(number: Int, shards: [Int], jobs: [String]? = nil) {
        (self.number, self.shards, self.jobs) = (number, shards, jobs)
    }

    private enum CodingKeys: String, CodingKey {
        case number, shards, jobs
        case isOver = "over"
    }
}

/// How a shard is.
package enum ShardState: Hashable, Sendable {
    /// It has not begun; why, where the engine says so.
    case waiting(String?)
    /// It runs on this machine, where the engine says on which.
    case running(machine: String?)
    /// Its command has ended with this status.
    case ended(status: Int32)
    /// The engine has lost it, and it is worth another try; why, as the end of a sentence: "node n1 failed".
    case lost(String)
    /// It was ended, and another try would come to the same; why, as the end of a sentence: "somebody cancelled job 17".
    case stopped(String)
}
