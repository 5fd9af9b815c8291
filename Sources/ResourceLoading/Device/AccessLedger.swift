import Events

/// Decides which jobs for packs run, from the requests that want them: a value that performs nothing itself.
///
/// A request is `waiting` (packs are missing), then `accessing` (all are there and pinned), until it has failed, was
/// cancelled, or has ended. A pack's job is `queued`, `running`, and `stopping` once no request needs it any more. A
/// job that is needed again before it has stopped starts again. If only paused requests need a running job, it is held
/// back and takes no place.
struct AccessLedger: Sendable {
    /// Identifies a request within one loader.
    typealias Key = UInt64

    /// What must be done, in order.
    enum Action: Hashable, Sendable {
        case start(String)
        case stop(String)
        /// The pack is not wanted any more, and its job has not begun: release its reserved room.
        case drop(String)
        /// Pause a running job's transfer (true), or resume it (false).
        case pause(String, Bool)
        /// All packs of the request are there and pinned.
        case available(Key)
        case failed(Key, ResourceError)
    }

    private struct Request {
        var packs: Set<String>
        var missing: Set<String>
        var priority: LoadingPriority
        /// Whether it is paused: then it keeps its packs from being purged, but wants none of them now.
        var isPaused: Bool

        func wants(_ pack: String) -> Bool { !isPaused && missing.contains(pack) }
    }

    private enum Job { case queued, running, stopping }

    private let parallel: Int
    private var requests: [Key: Request] = [:]
    private var jobs: [String: Job] = [:]
    /// Running jobs whose transfers are paused: a job of a higher priority runs, or all requests that need them are
    /// paused.
    private var paused: Set<String> = []
    /// Running jobs that receive nothing now: they wait for their next try, or for a silent host.
    private var idle: Set<String> = []
    /// Whether a pack that an urgent request waits for is being downloaded.
    private(set) var isUrgent = false

    /// Creates a ledger that lets this many jobs of one priority run at once, at least 1; urgent ones do not count.
    init(parallel: Int) { self.parallel = max(1, parallel) }

    /// Packs that a request waits for or pins, which must not be purged.
    var wanted: Set<String> { requests.values.reduce(into: []) { $0.formUnion($1.packs) } }

    /// Packs that a request pins.
    var pinned: Set<String> {
        requests.values.reduce(into: []) { if $1.missing.isEmpty { $0.formUnion($1.packs) } }
    }

    /// Each request with its packs, for messages.
    var holders: [(key: Key, packs: Set<String>)] {
        requests.map { ($0.key, $0.value.packs) }.sorted { $0.0 < $1.0 }
    }

    /// Whether the pack's job should run; its start may be outdated by now.
    func isRunning(_ pack: String) -> Bool { jobs[pack] == .running }

    /// Adds a request.
    ///
    /// `missing` are those of its packs that are not stored.
    mutating func begin(
        _ key: Key,
        packs: Set<String>,
        missing: Set<String>,
        priority: LoadingPriority,
        isPaused: Bool = false
    ) -> [Action] {
        precondition(requests[key] == nil, "a key names one request")
        requests[key] = Request(packs: packs, missing: missing, priority: priority.limited, isPaused: isPaused)
        guard !missing.isEmpty else { return [.available(key)] }
        return isPaused ? [] : queue(missing)
    }

    /// Queues jobs for packs that have none, and starts what may run.
    private mutating func queue(_ packs: Set<String>) -> [Action] {
        for pack in packs where jobs[pack] == nil { jobs[pack] = .queued }
        return startNext()
    }

    /// Changes the priority of a request from now on.
    mutating func setPriority(_ priority: LoadingPriority, of key: Key) -> [Action] {
        requests[key]?.priority = priority.limited
        return startNext()
    }

    /// Holds back what only this request wants, or resumes it.
    ///
    /// A job that has not begun is dropped. One that runs keeps its connection, so that no byte is fetched twice.
    mutating func setPaused(_ isPaused: Bool, of key: Key) -> [Action] {
        guard let request = requests[key], request.isPaused != isPaused else { return [] }
        requests[key]?.isPaused = isPaused
        if !isPaused { return queue(request.missing) }
        var actions: [Action] = []
        for pack in request.missing.sorted() where jobs[pack] == .queued && !isWanted(pack) {
            jobs[pack] = nil
            actions.append(.drop(pack))
        }
        return actions + startNext()
    }

    /// Whether a request that is not paused waits for the pack.
    func isWanted(_ pack: String) -> Bool { requests.values.contains { $0.wants(pack) } }

    /// Stops every running job, so that it starts again once it has stopped.
    mutating func startOver() -> [Action] {
        let running = jobs.filter { $0.value == .running }.keys.sorted()
        for pack in running { jobs[pack] = .stopping }
        return running.map { .stop($0) } + setPauses()
    }

    /// Marks a running job as idle, so that others may use the link, or as active again.
    mutating func setIdle(_ isIdle: Bool, _ pack: String) -> [Action] {
        guard jobs[pack] == .running, idle.contains(pack) != isIdle else { return [] }
        idle.formSymmetricDifference([pack])
        return startNext()
    }

    /// Records that a job has stored its pack.
    mutating func stored(_ pack: String) -> [Action] {
        endJob(of: pack)
        var actions: [Action] = []
        for key in requests.keys.sorted() where requests[key]?.missing.remove(pack) != nil {
            if requests[key]?.missing.isEmpty == true { actions.append(.available(key)) }
        }
        return actions + startNext()
    }

    /// Records that a job has ended without its pack.
    mutating func failed(_ pack: String, _ error: ResourceError) -> [Action] {
        let wasStopping = jobs[pack] == .stopping
        endJob(of: pack)
        let waiting = requests.filter { $0.value.wants(pack) }.keys.sorted()
        // A request that came while the job was being stopped must not fail because of that.
        if wasStopping {
            if !waiting.isEmpty { jobs[pack] = .queued }
            return startNext()
        }
        var actions: [Action] = []
        for key in waiting { requests[key]?.missing.remove(pack) }
        for key in waiting {
            actions.append(.failed(key, error))
            actions += remove(key)
        }
        return actions + startNext()
    }

    /// Removes a request that was cancelled or has ended.
    ///
    /// Jobs that only it wanted are stopped; stored packs stay, unpinned.
    mutating func end(_ key: Key) -> [Action] {
        remove(key) + startNext()
    }

    private mutating func remove(_ key: Key) -> [Action] {
        guard let request = requests.removeValue(forKey: key) else { return [] }
        return stopUnneeded(request.missing)
    }

    private mutating func stopUnneeded(_ packs: Set<String>) -> [Action] {
        var actions: [Action] = []
        for pack in packs.sorted() where !requests.values.contains(where: { $0.missing.contains(pack) }) {
            switch jobs[pack] {
            case .running:
                jobs[pack] = .stopping
                actions.append(.stop(pack))
            case .queued, nil:
                // A request that began paused has no job yet, but has room reserved.
                jobs[pack] = nil
                actions.append(.drop(pack))
            case .stopping: break
            }
        }
        return actions
    }

    private mutating func endJob(of pack: String) {
        jobs[pack] = nil
        idle.remove(pack)
    }

    /// Starts what may run: nothing below the highest running priority, but urgent packs whatever else runs.
    private mutating func startNext() -> [Action] {
        var actions: [Action] = []
        let queued = jobs.filter { $0.value == .queued }.keys.map { (pack: $0, rank: rank(of: $0)) }
        for (pack, rank) in queued.sorted(by: { $0.rank < $1.rank }) {
            guard rank.priority >= highest ?? rank.priority else { break }
            guard rank.priority == .urgent || places(above: rank.priority) < parallel else { break }
            jobs[pack] = .running
            actions.append(.start(pack))
        }
        return actions + setPauses()
    }

    /// The highest priority of the jobs that run and are not idle: it has the link.
    private var highest: LoadingPriority? {
        jobs.filter { $0.value == .running && !idle.contains($0.key) && isWanted($0.key) }.keys
            .map { rank(of: $0).priority }.max()
    }

    /// The number of places that are not free for a new job of this priority.
    private func places(above priority: LoadingPriority) -> Int {
        jobs.count { pack, job in
            guard job == .running else { return job == .stopping }
            guard isWanted(pack), rank(of: pack).priority >= priority else { return false }
            // An idle job takes a place only from jobs of its own priority.
            return rank(of: pack).priority == priority || !idle.contains(pack)
        }
    }

    /// Gives the whole link to the highest priority: jobs below it and paused ones are held back.
    private mutating func setPauses() -> [Action] {
        let highest = highest
        isUrgent = highest == .urgent
        let running = jobs.filter { $0.value == .running }.keys
        let wanted = Set(running.filter { !isWanted($0) || rank(of: $0).priority < highest ?? .normal(0) })
        defer { paused = wanted }
        let released = paused.subtracting(wanted).intersection(running)
        return wanted.subtracting(paused).sorted().map { .pause($0, true) }
            + released.sorted().map { .pause($0, false) }
    }

    /// The order of starting: the highest priority of the waiting requests, then the earliest request, then the name.
    private struct Rank: Comparable {
        var priority: LoadingPriority
        var key: Key
        var pack: String

        static func < (left: Rank, right: Rank) -> Bool {
            if left.priority != right.priority { return left.priority > right.priority }
            return (left.key, left.pack) < (right.key, right.pack)
        }
    }

    private func rank(of pack: String) -> Rank {
        let waiting = requests.filter { $0.value.wants(pack) }
        let best = waiting.values.map(\.priority).max() ?? .normal(0)
        let key = waiting.filter { $0.value.priority == best }.keys.min() ?? .max
        return Rank(priority: best, key: key, pack: pack)
    }
}
