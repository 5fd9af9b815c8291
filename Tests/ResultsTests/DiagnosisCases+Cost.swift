import Results

extension DiagnosisCase {
    /// What a download costs beyond its bytes: three forms of each bug.
    static let costly = flooding + twice + spinning

    private static let flooding: [DiagnosisCase] = [
        DiagnosisCase("connects for each block", .floodsConnections, budgets: few) {
            $0.blocks(62, of: 64 << 10, connections: 62)
            $0.end(.available)
        },
        DiagnosisCase("connects for each block, four at a time", .floodsConnections, isCommand: true, budgets: few) {
            $0.blocks(80, of: 50_000, connections: 80, atOnce: 4)
            $0.end(.available)
        },
        DiagnosisCase("connects for each two blocks", .floodsConnections, budgets: few) {
            $0.blocks(100, of: 40_000, connections: 50)
            $0.end(.available)
        },
    ]

    private static let twice: [DiagnosisCase] = [
        DiagnosisCase("downloads for two who want it", .downloadsTwice, words: [.refetched(mostBytes: 1024)]) {
            $0.fetch(.part(1, at: 0, lasting: 2), .part(2, at: 0.02, lasting: 2))
            $0.samples.set(.redundantBytes, 100_000)
            $0.end(.available)
        },
        DiagnosisCase(
            "downloads beside itself, and breaks one off at the end", .downloadsTwice, isCommand: true,
            budgets: ["redundant_bytes: max <= 1 kB"]
        ) {
            $0.fetch(
                .part(1, at: 0, lasting: 2), .part(2, bytes: 96_000, at: 0.1, lasting: 1.9, end: .client))
            $0.samples.set(.redundantBytes, 96_000)
            $0.end(.available)
        },
        DiagnosisCase(
            "has two threads fetch the same half", .downloadsTwice, budgets: ["redundant_bytes: max <= 1 kB"]
        ) {
            $0.fetch(
                .part(1, bytes: 50_000, at: 0, lasting: 1), .part(2, from: 50_000, bytes: 50_000, at: 0, lasting: 1),
                .part(3, from: 50_000, bytes: 50_000, at: 0.05, lasting: 1))
            $0.samples.set(.redundantBytes, 50_000)
            $0.end(.available)
        },
    ]

    private static let spinning: [DiagnosisCase] = [
        DiagnosisCase("spins while the head is late", .busyWaits, isCommand: true, budgets: idle) {
            $0.waits(.init(from: 0.6, until: 4.6, ran: 3.9))
        },
        DiagnosisCase("spins twice", .busyWaits, budgets: idle) {
            $0.waits(.init(from: 0.6, until: 4.6, ran: 3.9), .init(from: 6, until: 10, ran: 3.8, waited: 0.2))
        },
        DiagnosisCase("spins on a machine that is busy", .busyWaits, isCommand: true, budgets: idle) {
            $0.waits(.init(from: 0.6, until: 4.6, ran: 0.8, waited: 3.1))
        },
    ]

    private static let few = ["connections: max <= 32"]
    private static let idle = ["cpu_time: max <= 2 s"]
}

extension NearMiss {
    /// Clients that connect and request a lot, for good reasons.
    static let costs = connecting + asking + working

    private static let few = ["connections: max <= 32"]

    private static let connecting: [NearMiss] = [
        // Blocks of a mebibyte, with a connection each.
        NearMiss(.floodsConnections, .ranges, budgets: few) {
            $0.blocks(60, of: 1 << 20, connections: 60)
            $0.end(.available)
        },
        // Small blocks, on four connections that stay open.
        NearMiss(.floodsConnections, .daemon, budgets: few) {
            $0.blocks(100, of: 40_000, connections: 4, atOnce: 4)
            $0.end(.available)
            $0.samples.set(.connections, 33)
        },
        // Forty small parts at once, all begun before the first one ended.
        NearMiss(.floodsConnections, .read, budgets: few) {
            $0.blocks(40, of: 100_000, connections: 40, atOnce: 40)
            $0.end(.available)
        },
        // The host ends each connection after its response, so the client has to connect again.
        NearMiss(.floodsConnections, .pauses, budgets: few) {
            $0.blocks(40, of: 100_000, connections: 40, faults: ["framing=until-close"])
            $0.end(.available)
        },
    ]

    private static let working: [NearMiss] = [
        // Works on received bytes in one pause, and waits in the other.
        NearMiss(.busyWaits, .pauses, budgets: idle) {
            $0.waits(.init(from: 0.6, until: 4.6, ran: 3.9), .init(from: 6, until: 10))
        },
        // Wants a processor and gets little of it, so the evidence is not enough.
        NearMiss(.busyWaits, .read, budgets: idle) {
            $0.waits(.init(from: 0.6, until: 4.6, ran: 0.3, waited: 3.6))
        },
        // Is busy only while bytes arrive.
        NearMiss(.busyWaits, .ranges, budgets: idle) { $0.waits() },
        // The pauses were not measured.
        NearMiss(.busyWaits, .daemon, budgets: idle) {
            $0.waits()
            $0.conduct?.silences = nil
        },
        // Polls often, and sleeps in between.
        NearMiss(.busyWaits, .daemon, budgets: idle) {
            $0.waits(.init(from: 0.6, until: 4.6, ran: 1.9, waited: 1.5), .init(from: 6, until: 10, ran: 2))
        },
    ]

    private static let idle = ["cpu_time: max <= 2 s"]

    private static let asking: [NearMiss] = [
        NearMiss(.downloadsTwice, .pauses) {
            $0.fetch(.resumed)
            $0.end(.available)
        },
        NearMiss(.downloadsTwice, .ranges) {
            // The first request asked for everything, and was broken off where the second began.
            $0.fetch([
                .part(1, bytes: 58_000, at: 0, lasting: 1, end: .client),
                .part(2, from: 50_000, bytes: 50_000, at: 0.1),
            ])
            $0.end(.available)
        },
        NearMiss(.downloadsTwice, .read) {
            // A second request next to one that no longer receives bytes.
            $0.fetch([
                .stalled(1, bytes: 60_000, at: 0, quiet: 3), .part(2, at: 1.2, lasting: 1),
            ])
            $0.end(.available)
        },
        NearMiss(.downloadsTwice, .daemon) {
            // A second request next to one that was slow for long; the end closes both.
            $0.fetch([.part(1, at: 0, lasting: 3), .part(2, bytes: 65_000, at: 1, lasting: 2, end: .client)])
            $0.end(.available)
        },
        NearMiss(.downloadsTwice, .daemon) {
            // Another edition next to the first one.
            $0.fetch([
                .part(1, at: 0, lasting: 1), .part(2, at: 0.1, lasting: 1, faults: ["changed-etag"]),
            ])
            $0.end(.available)
        },
    ]
}

extension AttemptRecord {
    /// Uses 6 s of processor time, with the given shares in pauses of the host.
    fileprivate mutating func waits(_ silences: ConductRecord.Silence...) {
        fetch(.part(1, lasting: 11))
        conduct?.silences = silences
        samples.set(.cpuTime, 6)
        end(.available)
    }

    /// Fetches a pack in blocks, of which `atOnce` begin at the same time.
    fileprivate mutating func blocks(
        _ count: Int, of bytes: Int64, connections: Int, atOnce: Int = 1, faults: [String] = []
    ) {
        let fetches = (0..<count).map { index in
            var fetch = ConductRecord.Fetch.part(
                index + 1, from: Int64(index) * bytes, bytes: bytes, status: 206, at: 0.04 * Double(index / atOnce),
                lasting: 0.03, faults: faults)
            fetch.connection = index * connections / count
            return fetch
        }
        fetch(fetches)
        conduct?.packs?[0].bytes = Int64(count) * bytes
        samples.set(.connections, Double(connections))
    }
}
