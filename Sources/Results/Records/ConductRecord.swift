/// What was seen of a client's conduct in one attempt: what it asked for and when, and what became of its requests.
///
/// Moments are seconds since the client was started, and `t` is the same moment in `events.jsonl`. What could not be seen is
/// nil; what was looked for and did not happen is an empty list.
package struct ConductRecord: Hashable, Sendable, Codable {
    /// Whether the client is a command, and not one that has requests.
    package var isCommand: Bool
    /// CLOCK_MONOTONIC nanoseconds at which the client was started.
    package var startedNanoseconds: Int64
    /// When the client's process had ended.
    package var endedSeconds: Double
    /// How long the client was to wait for a sign of life.
    package var patienceSeconds: Double
    /// Whether the client was told that time, and so has a limit of its own that is known.
    package var isPatienceTold: Bool?
    /// When the last sign of life of the client reached the link or the host; nil where that is unknown.
    package var lastSignSeconds: Double?
    /// After how long without one the client was to be ended; nil where nothing but the deadline ends it.
    package var idleTimeoutSeconds: Double?
    /// What was wrong with the host's certificate on purpose, such as `expired`; nil where nothing was.
    package var certificateFault: String?
    /// The delay of the link's name lookups; nil where there is none.
    package var lookupDelaySeconds: Double?
    /// When the client's first connection reached the link; nil where none did.
    package var firstConnectionSeconds: Double?
    /// IPv4 and IPv6 at the host's name; nil where the scenario says nothing of them, or the link does not tell who goes where.
    package var addresses: [Address]?
    /// Packs that were asked for, by identifier; nil where the host is not Headwind's.
    package var packs: [Pack]?
    /// The client's requests to the host in the order in which they came, at most ``mostFetches``; nil where the host is
    /// somebody else's.
    package var fetches: [Fetch]?
    /// Requests to the host between the first and the last ones that are kept.
    package var omittedFetches: Int
    /// When it waited for the host and nothing came for a while; nil if it was not seen, or what it took of a processor.
    package var silences: [Silence]?
    /// What the client told of its requests; nil where it told of none.
    package var requests: [Request]?
    /// Notifications that the client posted; nil where it tells no events.
    package var notifications: [Notification]?
    /// Packs that the client removed; nil where it tells no events.
    package var purges: [Purge]?
    /// The most bytes that the client said are in use where no request was open; nil where it did not say.
    package var leftInUseBytes: Int64?
    /// The packs that are visible in the store when the client has ended; nil where it could not be read.
    package var stored: [Stored]?
    /// The packs that the scenario says are to be stored; nil where it says nothing of them.
    package var toBeStored: [Name]?
    /// The packs that the scenario says are purged, in their order; nil where it says nothing of them.
    package var toBePurged: [NamedPacks]?
    /// The packs that the scenario says are kept; nil where it says nothing of them.
    package var toBeKept: [Kept]?
    /// How many steps have the system need room that no request asks for; nil where none does.
    package var pressures: Int?
    /// Files of a command that the scenario names, or that are at its output.
    package var files: [File]
    /// What was asked of the host for a cancelled request after its callback; nil if it could not be seen.
    package var afterCancel: [Afterwards]?
    /// When the link was out, or its connections were cut.
    package var outages: [Outage]
    /// The starts of a command that is started more than once, in their order; nil of any other.
    package var starts: [Start]?
    /// When faults killed the client, which was started again; nil where none did.
    package var kills: [Kill]?
    /// What the scenario looks for in a command's output; nil where it looks for nothing.
    package var output: Output?
    /// What the scenario's oracle says; nil where it has none.
    package var oracle: Oracle?
    /// The connections that a client of another host made, in their order, at most ``mostEntries``; nil where the host is
    /// Headwind's, and where the link does not tell.
    package var connections: [Connection]?
    /// What was put into the client's folders before it started; nil where nothing was.
    package var before: [Before]?
    /// Files in the client's folders that begin as a pack does when it has ended, of the pack that has most; nil where they were
    /// not looked for.
    package var copies: Int?

    /// The longest time that a client in common use waits for a sign of life unless it is told another, in seconds: wget(1)'s
    /// `--read-timeout`.
    package static let longestUsualLimit = 900.0

    /// Most requests to the host that are kept, most of them the first ones.
    package static let mostFetches = 500
    /// Most of everything else that is kept of a kind.
    package static let mostEntries = 1000

    package init(
        isCommand: Bool = false, startedNanoseconds: Int64 = 0, endedSeconds: Double = 0,
        patienceSeconds: Double = 60,
        packs: [Pack]? = nil, fetches: [Fetch]? = nil, requests: [Request]? = nil
    ) {
        self.isCommand = isCommand
        self.startedNanoseconds = startedNanoseconds
        self.endedSeconds = endedSeconds
        self.patienceSeconds = patienceSeconds
        self.packs = packs
        self.fetches = fetches
        self.requests = requests
        omittedFetches = 0
        files = []
        outages = []
    }

    private enum CodingKeys: String, CodingKey {
        case addresses, packs, fetches, silences, requests, notifications, purges, stored, files, outages, starts,
            kills, output, oracle, connections, before, copies
        case isCommand = "command"
        case startedNanoseconds = "started_nanoseconds"
        case endedSeconds = "ended_seconds"
        case patienceSeconds = "patience_seconds"
        case isPatienceTold = "patience_told"
        case lastSignSeconds = "last_sign_seconds"
        case idleTimeoutSeconds = "idle_timeout_seconds"
        case certificateFault = "certificate_fault"
        case lookupDelaySeconds = "lookup_delay_seconds"
        case firstConnectionSeconds = "first_connection_seconds"
        case omittedFetches = "omitted_fetches"
        case leftInUseBytes = "left_in_use_bytes"
        case toBeStored = "to_be_stored"
        case toBePurged = "to_be_purged"
        case toBeKept = "to_be_kept"
        case pressures
        case afterCancel = "after_cancel"
    }
}

extension ConductRecord {
    /// The moment in `events.jsonl` that lies so many seconds after the client's start.
    package func nanoseconds(at seconds: Double) -> Int64 {
        startedNanoseconds + Int64((min(max(seconds, 0), 1e9) * 1e9).rounded())
    }

    /// Whether the client has a time limit of its own that is known: one with requests always does.
    package var hasKnownPatience: Bool { isPatienceTold ?? !isCommand }

    /// How long the client had shown no sign of life when it was ended for that; nil where it was not.
    package var silentSeconds: Double? {
        guard let lastSignSeconds, let idleTimeoutSeconds else { return nil }
        let silence = endedSeconds - lastSignSeconds
        return silence >= idleTimeoutSeconds ? silence : nil
    }

    /// Requests that the workload ends and of which the client did not tell that they were.
    package var unended: [String] { (requests ?? []).filter { $0.isToEnd && !$0.isEnded }.map(\.id) }
}
