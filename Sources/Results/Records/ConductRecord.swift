/// The observed conduct of a client in one attempt: what it requested and when, and how its requests ended.
///
/// Moments are seconds since the client was started, and `t` is the same moment in `events.jsonl`. What could not be
/// observed is nil; what was looked for and did not happen is an empty list.
package struct ConductRecord: Hashable, Sendable, Codable {
    /// Whether the client is a command, rather than a client with requests.
    package var isCommand = false
    /// CLOCK_MONOTONIC nanoseconds at which the client was started.
    package var startedNanoseconds: Int64 = 0
    /// When the client's process had ended.
    package var endedSeconds = 0.0
    /// How long the client should wait for a sign of life (default: 60).
    package var patienceSeconds = 60.0
    /// Whether the client was given that time, and so has a known limit of its own; if nil, only a client with requests
    /// was.
    package var isPatienceTold: Bool?
    /// When the client's last sign of life reached the link or the host; nil if unknown.
    package var lastSignSeconds: Double?
    /// How long the client may show no sign of life before it is stopped; nil if only the deadline stops it.
    package var idleTimeoutSeconds: Double?
    /// The deliberate fault of the host's certificate, such as `expired`; nil if there was none.
    package var certificateFault: String?
    /// The delay of the link's name lookups; nil if there is none.
    package var lookupDelaySeconds: Double?
    /// When the client's first connection reached the link; nil if none did.
    package var firstConnectionSeconds: Double?
    /// The IPv4 and IPv6 addresses of the host's name.
    ///
    /// Nil if the scenario does not set them, or the link does not report who connects where.
    package var addresses: [Address]?
    /// Packs that were requested, by identifier; nil if the host is not Headwind's.
    package var packs: [Pack]?
    /// The client's requests to the host in the order of arrival, at most ``mostFetches``; nil if the host is not
    /// Headwind's.
    package var fetches: [Fetch]?
    /// The client's HEAD requests, as ``fetches``; nil if the host is not Headwind's, and in results of older versions.
    package var heads: [Fetch]?
    /// The number of requests to the host that are not kept, between the first and the last ones.
    package var omittedFetches = 0
    /// Times in which it waited for the host and nothing came; nil if they, or its processor time, could not be
    /// observed.
    package var silences: [Silence]?
    /// What the client reported about its requests; nil if it reported none.
    package var requests: [Request]?
    /// Notifications that the client posted; nil if it reports no events.
    package var notifications: [Notification]?
    /// Packs that the client removed; nil if it reports no events.
    package var purges: [Purge]?
    /// The most bytes that the client reported as in use while no request was open; nil if it reported none.
    package var leftInUseBytes: Int64?
    /// The packs that are visible in the store when the client has ended; nil if it could not be read.
    package var stored: [Stored]?
    /// The packs that the scenario expects in the store; nil if it does not say.
    package var toBeStored: [Name]?
    /// The packs that the scenario expects to be purged, in their order; nil if it does not say.
    package var toBePurged: [NamedPacks]?
    /// The packs that the scenario expects to be kept; nil if it does not say.
    package var toBeKept: [Kept]?
    /// How many steps make the system need room that no request asks for; nil if there are none.
    package var pressures: Int?
    /// Files of a command that the scenario names, or that are at its output.
    package var files: [File] = []
    /// Requests to the host for a cancelled request after its callback; nil if they could not be observed.
    package var afterCancel: [Afterwards]?
    /// When the link was out, or its connections were cut.
    package var outages: [Outage] = []
    /// The starts of a command that is started more than once, in their order; otherwise nil.
    package var starts: [Start]?
    /// When faults killed the client, which was then started again; nil if none did.
    package var kills: [Kill]?
    /// When a fault filled the client's device, in seconds since the client's start; nil if none did.
    package var deviceFullSeconds: Double?
    /// What the scenario looks for in a command's output; nil if it looks for nothing.
    package var output: Output?
    /// The judgement of the scenario's oracle; nil if it has none.
    package var oracle: Oracle?
    /// The client's connections to a host that is not Headwind's, in their order, at most ``mostEntries``.
    ///
    /// Nil if the host is Headwind's, or the link does not report them.
    package var connections: [Connection]?
    /// Files that were put into the client's folders before it started; nil if there were none.
    package var before: [Before]?
    /// How many files in the client's folders begin like a pack when it has ended, for the pack with the most.
    ///
    /// Nil if they were not looked for.
    package var copies: Int?

    /// The longest default time, in seconds, that a client in common use waits for a sign of life: wget(1)'s
    /// `--read-timeout`.
    package static let longestUsualLimit = 900.0

    /// The most requests to the host that are kept; most of them are the first ones.
    package static let mostFetches = 500
    /// The most entries of every other kind that are kept.
    package static let mostEntries = 1000

    private enum CodingKeys: String, SnakeCaseKey {
        case addresses, packs, fetches, heads, silences, requests, notifications, purges, stored, files, outages,
            starts, kills, output, oracle, connections, before, copies, isCommand, startedNanoseconds, endedSeconds,
            patienceSeconds, isPatienceTold, lastSignSeconds, deviceFullSeconds, idleTimeoutSeconds, certificateFault,
            lookupDelaySeconds, firstConnectionSeconds, omittedFetches, leftInUseBytes, toBeStored, toBePurged,
            toBeKept, pressures, afterCancel
    }
}

extension ConductRecord {
    /// A client that was started at a moment, in CLOCK_MONOTONIC nanoseconds, and of which nothing else is known.
    package init(isCommand: Bool, startedAt moment: Int64) {
        self.init(isCommand: isCommand, startedNanoseconds: moment)
    }

    /// The moment in `events.jsonl`, in CLOCK_MONOTONIC nanoseconds, that is `seconds` after the client's start.
    package func nanoseconds(at seconds: Double) -> Int64 {
        startedNanoseconds + Int64((min(max(seconds, 0), 1e9) * 1e9).rounded())
    }

    /// Whether the client has a known time limit of its own; by default only a client with requests has.
    package var hasKnownPatience: Bool { isPatienceTold ?? !isCommand }

    /// How long the client had shown no sign of life when it was stopped for that; nil if it was not.
    package var silentSeconds: Double? {
        guard let lastSignSeconds, let idleTimeoutSeconds else { return nil }
        let silence = endedSeconds - lastSignSeconds
        return silence >= idleTimeoutSeconds ? silence : nil
    }

    /// The requests that the workload ends, but whose end the client did not report.
    package var unended: [String] { (requests ?? []).filter { $0.isToEnd && !$0.isEnded }.map(\.id) }
}
