extension Detection {
    /// Bugs of clients that take the command line of headwind-client.
    static let requests: [Detection] = [
        Detection(
            bug: "no_timeout", scenario: "faults: [{pack: level.bin, stall: {at: 40 %}}]\n" + error(-1001),
            breaks: ["client_hung"]),
        Detection(
            bug: "impatient",
            scenario: "faults: [{pack: level.bin, drip: 150 kB/s}]\npatience: 1 s\nexpect: available",
            breaks: ["available"]),
        Detection(
            bug: "no_resume", scenario: cutOnce + "budgets: {redundant_bytes: max <= 64 KiB}",
            breaks: ["redundant_bytes.max"]),
        Detection(
            bug: "resumes_wrong_offset",
            scenario: cutOnce + "budgets: {redundant_bytes: max <= 64 KiB, requests: each == 2}",
            breaks: ["requests.each", "redundant_bytes.max"]),
        Detection(
            bug: "takes_200_for_206",
            scenario: """
                faults: [{pack: level.bin, try: 1, cut: {at: 40 %}}, {pack: level.bin, try: 2, ignore-range: true}]
                budgets: {requests: each == 2}
                """,
            breaks: ["requests.each"]),
        Detection(
            bug: "ignores_short_body", scenario: "faults: [{pack: level.bin, cut: {at: 40 %}}]\n" + error(-1005),
            breaks: ["content_incomplete"]),
        Detection(
            bug: "ignores_wrong_hash", scenario: "faults: [{pack: level.bin, corrupt: 50 %}]\n" + error(-1016),
            breaks: ["error"]),
        Detection(
            bug: "keeps_partial_as_whole",
            scenario: """
                workload: [{request: {id: a, tags: [level.bin]}}, {end: a}, {request: {id: b, tags: [level.bin]}}]
                faults: [{pack: level.bin, cut: {at: 40 %}}]

                """ + error(-1005),
            breaks: ["content_incomplete"]),
        Detection(
            bug: "never_reports_error", scenario: "faults: [{pack: level.bin, status: 404}]\n" + error(-1008),
            breaks: ["error"]),
        Detection(
            bug: "wrong_error_code", scenario: "faults: [{pack: level.bin, status: 404}]\n" + error(-1008),
            breaks: ["error"]),
        Detection(bug: "calls_back_twice", scenario: "expect: available", breaks: ["callback_repeated"]),
        Detection(
            bug: "progress_jumps_early", packs: slowPacks, scenario: slow + honest, breaks: ["progress.honest"]),
        Detection(
            bug: "progress_goes_back", packs: slowPacks, scenario: slow + honest, breaks: ["progress.monotonic"]),
        Detection(
            bug: "progress_stands_still", packs: slowPacks, scenario: slow + honest, breaks: ["progress.honest"]),
        Detection(
            bug: "progress_counts_twice", packs: slowPacks, scenario: slow + honest, breaks: ["progress.honest"]),
        Detection(
            bug: "retries_without_back_off",
            scenario: """
                faults: [{pack: level.bin, try: 1-2, status: 503}]
                patience: 3 s
                budgets: {time_to_available: min >= 600 ms}
                """,
            breaks: ["time_to_available.min"]),
        Detection(
            bug: "retries_forever", scenario: "faults: [{pack: level.bin, status: 503}]\n" + error(-1011),
            breaks: ["client_hung"]),
        Detection(
            bug: "ignores_retry_after",
            scenario: """
                faults: [{pack: level.bin, try: 1, status: 503, retry-after: 1 s}]
                patience: 3 s
                budgets: {time_to_available: min >= 1 s}
                """,
            breaks: ["time_to_available.min"]),
        Detection(
            bug: "follows_captive_portal",
            scenario: portal + error(-1016),
            breaks: ["error"]),
        Detection(
            bug: "leaks_pins", packs: twoPacks,
            scenario: """
                device: {limits: {base: ios-2015, in-use: 250 kB}}
                workload: [{request: {id: a, tags: [a.bin]}}, {end: a}, {request: {id: b, tags: [b.bin]}}]
                expect: available
                """,
            breaks: ["available"]),
        Detection(
            bug: "deletes_good_packs", packs: twoPacks,
            scenario: """
                device: {capacity: 300 kB}
                workload: [{request: {id: a, tags: [a.bin]}}, {request: {id: b, tags: [b.bin]}}]
                expect: {a: available, b: error NSCocoaErrorDomain 4992}
                """,
            breaks: ["b.error"]),
        Detection(
            bug: "loses_completed_packs", packs: twoPacks,
            scenario: """
                workload:
                  - request: {id: both, tags: [a.bin, b.bin]}
                  - end: both
                  - request: {id: again, tags: [a.bin]}
                faults: [{pack: b.bin, late-head: 600 ms}, {pack: b.bin, status: 404}]
                expect: {both: error -1008, again: available}
                budgets: {redundant_bytes: max <= 0}
                """,
            breaks: ["redundant_bytes.max"]),
        Detection(
            bug: "blocks_on_dns",
            scenario: """
                link: {downlink: {rate: 20 Mbit/s, delay: 10 ms}, uplink: {rate: 20 Mbit/s}, dns-delay: 30 s}

                """ + error(-1001),
            breaks: ["client_hung"]),
        Detection(
            bug: "ignores_cancel", packs: slowPacks,
            scenario: slow + """
                workload:
                  - request: {id: a, tags: [level.bin], background: true}
                  - cancel: a after 20 %
                  - wait: a
                  - sleep: 1 s
                faults: [{pack: level.bin, try: 1, cut: {at: 60 %}}]
                expect: error NSCocoaErrorDomain 3072
                budgets: {requests: max <= 1}
                """,
            breaks: ["requests.max"]),
        Detection(
            bug: "breaks_on_flapping", packs: slowPacks,
            scenario: slow + """
                faults:
                  - {after: 20 % of level.bin, link: cut}
                  - {after: 45 % of level.bin, link: cut}
                  - {after: 70 % of level.bin, link: cut}
                expect: available
                """,
            breaks: ["available"]),
        Detection(
            bug: "keeps_stale_bytes",
            scenario: """
                faults:
                  - {pack: level.bin, try: 1, corrupt: 10 %}
                  - {pack: level.bin, try: 1, cut: {at: 40 %}}
                  - {pack: level.bin, try: 2, changed-etag: true}
                budgets: {requests: each == 2}
                """,
            breaks: ["requests.each"]),
        Detection(
            bug: "ignores_priority", packs: ["bulk.bin": 500_000, "urgent.bin": 50_000],
            scenario: slow + """
                workload:
                  - request: {id: bulk, tags: [bulk.bin], background: true}
                  - sleep: 200 ms
                  - request: {id: urgent, tags: [urgent.bin], priority: urgent}
                  - wait: bulk
                expect: {bulk: available, urgent: available within 600 ms}
                """,
            breaks: ["urgent.available"]),
        Detection(
            bug: "memory_grows", packs: ["level.bin": 80_000_000],
            scenario: "link: {downlink: {}, uplink: {}}\nbudgets: {memory_peak: max <= 64 MB}",
            breaks: ["memory_peak.max"]),
    ]

    private static let twoPacks = ["a.bin": 200_000, "b.bin": 200_000]

    private static func error(_ code: Int) -> String {
        "patience: 1 s\nexpect: error NSURLErrorDomain \(code) within 4 s\ndeadline: 5 s"
    }
}
