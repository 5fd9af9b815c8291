/// A job array with some shards of a submission; its numbers start again at 1 where a site allows no larger ones.
struct SlurmArray: Hashable, Sendable {
    /// The difference between a shard's number and its number in the array.
    var offset: Int
    /// The numbers in the array, from 1, in order.
    var tasks: [Int]

    /// Divides shards into arrays; `size` is the site's `MaxArraySize`, which exceeds every number in an array.
    static func arrays(of shards: [Int], size: Int) -> [SlurmArray] {
        let most = max(1, size - 1)
        let groups = Dictionary(grouping: shards.sorted()) { ($0 - 1) / most * most }
        return groups.sorted { $0.key < $1.key }.map { offset, shards in
            SlurmArray(offset: offset, tasks: shards.map { $0 - offset })
        }
    }

    /// The numbers in sbatch's notation: `1-3,7`, followed by `%4` if at most 4 run at once.
    func text(atOnce: Int?) -> String {
        var ranges: [ClosedRange<Int>] = []
        for task in tasks {
            if let last = ranges.last, last.upperBound + 1 == task {
                ranges[ranges.count - 1] = last.lowerBound...task
            } else {
                ranges.append(task...task)
            }
        }
        let list = ranges.map { $0.count == 1 ? "\($0.lowerBound)" : "\($0.lowerBound)-\($0.upperBound)" }
        return list.joined(separator: ",") + (atOnce.map { "%\($0)" } ?? "")
    }
}

/// The ID of a job array in Slurm: `17`, `17;north` in one of several clusters, `17@1000` with an offset.
struct SlurmJob: Hashable, Sendable, CustomStringConvertible {
    var id: Int
    var cluster: String?
    var offset: Int

    /// Reads a ``description``, or the output of `sbatch --parsable`; nil for any other text.
    init?(_ text: some StringProtocol, offset: Int? = nil) {
        let places = text.split(separator: "@", omittingEmptySubsequences: false)
        let parts = places[0].split(separator: ";", omittingEmptySubsequences: false)
        guard places.count <= 2, parts.count <= 2, let id = Int(parts[0]), id > 0 else { return nil }
        if parts.count == 2 {
            guard parts[1].first?.isLetter == true, parts[1].allSatisfy({ $0.isPlain(or: "-_.") }) else { return nil }
            cluster = String(parts[1])
        }
        guard let own = places.count == 2 ? Int(places[1]) : 0, own >= 0 else { return nil }
        (self.id, self.offset) = (id, offset ?? own)
    }

    var description: String { "\(id)" + (cluster.map { ";\($0)" } ?? "") + (offset > 0 ? "@\(offset)" : "") }
}

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
