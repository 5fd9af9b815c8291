extension ClientBug {
    /// The bug's line of the table: the bug, what a good client does, the source, and the scenario that shows it.
    ///
    /// The list is long because it has exactly one case for each bug.
    package var row: Row {
        switch self {
        case .acceptsWrongCertificate:
            Row(
                "It accepts a certificate that is invalid, or that belongs to another host.",
                "Check the chain to a trusted authority, the dates and the host name. Close the connection if one is wrong.",
                "RFC 5280 section 6; RFC 9525 section 6", shownBy: "tls-wrong-name")
        case .noTimeout:
            Row(
                "It waits for a silent host or link without a time limit.",
                "Limit the time without data, then close the connection and report the error (NSURLErrorDomain -1001).",
                "Apple, URLSessionConfiguration.timeoutIntervalForRequest", shownBy: "body-stalls")
        case .impatient:
            Row(
                "It gives up a download that pauses or starts late, before its patience is over.",
                "Use the same idle time limit before and within a body, and restart it whenever data arrives.",
                "Apple, URLSessionConfiguration.timeoutIntervalForRequest: 60 s by default", shownBy: "body-pauses")
        case .limitsTotalTime:
            Row(
                "It gives up a slow but steady download: it limits the total time, or requires a higher rate.",
                "Measure the time since the last byte, not since the start (curl: --speed-limit 1 --speed-time 30, no --max-time).",
                "Apple, URLSessionConfiguration.timeoutIntervalForRequest: the timer is reset whenever new data arrives",
                shownBy: "body-drips")
        case .noResume:
            Row(
                "It does not resume an interrupted download: it starts again, or gives up.",
                "Request the missing bytes with Range, and send the ETag in If-Range, or Last-Modified where there is no ETag.",
                "RFC 9110 sections 14.2 and 13.1.5", shownBy: "cut-midway")
        case .refetchesWhole:
            Row(
                "It downloads the whole pack again and again.",
                "Download a corrupt pack once more from the start, then report the error.",
                "docs/reference/client.md, Errors: its content is wrong, also a second time",
                shownBy: "body-wrong-byte-for-good")
        case .resumesWrongOffset:
            Row(
                "It writes resumed bytes to the wrong position.",
                "Request from the first missing byte, and write the answer where Content-Range says.",
                "RFC 9110 sections 14.4 and 15.3.7", shownBy: "cut-midway")
        case .takes200For206:
            Row(
                "It treats a complete answer (200) as the requested range.",
                "Check the status: 206 is the requested range. 200 is the whole pack, and replaces what you have.",
                "RFC 9110 sections 14.2 and 15.3.7", shownBy: "range-ignored")
        case .ignoresShortBody:
            Row(
                "It accepts a body that ends too early as complete.",
                "Compare the size with Content-Length. If the connection closes early, report an error or request the rest.",
                "RFC 9112 section 8", shownBy: "body-short")
        case .ignoresWrongHash:
            Row(
                "It accepts a pack whose hash differs from the manifest's.",
                "Check the hash of the whole file before you use it. If it differs, download the pack once more.",
                "docs/reference/client.md, What it promises: nothing wrong is ever visible",
                shownBy: "body-wrong-byte-for-good")
        case .unpacksBeforeChecking:
            Row(
                "It makes a pack visible before checking it, and leaves a corrupt one visible.",
                "Check size and hash first, unpack into a temporary folder, and rename it into place.",
                "docs/reference/client.md, What it promises; rename(2)", shownBy: "body-wrong-byte-for-good")
        case .keepsPartialAsWhole:
            Row(
                "It leaves a partial file under the final name.",
                "Download to a temporary name, and rename the file when it is complete and checked.",
                "rename(2); docs/reference/client.md, The store", shownBy: "body-short")
        case .neverReportsError:
            Row(
                "It does not report a failure.",
                "Call back exactly once for each request, also after an error. A program exits with a status other than 0.",
                "Apple, beginAccessingResources(completionHandler:); exit(3)", shownBy: "status-404")
        case .wrongErrorCode:
            Row(
                "It reports the wrong error domain, code or class.",
                "Report the documented error, so that the app can tell people what to do.",
                "docs/reference/client.md, Errors; Apple, URLError.Code", shownBy: "status-404")
        case .callsBackTwice:
            Row(
                "It calls back more than once for a request.",
                "Record the callback under the same lock that every caller of it takes.",
                "Apple, beginAccessingResources(completionHandler:); docs/reference/events.md, Requests",
                shownBy: "good-link")
        case .progressJumpsEarly:
            Row(
                "Progress reaches 100 % before the download is complete.",
                "Report the share of received bytes, and 1 only with the callback.",
                "docs/reference/events.md, Requests; Apple, Progress.fractionCompleted", shownBy: "progress")
        case .progressGoesBack:
            Row(
                "Progress goes backwards.",
                "Count the bytes that you keep, and never report less than before.",
                "docs/reference/events.md, Requests", shownBy: "progress")
        case .progressStandsStill:
            Row(
                "Progress stalls while bytes arrive.",
                "Report progress several times a second while bytes arrive, until the end.",
                "docs/reference/events.md, Requests; Apple, Progress", shownBy: "progress")
        case .progressCountsTwice:
            Row(
                "It counts bytes more than once in its progress.",
                "Count each byte of a file once, even if it is downloaded again or reported by two requests.",
                "docs/reference/events.md, Requests: what was left behind counts as completed", shownBy: "progress")
        case .retriesWithoutBackOff:
            Row(
                "It retries without a pause.",
                "Wait before each retry, twice as long each time, with a random part.",
                "docs/reference/client.md, Errors: 0.25 s, and double; RFC 6585 section 4",
                shownBy: "status-503-for-good")
        case .retriesForever:
            Row(
                "It keeps retrying long after its patience is over.",
                "Give up when no byte arrives within the time limit, and report the error.",
                "docs/reference/client.md, Errors: within patience", shownBy: "status-503-for-good")
        case .ignoresRetryAfter:
            Row(
                "It retries sooner than the host allows.",
                "Wait as long as Retry-After says (seconds or a date), or give up.",
                "RFC 9110 section 10.2.3", shownBy: "status-503-seconds")
        case .sleepsAsTold:
            Row(
                "It waits as long as Retry-After says, even for a day.",
                "Follow Retry-After only within the time limit. Otherwise report the error at once.",
                "RFC 9110 section 10.2.3; docs/reference/client.md, Errors: within patience",
                shownBy: "status-503-for-long")
        case .followsCaptivePortal:
            Row(
                "It accepts a captive portal's page as the pack.",
                "Check status, length and hash, and report an error if the answer is not the pack.",
                "RFC 6585 section 6 and appendix B; RFC 8952", shownBy: "portal-page")
        case .leaksPins:
            Row(
                "Packs of a request stay in use after the request ended.",
                "End every request that was called back, so that its packs can be purged.",
                "Apple, NSBundleResourceRequest.endAccessingResources()", shownBy: "in-use-limit")
        case .deletesGoodPacks:
            Row(
                "It removes packs that are in use to make room.",
                "Purge unused packs only. If that is not enough, report the error (NSCocoaErrorDomain 4992).",
                "docs/reference/client.md, What it promises: a full device; Apple, Managing On-Demand Resources",
                shownBy: "purge-under-request")
        case .losesCompletedPacks:
            Row(
                "A failed request removes packs that were already there.",
                "Keep completed packs, unpinned, for the next request.",
                "docs/reference/client.md, What it promises: a failed request", shownBy: "packs-kept")
        case .blocksOnDNS:
            Row(
                "It waits for a DNS lookup without a time limit.",
                "Look names up without blocking, and include the lookup in the time limit.",
                "RFC 8305 section 3; getaddrinfo(3) has no time limit", shownBy: "dns-never")
        case .ignoresCancel:
            Row(
                "It goes on after a cancel.",
                "Close the connection at once, call back with the cancel error (NSCocoaErrorDomain 3072), and send no more requests.",
                "Apple, NSBundleResourceRequest.progress and Progress.cancel()", shownBy: "cancel-for-good")
        case .breaksOnFlapping:
            Row(
                "It gives up when the link or a connection is lost for less than its patience.",
                "Reconnect and resume, as often as needed, as long as bytes arrive within the time limit.",
                "docs/reference/client.md, Errors: lost, and not resumed within patience", shownBy: "flapping")
        case .keepsStaleBytes:
            Row(
                "It mixes the bytes of two versions of a file.",
                "Send If-Range with a strong ETag, or with the date if there is no ETag. Start again if there is neither, or if it changed.",
                "RFC 9110 sections 13.1.5 and 8.8.3", shownBy: "etag-changed")
        case .ignoresPriority:
            Row(
                "An urgent request waits for others.",
                "Start urgent downloads at once, and pause others meanwhile.",
                "Apple, NSBundleResourceRequest.loadingPriority; docs/reference/client.md, Priority",
                shownBy: "priority")
        case .memoryGrows:
            Row(
                "Its memory grows with the size of the download.",
                "Write data to the file as it arrives, and keep none of it in memory.",
                "docs/reference/client.md, What it promises: memory", shownBy: "memory")
        case .ignoresRedirect:
            Row(
                "It does not follow a redirect.",
                "Request the URL in Location, which may be relative, for 301, 302, 303, 307 and 308.",
                "RFC 9110 sections 15.4 and 10.2.2", shownBy: "redirect-once")
        case .followsRedirectsForever:
            Row(
                "It follows redirects without a limit.",
                "Count consecutive redirects, and report an error after about 20.",
                "RFC 9110 section 15.4: detect and intervene in cyclical redirections", shownBy: "redirect-loop")
        case .dropsRangeOnRedirect:
            Row(
                "It drops the Range header after a redirect.",
                "Send Range and If-Range again to the new URL.",
                "RFC 9110 section 15.4: resend the original request", shownBy: "redirect-resumed")
        case .leaksCredentials:
            Row(
                "It sends one host's credentials to another host after a redirect.",
                "Drop Authorization if a redirect changes scheme, host or port, and Cookie if it changes the host.",
                "RFC 9110 sections 11.5 and 15.4; Fetch Standard, HTTP-redirect fetch; RFC 6265 section 8.5",
                shownBy: "redirect-credentials")
        case .downgradesToHTTP:
            Row(
                "It follows a redirect from HTTPS to HTTP, where anyone on the path can read and change the data.",
                "Report an error if a redirect leads from HTTPS to HTTP (curl: --proto-redir =https).",
                "RFC 9110 section 4.2.2; Apple, NSAppTransportSecurity (NSURLErrorDomain -1022)",
                shownBy: "redirect-to-http")
        case .keepsChunkSizes:
            Row(
                "It keeps the chunk sizes of a chunked body in the file.",
                "Decode Transfer-Encoding: chunked, and skip trailer fields.",
                "RFC 9112 section 7.1", shownBy: "body-chunked")
        case .needsContentLength:
            Row(
                "It rejects a body without Content-Length.",
                "Read such a body to its last chunk or to the end of the connection, then check it.",
                "RFC 9112 section 6.3", shownBy: "body-until-close")
        case .takes416ForSuccess:
            Row(
                "It treats a refused range (416) as the end of an incomplete download.",
                "Compare the size in the 416's Content-Range with the file's. Start again if the file is not that long.",
                "RFC 9110 section 15.5.17", shownBy: "range-refused")
        case .takesMultipartForPart:
            Row(
                "It keeps the boundaries and part headers of a multipart body in the file.",
                "Check Content-Type and Content-Range of a 206. Parse multipart/byteranges, or report an error.",
                "RFC 9110 sections 14.6 and 15.3.7.2", shownBy: "range-multipart")
        case .ignoresWriteErrors:
            Row(
                "It ignores write errors.",
                "Check the result of every write(2), fsync(2) and close(2), and report an error if one fails.",
                "write(2): ENOSPC, and fewer bytes than were asked for", shownBy: "no-space-midway")
        case .stuckAfterKill:
            Row(
                "After a kill, its own leftovers keep it from starting again.",
                "Lock with flock(2), which ends with the process, and start again if the leftovers are unusable.",
                "flock(2); signal(7): SIGKILL cannot be handled", shownBy: "killed-midway")
        case .wrapsLengths:
            Row(
                "It stores lengths and offsets in 32 bits, and fails beyond 4 GiB.",
                "Store lengths and offsets in 64 bits (off_t with _FILE_OFFSET_BITS=64; strtoll, not atoi).",
                "RFC 9110 section 8.6: anticipate potentially large decimal numerals and prevent parsing errors",
                shownBy: "body-wrapped-length")
        case .keepsEncodedBytes:
            Row(
                "It stores a compressed body (Content-Encoding) without decoding it.",
                "Send Accept-Encoding: identity. Decode a body that is encoded all the same, or report an error.",
                "RFC 9110 sections 8.4 and 12.5.3", shownBy: "body-gzip")
        case .harmsOtherFiles:
            Row(
                "It changes or removes files that are not its own.",
                "Write and remove only files that you created, by full name: no patterns, no links.",
                "unlink(2), symlink(7); POSIX.1-2017 XCU section 2.13: what patterns match",
                shownBy: "files-beside-failed")
        case .losesOldEdition:
            Row(
                "A failed update destroys the previous version.",
                "Download to a temporary name, and rename the file over the old one when it is complete and checked.",
                "rename(2): newpath is replaced atomically", shownBy: "update-cut")
        case .leavesFilesBehind:
            Row(
                "Each failed attempt leaves a file behind.",
                "Continue one partial file, or remove it before the next attempt.",
                "mkstemp(3), unlink(2); docs/reference/client.md, The store", shownBy: "files-left")
        case .floodsConnections:
            Row(
                "It opens a new connection for each small part.",
                "Reuse connections, and open only a few at a time.",
                "RFC 9112 sections 9.3 and 9.4", shownBy: "cost")
        case .downloadsTwice:
            Row(
                "Two concurrent requests download the same bytes.",
                "Record which packs are downloading, and let other requests for them wait.",
                "RFC 9111 section 4: collapsed requests", shownBy: "cost")
        case .busyWaits:
            Row(
                "It keeps a processor busy while it waits for the host.",
                "Wait in poll(2), epoll(7) or a blocking read, not in a busy loop.",
                "poll(2); curl_multi_poll(3); The Open Group, select: blocks until ready", shownBy: "waits")
        case .ignoresOtherAddresses:
            Row(
                "It gives up on an unreachable address, and never tries the host's other address.",
                "Try every address of the host, each 250 ms after the previous one, until one accepts.",
                "RFC 8305 section 5; RFC 1123 section 2.3; getaddrinfo(3)", shownBy: "addresses-ipv6-refused")
        case .waitsOnDeadAddress:
            Row(
                "It waits for a silent address, and does not try the host's other address meanwhile.",
                "Connect to the next address 250 ms after the previous one, 2 s at most, and use the first that answers.",
                "RFC 8305 sections 5 and 8: Connection Attempt Delay", shownBy: "addresses-ipv6-silent")
        case .needsIPv4:
            Row(
                "It looks up IPv4 addresses only, and does not reach a host that has IPv6 only.",
                "Look up both address families (getaddrinfo(3) with AF_UNSPEC), and connect to any of them.",
                "RFC 6540; Apple, App Review Guidelines 2.5.5: IPv6-only networks", shownBy: "addresses-ipv6-only")
        case .cachesErrors:
            Row(
                "It caches an error longer than the host allows, and does not ask again.",
                "Do not cache errors, or only as long as Cache-Control says. Ask again after a restart.",
                "RFC 9111 sections 4.2 and 5.2.2.1", shownBy: "again-missing")
        case .widensPermissions:
            Row(
                "It replaces a private file with one that others may write.",
                "Give the new file the permissions of the old one, or those of the umask.",
                "open(2), fchmod(2), umask(2); CWE-732", shownBy: "update-private")
        case .mixesDownloads:
            Row(
                "Two instances write to the same file at once, and neither notices.",
                "Lock the partial file while you write, or use your own temporary file, and rename it when it is complete.",
                "flock(2), mkstemp(3), rename(2)", shownBy: "twice-at-once")
        }
    }
}
