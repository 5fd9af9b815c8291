import SystemPackage

/// Texts that use every key.
enum Examples {
    private static let folder = Repository.root

    static let profile = MutationTests.Subject(
        name: "profile of every key", folder: folder,
        text: """
            version: 1
            profile: train
            title: Train
            summary: A train in a tunnel.
            source: Measured on a train.
            extends: flaky-lte
            downlink: {rate: 4 Mbit/s, delay: 40 ms, jitter: {amount: 5 ms, distribution: normal}, loss: 1 %,
                       duplicate: 0.1 %, reorder: 0.2 %, corrupt: 0.3 %, queue: 64 KiB}
            uplink: {rate: 1 Mbit/s, delay: 30 ms, loss: {good-to-bad: 1 %, bad-to-good: 25 %, loss-in-bad: 80 %, loss-in-good: 1 %},
                     queue: 50 packets, jitter: 2 ms}
            dns-delay: 20 ms
            mtu: 1400
            offline: silent
            changes:
              - {at: 10 s, online: true}
              - {at: 15 s, offline: silent, mtu: 1300, dns-delay: 1 s, held: true}
              - {at: 20 s, downlink: {rate: 100 kbit/s}, rtt: 500 ms}
            repeat: 30 s
            stall: {every: 18 s, for: 900 ms}
            """,
        isProfile: true)

    static let scenario = MutationTests.Subject(
        name: "scenario of every key", folder: folder,
        text: """
            version: 1
            scenario: Everything
            catalog: {folder: ./profiles, tags: by-folder}
            tls: {fault: expired}
            manifest: fetched
            omitted: [red]
            device:
              limits: {base: ios-18, app-bundle: 1 GB, pack: 1 MB, pack-count: 9, initial-install: 2 MB, in-use: 1 MB,
                       initial-and-prefetched: 3 MB, hosted: 1 GB, recommended-pack: 64 MB, cellular-install: 100 MB}
              capacity: 64 MB
              storage: 64 MB
              radio: cellular
              cellular-allowed: false
            link: {profile: 3g, seed: 42, fidelity: packet, dns-delay: 3 ms, uplink: {loss: 1 %}}
            workload:
              - request: {id: red, tags: [red, blue], priority: 0.5, background: true}
              - request: {id: circle, tags: [circle], priority: urgent, background: true}
              - cancel: red after 40 %
              - wait: circle
              - sleep: 500 ms
              - end: red
            faults:
              - {pack: red, try: 1-2, status: 503, retry-after: {date: 2 s}}
              - {pack: any, redirect: {to: /x, status: 307}}
              - {pack: manifest, late-head: 1 s}
              - {pack: red, no-head: true}
              - {pack: red, cut: {at: 40 %, how: rst}}
              - {pack: red, stall: {at: 1 MiB, for: 5 s}}
              - {pack: red, drip: 2 kB/s}
              - {pack: red, corrupt: 50 %}
              - {pack: red, wrong-length: -10}
              - {pack: red, ignore-range: true}
              - {pack: red, wrong-range: +100}
              - {pack: red, changed-etag: true}
              - {pack: red, changed-content: +10}
              - {pack: red, changed-size: -10}
              - {pack: red, portal: sign in}
              - {pack: red, body: {text: sign in, type: text/html}}
              - {after: 40 % of red, link: silent, for: 5 s}
              - {after: progress + 3, link: edge, until: 1 MiB}
              - {after: 50 % of red, client: killed}
              - {after: 60 % of red, device: full}
            schedule:
              - L2 conn=/red down off=14480 len=1448 tx=1 drop
              - L2 conn=* up off=0 delay=300ms
            expect:
              red: {error: {domain: NSURLErrorDomain, code: -1009, class: network, within: 20 s}}
              circle: available
              callback: once
              ends: balanced
              notification: none
              stored: [red, circle]
              refetched: 64 KiB
              retries: 1-3
              back-off: 500 ms
              after-cancel: nothing
              order: [red, circle]
            budgets:
              time_to_first_byte: max <= 1 s
              time_to_available: [median <= 12 s, max <= 1 min]
              progress: [monotonic, {packet: honest within 2 %, modelled: honest within 3 %}]
              longest_stall: {packet: max <= 2 s, modelled: [max <= 3 s, min >= 1 ms]}
            attempts: {min: 5, max: 9}
            patience: 30 s
            deadline: 90 s
            matrix: {link.profile: [3g, lte], device.radio: [wifi, cellular]}
            cells:
              - {when: {link.profile: lte}, budgets: {longest_stall: max <= 2 s}, attempts: 7}
              - {when: {device.radio: [wifi]}, expect: available, patience: 3 s, deadline: 4 s}
            """,
        isProfile: false)

    static let command = MutationTests.Subject(
        name: "command of every key", folder: folder,
        text: """
            scenario: A command
            host: {url: https://staging.example/packs/, manifest: m.plist, tag-table: https://staging.example/t.plist,
                   headers: {X-Team: games}, token-env: TOKEN}
            link: lte
            workload:
              command: [curl, --proxy, "{proxy}", --output, "{output}/manifest", "{manifest}"]
              progress: {from: stderr, match: '(\\d+)%'}
            expect:
              exit: 0
              output: 'saved'
              files: {manifest: 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08}
            """,
        isProfile: false)

    static let packCommand = MutationTests.Subject(
        name: "command for a pack", folder: folder,
        text: """
            scenario: A command
            catalog: shapes
            link: lte
            workload:
              command: [curl, --proxy, "{proxy}", --output, "{output}", "{url}"]
              pack: red+circle
            expect: {files: {red+circle: red+circle}}
            """,
        isProfile: false)
}
