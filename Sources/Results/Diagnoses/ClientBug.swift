/// A bug that a client can have and that Headwind names.
///
/// The raw value is the name in results. ``row`` describes each bug and what a good client does;
/// `docs/reference/verdicts.md` shows the same table.
package enum ClientBug: String, CaseIterable, Codable, Sendable {
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

extension ClientBug {
    /// One line of the table.
    package struct Row: Sendable {
        /// What the bug is, as a sentence.
        package let sentence: String
        /// What a good client does instead, as a sentence.
        package let advice: String
        /// The source of the advice, such as an RFC or a man page.
        package let source: String
        /// The name of a scenario in `scenarios/error-paths` that a client with this bug fails; its verdict names the
        /// bug.
        package let scenario: String

        init(_ sentence: String, _ advice: String, _ source: String, shownBy scenario: String) {
            (self.sentence, self.advice, self.source, self.scenario) = (sentence, advice, source, scenario)
        }
    }
}
