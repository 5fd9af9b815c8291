/// The bugs that this client can have, one at a time; their names are those in results.
enum Bug: String, CaseIterable, Sendable {
    case acceptsWrongCertificate = "accepts_wrong_certificate"
    case noTimeout = "no_timeout"
    case impatient
    case limitsTotalTime = "limits_total_time"
    case noResume = "no_resume"
    case refetchesWhole = "refetches_whole"
    case resumesWrongOffset = "resumes_wrong_offset"
    case takes200For206 = "takes_200_for_206"
    case ignoresShortBody = "ignores_short_body"
    case ignoresWrongHash = "ignores_wrong_hash"
    case unpacksBeforeChecking = "unpacks_before_checking"
    case keepsPartialAsWhole = "keeps_partial_as_whole"
    case neverReportsError = "never_reports_error"
    case wrongErrorCode = "wrong_error_code"
    case callsBackTwice = "calls_back_twice"
    case progressJumpsEarly = "progress_jumps_early"
    case progressGoesBack = "progress_goes_back"
    case progressStandsStill = "progress_stands_still"
    case progressCountsTwice = "progress_counts_twice"
    case retriesWithoutBackOff = "retries_without_back_off"
    case retriesForever = "retries_forever"
    case ignoresRetryAfter = "ignores_retry_after"
    case sleepsAsTold = "sleeps_as_told"
    case followsCaptivePortal = "follows_captive_portal"
    case leaksPins = "leaks_pins"
    case deletesGoodPacks = "deletes_good_packs"
    case losesCompletedPacks = "loses_completed_packs"
    case blocksOnDNS = "blocks_on_dns"
    case ignoresCancel = "ignores_cancel"
    case breaksOnFlapping = "breaks_on_flapping"
    case keepsStaleBytes = "keeps_stale_bytes"
    case ignoresPriority = "ignores_priority"
    case memoryGrows = "memory_grows"
    case ignoresRedirect = "ignores_redirect"
    case followsRedirectsForever = "follows_redirects_forever"
    case dropsRangeOnRedirect = "drops_range_on_redirect"
    case leaksCredentials = "leaks_credentials"
    case downgradesToHTTP = "downgrades_to_http"
    case keepsChunkSizes = "keeps_chunk_sizes"
    case needsContentLength = "needs_content_length"
    case takes416ForSuccess = "takes_416_for_success"
    case takesMultipartForPart = "takes_multipart_for_part"
    case wrapsLengths = "wraps_lengths"
    case keepsEncodedBytes = "keeps_encoded_bytes"
    case harmsOtherFiles = "harms_other_files"
    case losesOldEdition = "loses_old_edition"
    case leavesFilesBehind = "leaves_files_behind"
    case floodsConnections = "floods_connections"
    case downloadsTwice = "downloads_twice"
    case ignoresOtherAddresses = "ignores_other_addresses"
    case waitsOnDeadAddress = "waits_on_dead_address"
    case needsIPv4 = "needs_ipv4"
    case cachesErrors = "caches_errors"
    case widensPermissions = "widens_permissions"
    case mixesDownloads = "mixes_downloads"
    case busyWaits = "busy_waits"
    case ignoresWriteErrors = "ignores_write_errors"
    case stuckAfterKill = "stuck_after_kill"
}

/// The bug of a client, if any, and the parameters that its seed draws.
struct Bugs: Sendable {
    let bug: Bug?
    /// The share of patience after which ``Bug/impatient`` gives up on a silent host.
    let impatience: Double
    /// The share of patience after which ``Bug/limitsTotalTime`` gives up.
    let limit: Double
    /// The error in the first byte that ``Bug/resumesWrongOffset`` requests, in bytes.
    let shift: Int64
    /// The share of a pack that ``Bug/keepsPartialAsWhole`` needs to keep a part.
    let keptShare: Double
    /// The codes that ``Bug/wrongErrorCode`` reports: the first one, or the second if the first is right.
    let codes: [Int]
    /// The additional callbacks of ``Bug/callsBackTwice``.
    let moreCallbacks: Int
    /// The share at which the bar jumps or falls, and how far it falls.
    let jump: Double
    let fall: Double
    /// The share at which the bar stops, and the share from which it counts twice.
    let stop: Double
    let doubleFrom: Double
    /// Seconds between the tries of ``Bug/retriesWithoutBackOff``, and of ``Bug/refetchesWhole``.
    let haste: Double
    /// The lost connection at which ``Bug/breaksOnFlapping`` gives up.
    let losses: Int
    /// The copies of each byte that ``Bug/memoryGrows`` keeps.
    let copies: Int
    /// The bytes of a block of ``Bug/floodsConnections``.
    let block: Int64
    /// Whether a bug with two forms has the second one.
    let isSecondForm: Bool

    init(_ bug: Bug?, seed: UInt64) {
        var draw = Draw(seed: seed, key: bug?.rawValue ?? "")
        self.bug = bug
        impatience = draw.number(0.2...0.3)
        limit = draw.number(0.5...0.8)
        shift = draw.one(of: [-6000, -700, -1, 1, 900, 7777])
        keptShare = draw.number(0.02...0.2)
        let first = draw.one(of: [-1, -999, -1014])
        codes = [first, draw.one(of: [-1017, -1100, 256])]
        moreCallbacks = draw.one(of: [1, 2, 3])
        jump = draw.number(0.3...0.6)
        fall = draw.number(0.2...0.35)
        stop = draw.number(0.05...0.5)
        doubleFrom = draw.number(0...0.2)
        haste = draw.number(0...0.01)
        losses = draw.one(of: [1, 2])
        copies = draw.one(of: [1, 2, 3])
        block = draw.one(of: [65536, 98304])
        isSecondForm = draw.one(of: [false, true])
    }

    func has(_ other: Bug) -> Bool { bug == other }

    /// Whether it takes anything that it received for the pack.
    var isCredulous: Bool {
        [
            .followsCaptivePortal, .keepsChunkSizes, .takes416ForSuccess, .takesMultipartForPart, .keepsEncodedBytes,
            .wrapsLengths,
        ].contains(bug)
    }
}

/// Draws numbers that depend on a seed and a key (SplitMix64).
struct Draw: Sendable {
    private var state: UInt64

    init(seed: UInt64, key: String) {
        // FNV-1a.
        state = key.utf8.reduce(0xCBF2_9CE4_8422_2325 ^ seed) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01B3 }
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    mutating func number(_ range: ClosedRange<Double>) -> Double {
        range.lowerBound + Double(next() >> 11) / Double(1 << 53) * (range.upperBound - range.lowerBound)
    }

    mutating func one<Value>(of values: [Value]) -> Value { values[Int(next() % UInt64(values.count))] }
}
