package import SystemPackage

/// An engine that runs the shards of a divided run on other machines: a batch system, a cluster, or a list of hosts.
///
/// Headwind starts and watches shards with the engine's own programs. An engine keeps no state that a restarted
/// coordinator would need: all of that is in the submissions of the plan.
package protocol Engine: Sendable {
    /// Starts shards, and returns the engine's names of the jobs that run them, which may be none.
    ///
    /// A coordinator that was killed before it recorded the names submits the same submission again. Then the existing
    /// jobs are returned, and none is started twice. Throws ``EngineError`` if a shard cannot be started; then it has
    /// started none, unless the error is ``EngineError/unsure(_:)``.
    func submit(_ submission: Submission) async throws -> [String]

    /// The state of each shard of these submissions, by the last submission that has it.
    ///
    /// Called every second: an engine that polls a service returns its last answer if that is recent. It also copies
    /// progress into the logs of the shards (``ShardFolder/log(_:)``), as far as it can. Throws ``EngineError`` if the
    /// state is unknown now.
    func states(of submissions: [Submission]) async throws -> [Int: ShardState]

    /// Stops everything that these submissions have started, waits for its end, and leaves the results in place.
    ///
    /// Finds the jobs of a submission without their names. Returns false if something may go on, because the engine did
    /// not accept its end. In a cancelled task, call it from a new task.
    func cancel(_ submissions: [Submission]) async -> Bool

    /// Fetches the result of a shard, whole or partial, and returns its folder; nil if there is none.
    ///
    /// Called for shards that have ended or are lost, and for all after ``cancel(_:)``. It may be called again, by
    /// another coordinator too. Throws ``EngineError``.
    func collect(_ shard: Int, of submission: Submission) async throws -> FilePath?

    /// The script or manifest of a submission, for people; starts nothing.
    func draft(of submission: Submission) async throws -> String
}

/// Shards that are started together.
package struct Submission: Hashable, Sendable, Codable {
    /// From 1, in order of creation; a lost shard is in a later submission again.
    package var number: Int
    /// The numbers of the shards, from 1.
    package var shards: [Int]
    /// The engine's names of the jobs that run them; nil before they are started.
    package var jobs: [String]?
    /// Whether a coordinator began to stop it, so that the end of its jobs says nothing about them; nil: false.
    package var isEnding: Bool?
    /// Whether a coordinator stopped it, so that it counts as never started; nil: false.
    package var isOver: Bool?

    package init(number: Int, shards: [Int], jobs: [String]? = nil) {
        (self.number, self.shards, self.jobs) = (number, shards, jobs)
    }

    private enum CodingKeys: String, CodingKey {
        case number, shards, jobs
        case isEnding = "ending"
        case isOver = "over"
    }
}

/// The state of a shard.
package enum ShardState: Hashable, Sendable {
    /// It has not begun; why, if the engine reports that.
    case waiting(String?)
    /// It runs; on which machine, if the engine reports that.
    case running(machine: String?)
    /// Its command has ended with this status.
    case ended(status: Int32)
    /// The engine lost it, and another try may succeed; why, as the end of a sentence: "node n1 failed".
    case lost(String)
    /// It was stopped, and another try would end the same way; why, as the end of a sentence: "somebody cancelled job
    /// 17".
    case stopped(String)
}

/// The engines that can run shards on other machines.
package enum EngineName: String, CaseIterable, Codable, Sendable {
    case slurm
    case ssh
    case kubernetes

    /// The engine; throws ``EngineError`` for invalid options.
    package func engine(_ context: EngineContext) throws -> any Engine {
        switch self {
        case .slurm: try SlurmEngine(context)
        case .ssh: try SSHEngine(context)
        case .kubernetes: try KubernetesEngine(context)
        }
    }
}

/// Why an engine cannot do something.
package enum EngineError: Error, Hashable, Sendable, CustomStringConvertible {
    /// A program of the engine is missing on this machine; what to do about it, as a sentence.
    case missing(program: String, hint: String)
    /// A program of the engine failed: its task ("submit the job array"), and its output.
    case failed(command: String, attempted: String, said: String)
    /// An option of `--engine-option` is wrong; why, and what to write, as sentences.
    case option(String, reason: String)
    /// A file or folder of the shards could not be made, written or read; why, and what to try, as sentences.
    case file(FilePath, reason: String)
    /// Jobs could not be started, but some may run; the error.
    indirect case unsure(EngineError)

    package var description: String {
        switch self {
        case .missing(let program, let hint): "There is no program '\(program)' on this machine. \(hint)"
        case .failed(let command, let attempted, let said):
            "Could not \(attempted): '\(command)' said: \(said.isEmpty ? "nothing" : said)"
        case .option(let option, let reason): "--engine-option '\(option)': \(reason)"
        case .file(let path, let reason): "Could not use '\(path)': \(reason)"
        case .unsure(let error): "\(error)"
        }
    }
}

extension Character {
    /// Whether it is a letter or digit of ASCII, or one of some other characters.
    func isPlain(or others: String) -> Bool { isASCII && (isLetter || isNumber || others.contains(self)) }
}
