extension ClientBug {
    /// The line of the table: what it is, what a good client does, where that is said, and what shows it.
    ///
    /// One case a bug, and no other: the list is as long as there are bugs.
    package var row: Row {
        switch self {
        case .acceptsWrongCertificate:
            Row(
                "A certificate is accepted that is not the host's, or does not hold.",
                "Check the chain to an authority that you trust, the dates, and the host's name, and end the connection where one is wrong.",
                "RFC 5280 section 6; RFC 9525 section 6", shownBy: "tls-wrong-name")
        case .noTimeout:
            Row(
                "It waits without a limit for a host or a link that says nothing.",
                "Limit the time without a sign of life, end the connection then, and report the error (NSURLErrorDomain -1001).",
                "Apple, URLSessionConfiguration.timeoutIntervalForRequest", shownBy: "body-stalls")
        case .impatient:
            Row(
                "It gives up a download that pauses, or begins late, sooner than patience says.",
                "Wait as long for the next sign of life in the middle of a body as before it, and anew after each one.",
                "Apple, URLSessionConfiguration.timeoutIntervalForRequest: 60 s unless told", shownBy: "body-pauses")
        case .limitsTotalTime:
            Row(
                "It gives up a download that comes steadily: it limits the whole time, or wants a higher rate.",
                "Count the time since the last byte came, and not since the begin (curl: --speed-limit 1 --speed-time 30, no --max-time).",
                "Apple, URLSessionConfiguration.timeoutIntervalForRequest: the timer is reset whenever new data arrives",
                shownBy: "body-drips")
        case .noResume:
            Row(
                "A download that was cut is begun anew, or given up, in place of being resumed.",
                "Ask for the rest by Range from the byte that is missing, with If-Range and the ETag.",
                "RFC 9110 sections 14.2 and 13.1.5", shownBy: "cut-midway")
        case .refetchesWhole:
            Row(
                "The whole pack is fetched again and again.",
                "Fetch a pack that came whole and is wrong once more from zero, and then report the error.",
                "docs/client.md, Errors: its content is wrong, also a second time", shownBy: "body-wrong-byte-for-good")
        case .resumesWrongOffset:
            Row(
                "Bytes of a resumed download end up in the wrong place.",
                "Ask from the byte behind the last one that is kept, and put what comes where Content-Range says.",
                "RFC 9110 sections 14.4 and 15.3.7", shownBy: "cut-midway")
        case .takes200For206:
            Row(
                "An answer with the whole is taken for the rest that was asked for.",
                "Look at the status: 206 is the rest, and 200 is the whole, for which what is there has to go.",
                "RFC 9110 sections 14.2 and 15.3.7", shownBy: "range-ignored")
        case .ignoresShortBody:
            Row(
                "A body that ends too early is taken for the whole.",
                "Compare what came with Content-Length, take the end of the connection before it for an error, and fetch the rest.",
                "RFC 9112 section 8", shownBy: "body-short")
        case .ignoresWrongHash:
            Row(
                "Content with another hash than the manifest's is taken for the pack.",
                "Hash the whole file before it is used, and fetch it once more from zero where the hash is another.",
                "docs/client.md, What it promises: nothing wrong is ever visible", shownBy: "body-wrong-byte-for-good")
        case .unpacksBeforeChecking:
            Row(
                "A pack is visible before it is checked, and stays so when it is wrong.",
                "Check size and hash first, unpack out of sight, and let the folder appear by one rename.",
                "docs/client.md, What it promises; rename(2)", shownBy: "body-wrong-byte-for-good")
        case .keepsPartialAsWhole:
            Row(
                "The first part of a file is left where the whole one belongs.",
                "Download under another name, and rename the file when it is whole and checked.",
                "rename(2); docs/client.md, The store", shownBy: "body-short")
        case .neverReportsError:
            Row(
                "A failure is told to nobody.",
                "End every request by exactly one callback, also after an error; a program ends with another status than 0.",
                "Apple, beginAccessingResources(completionHandler:); exit(3)", shownBy: "status-404")
        case .wrongErrorCode:
            Row(
                "The error has another domain, code or class than what happened.",
                "Report the error of the table, by which apps tell people what to do.",
                "docs/client.md, Errors; Apple, URLError.Code", shownBy: "status-404")
        case .callsBackTwice:
            Row(
                "A request is called back more than once.",
                "Note that the callback was made, under the same lock as whatever can make it.",
                "Apple, beginAccessingResources(completionHandler:); docs/events.md, Requests", shownBy: "good-link")
        case .progressJumpsEarly:
            Row(
                "Progress is complete before the download is.",
                "Show the share of bytes that came, and 1 only with the callback.",
                "docs/events.md, Requests; Apple, Progress.fractionCompleted", shownBy: "progress")
        case .progressGoesBack:
            Row(
                "Progress falls.",
                "Count what is kept and not what was sent, and never show less than before.",
                "docs/events.md, Requests", shownBy: "progress")
        case .progressStandsStill:
            Row(
                "Progress stands still while bytes come.",
                "Report whenever bytes came, some times a second, until the end.",
                "docs/events.md, Requests; Apple, Progress", shownBy: "progress")
        case .progressCountsTwice:
            Row(
                "Bytes count more than once for progress.",
                "Count each byte of a file once, also where it is fetched again or by two who see it.",
                "docs/events.md, Requests: what was left behind counts as completed", shownBy: "progress")
        case .retriesWithoutBackOff:
            Row(
                "Tries that fail follow each other at once.",
                "Wait before another try, twice as long each time and a little by chance.",
                "docs/client.md, Errors: 0.25 s, and double; RFC 6585 section 4", shownBy: "status-503-for-good")
        case .retriesForever:
            Row(
                "It goes on asking when patience is long over.",
                "Give up when no byte came for as long as the time limit says, and report the error.",
                "docs/client.md, Errors: within patience", shownBy: "status-503-for-good")
        case .ignoresRetryAfter:
            Row(
                "It asks again sooner than the host allows.",
                "Wait as long as Retry-After says, seconds or a date, or give up.",
                "RFC 9110 section 10.2.3", shownBy: "status-503-seconds")
        case .sleepsAsTold:
            Row(
                "It sleeps as long as a host says, be it a day or for ever.",
                "Wait as long as Retry-After says only where that is within the time limit, and else report the error at once.",
                "RFC 9110 section 10.2.3; docs/client.md, Errors: within patience", shownBy: "status-503-for-long")
        case .followsCaptivePortal:
            Row(
                "A page that somebody else sends in the pack's place is taken for the pack.",
                "Check status, length and hash of what came, and report another error than success for a page that is no pack.",
                "RFC 6585 section 6 and appendix B; RFC 8952", shownBy: "portal-page")
        case .leaksPins:
            Row(
                "What a request pinned stays in use after its end.",
                "End every request that was called back, which frees its packs.",
                "Apple, NSBundleResourceRequest.endAccessingResources()", shownBy: "in-use-limit")
        case .deletesGoodPacks:
            Row(
                "Packs that are in use are removed to make room.",
                "Purge what nobody uses, and where that is not enough report the error (NSCocoaErrorDomain 4992) and leave the rest alone.",
                "docs/client.md, What it promises: a full device; Apple, Managing On-Demand Resources",
                shownBy: "purge-under-request")
        case .losesCompletedPacks:
            Row(
                "A request that fails takes packs along that were there.",
                "Keep what was completed, unpinned, for the next request.",
                "docs/client.md, What it promises: a failed request", shownBy: "packs-kept")
        case .blocksOnDNS:
            Row(
                "It waits without a limit for the lookup of a name.",
                "Look names up without blocking, and let the time that a request may take count for that too.",
                "RFC 8305 section 3; getaddrinfo(3) has no time limit", shownBy: "dns-never")
        case .ignoresCancel:
            Row(
                "What was cancelled goes on.",
                "End the connection at once, call back with the error of a cancel (NSCocoaErrorDomain 3072), and ask for nothing more.",
                "Apple, NSBundleResourceRequest.progress and Progress.cancel()", shownBy: "cancel-for-good")
        case .breaksOnFlapping:
            Row(
                "It gives up where a connection is lost for a moment.",
                "Connect anew and go on where the download was, as often as it takes, as long as bytes come within the time limit.",
                "docs/client.md, Errors: lost, and not resumed within patience", shownBy: "flapping")
        case .keepsStaleBytes:
            Row(
                "Bytes of two editions of a file are put together.",
                "Send If-Range with a strong ETag, or with the date where there is no ETag, and begin anew where there is neither, or another one.",
                "RFC 9110 sections 13.1.5 and 8.8.3", shownBy: "etag-changed")
        case .ignoresPriority:
            Row(
                "What is urgent comes after what is not.",
                "Begin what is urgent at once, and let other downloads give up their connections meanwhile.",
                "Apple, NSBundleResourceRequest.loadingPriority; docs/client.md, Priority", shownBy: "priority")
        case .memoryGrows:
            Row(
                "Its memory grows with what it downloads.",
                "Write what comes to the file, piece by piece, and keep none of it.",
                "docs/client.md, What it promises: memory", shownBy: "memory")
        case .ignoresRedirect:
            Row(
                "It does not go where a redirect leads.",
                "Ask for what Location names, which may be relative to the address that was asked for, after 301, 302, 303, 307 "
                    + "and 308 alike.",
                "RFC 9110 sections 15.4 and 10.2.2", shownBy: "redirect-once")
        case .followsRedirectsForever:
            Row(
                "It follows redirects without a limit.",
                "Count redirects in a row, and end with an error after some twenty.",
                "RFC 9110 section 15.4: detect and intervene in cyclical redirections", shownBy: "redirect-loop")
        case .dropsRangeOnRedirect:
            Row(
                "It forgets behind a redirect that it asked for the rest alone.",
                "Send Range and If-Range again where the redirect leads.",
                "RFC 9110 section 15.4: resend the original request", shownBy: "redirect-resumed")
        case .leaksCredentials:
            Row(
                "Credentials for one host are sent to another one that it redirects to.",
                "Leave Authorization out where a redirect leads to another scheme, host or port, and Cookie where the host is another.",
                "RFC 9110 sections 11.5 and 15.4; Fetch Standard, HTTP-redirect fetch; RFC 6265 section 8.5",
                shownBy: "redirect-credentials")
        case .downgradesToHTTP:
            Row(
                "It follows a redirect from HTTPS to HTTP, where anybody on the way can read and change what comes.",
                "End with an error where a redirect leads from HTTPS to HTTP (curl: --proto-redir =https).",
                "RFC 9110 section 4.2.2; Apple, NSAppTransportSecurity (NSURLErrorDomain -1022)",
                shownBy: "redirect-to-http")
        case .keepsChunkSizes:
            Row(
                "A body that comes in chunks is kept with the lines between them.",
                "Decode Transfer-Encoding: chunked before the body is used, and pass over trailer fields.",
                "RFC 9112 section 7.1", shownBy: "body-chunked")
        case .needsContentLength:
            Row(
                "It gives up a body whose length is not announced.",
                "Read a body without Content-Length to its last chunk, or to the end of the connection, and compare it then.",
                "RFC 9112 section 6.3", shownBy: "body-until-close")
        case .takes416ForSuccess:
            Row(
                "A range that the host refuses is taken for the end of a download that is not whole.",
                "Compare the size in Content-Range of the 416, or the pack's, with what is there, and begin anew where it is less.",
                "RFC 9110 section 15.5.17", shownBy: "range-refused")
        case .takesMultipartForPart:
            Row(
                "A multipart body is kept with its boundaries and the heads of its parts.",
                "Look at Content-Type and Content-Range of a 206: multipart/byteranges is to be taken apart, or is an error.",
                "RFC 9110 sections 14.6 and 15.3.7.2", shownBy: "range-multipart")
        case .ignoresWriteErrors:
            Row(
                "What cannot be written is lost without a word.",
                "Look at what every write(2), fsync(2) and close(2) returns, and end with an error where one fails.",
                "write(2): ENOSPC, and fewer bytes than were asked for", shownBy: "no-space-midway")
        case .stuckAfterKill:
            Row(
                "What it left when it was killed keeps it from starting again.",
                "Lock by flock(2), which ends with the process, and begin anew where what was left cannot be used.",
                "flock(2); signal(7): SIGKILL cannot be handled", shownBy: "killed-midway")
        case .wrapsLengths:
            Row(
                "It keeps lengths and places in 32 bits, and loses what is beyond 4 GiB.",
                "Keep lengths and places of files in 64 bits (off_t with _FILE_OFFSET_BITS=64; strtoll in place of atoi).",
                "RFC 9110 section 8.6: anticipate potentially large decimal numerals and prevent parsing errors",
                shownBy: "body-wrapped-length")
        case .keepsEncodedBytes:
            Row(
                "Bytes that Content-Encoding says are encoded are kept as they are.",
                "Ask for Accept-Encoding: identity, and decode what comes by another coding all the same, or report an error.",
                "RFC 9110 sections 8.4 and 12.5.3", shownBy: "body-gzip")
        case .harmsOtherFiles:
            Row(
                "A file of somebody else, beside its own, is changed or removed.",
                "Write and remove only files that you have made, each by its whole name, by no pattern and through no link.",
                "unlink(2), symlink(7); POSIX.1-2017 XCU section 2.13: what patterns match",
                shownBy: "files-beside-failed")
        case .losesOldEdition:
            Row(
                "An update that fails destroys the edition that was there.",
                "Download under another name, and rename the file over the old one when it is whole and checked.",
                "rename(2): newpath is replaced atomically", shownBy: "update-cut")
        case .leavesFilesBehind:
            Row(
                "Each try that fails leaves a file behind.",
                "Go on with one partial file, or remove it before the next try begins another one.",
                "mkstemp(3), unlink(2); docs/client.md, The store", shownBy: "files-left")
        case .floodsConnections:
            Row(
                "It opens a new connection for each small part.",
                "Keep a connection, and ask on it for what follows; several at a time are few.",
                "RFC 9112 sections 9.3 and 9.4", shownBy: "cost")
        case .downloadsTwice:
            Row(
                "The same bytes are downloaded by two requests side by side.",
                "Note which pack is being downloaded, and have other requests for it wait.",
                "RFC 9111 section 4: collapsed requests", shownBy: "cost")
        case .busyWaits:
            Row(
                "It keeps a processor busy while it waits for the host.",
                "Wait in poll(2), epoll(7) or a blocking read until something comes, and not in a loop that looks again at once.",
                "poll(2); curl_multi_poll(3); The Open Group, select: blocks until ready", shownBy: "waits")
        case .ignoresOtherAddresses:
            Row(
                "It gives up at an address of the host that does not answer, and never tries the other one.",
                "Try each address that the lookup brought, the next one 250 ms after the one before, until one takes the connection.",
                "RFC 8305 section 5; RFC 1123 section 2.3; getaddrinfo(3)", shownBy: "addresses-ipv6-refused")
        case .waitsOnDeadAddress:
            Row(
                "It waits for an address of the host that says nothing, and does not try the other one meanwhile.",
                "Begin a connection to the next address 250 ms after the one before, after 2 s at the latest, and take the first that is there.",
                "RFC 8305 sections 5 and 8: Connection Attempt Delay", shownBy: "addresses-ipv6-silent")
        case .needsIPv4:
            Row(
                "It looks for IPv4 addresses alone, and does not find a host that has IPv6.",
                "Look for addresses of both families (getaddrinfo(3) with AF_UNSPEC), and connect to whichever there is.",
                "RFC 6540; Apple, App Review Guidelines 2.5.5: IPv6-only networks", shownBy: "addresses-ipv6-only")
        case .cachesErrors:
            Row(
                "It keeps an error of the host's for longer than the host allows, and does not ask again.",
                "Keep no error, or keep it as long as its Cache-Control says, and ask again when you are started anew.",
                "RFC 9111 sections 4.2 and 5.2.2.1", shownBy: "again-missing")
        case .widensPermissions:
            Row(
                "Others may change what takes the place of a private file.",
                "Give the new file the permissions of the old one, or those of the umask, and let no others write to it.",
                "open(2), fchmod(2), umask(2); CWE-732", shownBy: "update-private")
        case .mixesDownloads:
            Row(
                "Two of it that run at once write to the same file, and neither notices.",
                "Lock the partial file while you write to it, or make one of your own, and rename it when it is whole.",
                "flock(2), mkstemp(3), rename(2)", shownBy: "twice-at-once")
        }
    }
}
