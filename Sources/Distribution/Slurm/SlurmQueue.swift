/// The jobs in the output of squeue(1).
struct SlurmQueue: Hashable, Sendable {
    /// A task of an array.
    struct Task: Hashable, Sendable {
        var job: Int
        var number: Int
        /// The state, such as `RUNNING`.
        var state: String
        var node: String?
        /// Why it waits, such as `Priority`; nil if unknown.
        var reason: String?

        /// The name in messages: `17_3`.
        var name: String { "\(job)_\(number)" }
    }

    /// The requested fields: array, task, state, nodes and reason.
    static let format = "%F|%K|%T|%N|%r"

    var tasks: [Task]

    /// Reads the output of squeue; ignores other lines, such as the name of a cluster.
    init(_ text: String) {
        tasks = text.split(separator: "\n").compactMap { line in
            let fields = line.split(separator: "|", maxSplits: 4, omittingEmptySubsequences: false).map(String.init)
            guard fields.count == 5, let job = Int(fields[0]), let number = Int(fields[1]) else { return nil }
            func known(_ text: String) -> String? { ["", "None", "(null)", "N/A"].contains(text) ? nil : text }
            return Task(job: job, number: number, state: fields[2], node: known(fields[3]), reason: known(fields[4]))
        }
    }

    init(tasks: [Task]) { self.tasks = tasks }
}

extension SlurmQueue.Task {
    /// Whether its job can still do something.
    var isAlive: Bool {
        switch shardState {
        case .waiting?, .running?: true
        case .ended?, .lost?, .stopped?, nil: false
        }
    }

    /// The state of its shard; nil if the job's script has ended; see JOB STATE CODES in squeue(1).
    var shardState: ShardState? {
        let place = node.map { " on \($0)" } ?? ""
        return switch state {
        case "PENDING", "CONFIGURING", "REQUEUED", "REQUEUE_FED", "REQUEUE_HOLD", "SPECIAL_EXIT", "RESV_DEL_HOLD":
            .waiting(reason)
        case "RUNNING", "COMPLETING", "SUSPENDED", "STOPPED", "SIGNALING", "STAGE_OUT", "RESIZING", "POWER_UP_NODE",
            "UPDATE_DB":
            .running(machine: node)
        case "COMPLETED", "FAILED": nil
        case "NODE_FAIL", "BOOT_FAIL":
            .lost("the node\(place.isEmpty ? "" : " \(node ?? "")") failed (\(state), job \(name))")
        case "PREEMPTED": .lost("job \(name)\(place) had to make room for another one (PREEMPTED)")
        case "TIMEOUT":
            .lost("job \(name)\(place) reached its time limit (TIMEOUT); raise it with --engine-option time=LONGER")
        case "LAUNCH_FAILED", "RECONFIG_FAIL", "REVOKED": .lost("job \(name)\(place) could not be started (\(state))")
        case "OUT_OF_MEMORY":
            .stopped(
                "job \(name)\(place) used more memory than its limit (OUT_OF_MEMORY); raise it with --engine-option mem=MORE"
            )
        case "CANCELLED": .stopped("somebody cancelled job \(name)")
        case "DEADLINE": .stopped("job \(name) reached its deadline (DEADLINE)")
        // A state of a later Slurm: its script itself reports its end.
        default: .running(machine: node)
        }
    }
}
