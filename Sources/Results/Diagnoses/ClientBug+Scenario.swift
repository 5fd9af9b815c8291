extension ClientBug {
    /// The name of a scenario in `scenarios/error-paths` that a client with this bug fails, and whose verdict names the bug.
    package var scenario: String {
        switch self {
        case .noTimeout: "body-stalls"
        case .impatient: "body-drips"
        case .noResume, .resumesWrongOffset: "cut-midway"
        case .takes200For206: "range-ignored"
        case .ignoresShortBody, .keepsPartialAsWhole: "body-short"
        case .ignoresWrongHash, .unpacksBeforeChecking: "body-wrong-byte-for-good"
        case .neverReportsError, .wrongErrorCode: "status-404"
        case .callsBackTwice: "good-link"
        case .progressJumpsEarly, .progressGoesBack, .progressStandsStill, .progressCountsTwice: "progress"
        case .retriesWithoutBackOff, .retriesForever: "status-503-for-good"
        case .ignoresRetryAfter: "status-503-seconds"
        case .followsCaptivePortal: "portal-page"
        case .leaksPins: "in-use-limit"
        case .deletesGoodPacks: "purge-under-request"
        case .losesCompletedPacks: "packs-kept"
        case .blocksOnDNS: "dns-never"
        case .ignoresCancel: "cancel-for-good"
        case .breaksOnFlapping: "flapping"
        case .keepsStaleBytes: "etag-changed"
        case .ignoresPriority: "priority"
        case .memoryGrows: "memory"
        }
    }
}
