extension Detection {
    /// Bugs of clients that are commands with a URL and a file.
    static let commands: [Detection] = [
        Detection(
            bug: "accepts_wrong_certificate", scenario: "tls: {fault: unknown-authority}\n" + failing,
            call: Call(), breaks: ["error"]),
        Detection(
            bug: "no_timeout", scenario: "faults: [{pack: level.bin, stall: {at: 40 %}}]\n" + failing,
            call: Call(), breaks: ["client_hung"]),
        Detection(
            bug: "impatient",
            scenario: "faults: [{pack: level.bin, stall: {at: 40 %, for: 500 ms}}]\nexpect: available",
            call: Call(), breaks: ["available"]),
        Detection(
            bug: "limits_total_time", scenario: "faults: [{pack: level.bin, drip: 150 kB/s}]\nexpect: available",
            call: Call(), breaks: ["available"]),
        Detection(
            bug: "no_resume", packs: ["level.bin": 3_000_000], scenario: cutOnce + "expect: {refetched: 64 KiB}",
            call: Call(), breaks: ["refetched"]),
        Detection(
            bug: "resumes_wrong_offset", scenario: cutOnce + "expect: available",
            call: Call(), breaks: ["content_wrong"]),
        Detection(
            bug: "takes_200_for_206",
            scenario: """
                faults: [{pack: level.bin, try: 1, cut: {at: 40 %}}, {pack: level.bin, try: 2, ignore-range: true}]
                """,
            call: Call(), breaks: ["content_wrong"]),
        Detection(
            bug: "ignores_short_body", scenario: "faults: [{pack: level.bin, cut: {at: 40 %}}]\n" + failing,
            call: Call(), breaks: ["content_incomplete"]),
        Detection(
            bug: "keeps_partial_as_whole", scenario: "faults: [{pack: level.bin, cut: {at: 40 %}}]\n" + failing,
            call: Call(isTwice: true), breaks: ["content_incomplete"]),
        Detection(
            bug: "never_reports_error", scenario: "faults: [{pack: level.bin, status: 404}]\n" + failing,
            call: Call(), breaks: ["client_hung", "content_incomplete"]),
        Detection(
            bug: "progress_jumps_early", packs: slowPacks, scenario: slow + honest,
            call: Call(), breaks: ["progress.honest"]),
        Detection(
            bug: "progress_goes_back", packs: slowPacks, scenario: slow + honest,
            call: Call(), breaks: ["progress.monotonic"]),
        Detection(
            bug: "progress_stands_still", packs: slowPacks, scenario: slow + honest,
            call: Call(), breaks: ["progress.honest"]),
        Detection(
            bug: "progress_counts_twice", packs: slowPacks, scenario: slow + honest,
            call: Call(), breaks: ["progress.honest"]),
        Detection(
            bug: "retries_without_back_off",
            scenario: """
                faults: [{pack: level.bin, try: 1-2, status: 503}]
                expect: {retries: 2, back-off: 200 ms}
                """,
            call: Call(patience: 3), breaks: ["back-off"]),
        Detection(
            bug: "retries_forever", scenario: "faults: [{pack: level.bin, status: 503}]\n" + failing,
            call: Call(), breaks: ["client_hung"]),
        Detection(
            bug: "ignores_retry_after",
            scenario: """
                faults: [{pack: level.bin, try: 1, status: 503, retry-after: 1 s}]
                expect: {back-off: 200 ms}
                """,
            call: Call(patience: 3), breaks: ["back-off"]),
        Detection(
            bug: "sleeps_as_told",
            scenario: "faults: [{pack: level.bin, status: 503, retry-after: 24 h}]\n" + failing,
            call: Call(), breaks: ["client_hung"]),
        Detection(
            bug: "follows_captive_portal",
            scenario: portal + failing,
            call: Call(), breaks: ["content_incomplete", "content_wrong"]),
        Detection(
            bug: "blocks_on_dns",
            scenario: """
                link: {downlink: {rate: 20 Mbit/s, delay: 10 ms}, uplink: {rate: 20 Mbit/s}, dns-delay: 30 s}

                """ + failing,
            call: Call(proxied: "http://packs.headwind.internal/level.bin"),
            breaks: ["client_hung"]),
        Detection(
            bug: "breaks_on_flapping", packs: slowPacks,
            scenario: slow + """
                faults:
                  - {after: 20 % of level.bin, link: cut}
                  - {after: 45 % of level.bin, link: cut}
                  - {after: 70 % of level.bin, link: cut}
                expect: available
                """,
            call: Call(), breaks: ["available"]),
        Detection(
            bug: "keeps_stale_bytes",
            scenario: """
                faults:
                  - {pack: level.bin, try: 1, corrupt: 10 %}
                  - {pack: level.bin, try: 1, cut: {at: 40 %}}
                  - {pack: level.bin, try: 2, changed-etag: true}
                """,
            call: Call(), breaks: ["content_wrong"]),
        Detection(
            bug: "memory_grows", packs: ["level.bin": 40_000_000],
            scenario: "link: {downlink: {}, uplink: {}}\nbudgets: {memory_peak: max <= 56 MB}",
            call: Call(), breaks: ["memory_peak.max"]),
        Detection(
            bug: "ignores_redirect",
            scenario: "faults: [{pack: level.bin, redirect: /moved/level.bin}]\nexpect: available",
            call: Call(), breaks: ["available", "content_incomplete", "content_wrong"]),
        Detection(
            bug: "follows_redirects_forever", scenario: "faults: [{pack: level.bin, redirect: '?again'}]\n" + failing,
            call: Call(), breaks: ["client_hung"]),
        Detection(
            bug: "drops_range_on_redirect",
            scenario: """
                faults:
                  - {pack: level.bin, try: 1, redirect: /moved/level.bin}
                  - {pack: level.bin, try: 2, cut: {at: 60 %}}
                  - {pack: level.bin, try: 3, redirect: /moved/level.bin}
                expect: {refetched: 64 KiB}
                """,
            call: Call(), breaks: ["refetched"]),
        Detection(
            bug: "leaks_credentials",
            scenario: """
                faults: [{pack: level.bin, redirect: {to: /moved/level.bin, origin: other-host}}]
                expect: available
                """,
            call: Call(hasCredentials: true), breaks: ["redirect_unsafe"]),
        Detection(
            bug: "downgrades_to_http",
            scenario: """
                tls: true
                faults: [{pack: level.bin, redirect: {to: /moved/level.bin, origin: plain-http}}]
                expect: either
                """,
            call: Call(hasAuthority: true), breaks: ["redirect_unsafe"]),
        Detection(
            bug: "keeps_chunk_sizes", scenario: "faults: [{pack: level.bin, framing: trailers}]\nexpect: available",
            call: Call(), breaks: ["content_wrong"]),
        Detection(
            bug: "needs_content_length",
            scenario: "faults: [{pack: level.bin, framing: until-close}]\nexpect: available",
            call: Call(), breaks: ["available"]),
        Detection(
            bug: "takes_416_for_success",
            scenario: """
                faults: [{pack: level.bin, try: 1, cut: {at: 40 %}}, {pack: level.bin, try: 2, refuse-range: true}]
                expect: either
                """,
            call: Call(), breaks: ["content_incomplete", "content_wrong"]),
        Detection(
            bug: "takes_multipart_for_part",
            scenario: """
                faults: [{pack: level.bin, try: 1, cut: {at: 40 %}}, {pack: level.bin, try: 2-9, multipart: true}]
                expect: either
                """,
            call: Call(), breaks: ["content_wrong"]),
        Detection(
            bug: "wraps_lengths",
            scenario: """
                faults:
                  - {pack: level.bin, wrapped-length: 40 %}
                  - {pack: level.bin, stall: {at: 40 %, for: 1 s}}
                  - {pack: level.bin, cut: {at: 40 %}}
                expect: error within 9 s
                deadline: 14 s
                """,
            call: Call(patience: 3), breaks: ["content_incomplete", "content_wrong"]),
        Detection(
            bug: "keeps_encoded_bytes", scenario: "faults: [{pack: level.bin, encoding: gzip}]\nexpect: either",
            call: Call(), breaks: ["content_wrong"]),
        Detection(
            bug: "harms_other_files",
            scenario: "faults: [{pack: level.bin, status: 404}]\nexpect: {error: any, keeps: [other-file]}",
            call: Call(), breaks: ["keeps"]),
        Detection(
            bug: "harms_other_files",
            scenario: "faults: [{pack: level.bin, status: 404}]\nexpect: {error: any, keeps: [linked-file]}",
            call: Call(), breaks: ["keeps"]),
        Detection(
            bug: "caches_errors",
            scenario: """
                faults:
                  - {pack: level.bin, try: 1, cache-control: max-age=1}
                  - {pack: level.bin, try: 1, status: 404}
                """,
            call: Call(starts: "again"), breaks: ["available"]),
        Detection(
            bug: "widens_permissions", scenario: "expect: {keeps: [private-edition]}", call: Call(), breaks: ["keeps"]),
        Detection(
            bug: "mixes_downloads", packs: ["level.bin": 1_000_000], scenario: slow + "expect: either",
            call: Call(patience: 3, starts: "side-by-side"), breaks: ["content_wrong"]),
        Detection(
            bug: "loses_old_edition",
            scenario: "faults: [{pack: level.bin, status: 404}]\nexpect: {error: any, keeps: [old-edition]}",
            call: Call(), breaks: ["keeps"]),
        Detection(
            bug: "leaves_files_behind",
            scenario: "faults: [{pack: level.bin, cut: {at: 40 %}}]\nexpect: {error: any, leftovers: none}",
            call: Call(patience: 3), breaks: ["leftovers"]),
        Detection(
            bug: "floods_connections", packs: ["level.bin": 4_000_000],
            scenario: "link: {downlink: {}, uplink: {}}\nbudgets: {connections: max <= 32}",
            call: Call(), breaks: ["connections.max"]),
        Detection(
            bug: "busy_waits",
            scenario: "faults: [{pack: level.bin, late-head: 5 s}]\nbudgets: {cpu_time: max <= 700 ms}",
            call: Call(patience: 8), breaks: ["cpu_time.max"]),
        Detection(
            bug: "downloads_twice", packs: slowPacks, scenario: slow + "budgets: {redundant_bytes: max <= 250 kB}",
            call: Call(), breaks: ["redundant_bytes.max"]),
    ]

    /// For downloads that cannot succeed: a client must say so, and not hang.
    static let failing = "expect: error within 3 s\ndeadline: 6500 ms"
    static let portal = "faults: [{pack: level.bin, body: {text: '<html>Log in</html>', type: text/html}}]\n"
    static let cutOnce = "faults: [{pack: level.bin, try: 1, cut: {at: 60 %}}]\n"
    static let slow = "link: {downlink: {rate: 4 Mbit/s, delay: 10 ms}, uplink: {rate: 4 Mbit/s}}\n"
    static let slowPacks = ["level.bin": 500_000]
    static let honest = "budgets: {progress: [monotonic, ends at 1, honest within 25 %]}"
}
