@testable import Results

/// Sample results.
enum SampleRun {
    static let hostile = "a<b>&\"c\" 'd' | e\nf\u{1B}[31m \u{0} \u{FFFE} \u{202E} 🎈 ]]> `x` * [y](z) @me"

    /// A run with a cell of each verdict.
    static func mixed() throws -> RunResult {
        run([
            try cell("3g", seconds: [38.1, 39.4, 40.2, 40.9, 41.5], limit: "median <= 1.2 x ideal + 12 s"),
            try cell("edge", seconds: [55.2, 61.3, 61.9, 62.4, 70.75], limit: "median <= 1.2 x ideal + 12 s"),
            try cell("lossy", seconds: [38, 40, 44, 52, 61], limit: "median <= 1.2 x ideal + 12 s"),
            try cell("lte", seconds: [38, 40, 44, 46, 47], limit: "max <= 60 s") { attempt in
                if attempt.number == 3 {
                    attempt.findings = [Finding(.hostDied, "signal 9, 1.5 s after the first byte")]
                }
            },
        ])
    }

    /// A run in which every text is hostile.
    static func hostileRun() throws -> RunResult {
        var cell = try cell("3g", seconds: [1], limit: "max <= 500 ms", attempts: 1) { attempt in
            attempt.requests[0].message = hostile
            attempt.findings = [Finding(.contentWrong, hostile)]
            attempt.clientOutput = [hostile]
            attempt.notes = [hostile]
        }
        cell.scenario = hostile
        cell.point = [.init(axis: hostile, value: hostile)]
        cell.title = hostile
        cell.notes = [hostile]
        cell.bundle = hostile
        cell.replayCommand = hostile
        cell.link.profile = hostile
        cell.link.congestionControl = hostile
        cell.diagnoses = [
            BugDiagnosis(.noResume, attempt: 1, hostile, pack: hostile, byte: 1, seconds: 1, nanoseconds: 2)
        ]
        cell.checks[0].name = hostile
        cell.checks[0].sentence = hostile
        var run = run([cell], [Finding(.harnessFailed, hostile)])
        run.commandLine = ["headwind", "run", hostile]
        run.toolVersion = hostile
        return run
    }

    static func run(_ cells: [CellResult], _ findings: [Finding] = []) -> RunResult {
        RunResult(
            toolVersion: "0.1.0", commandLine: ["headwind", "run", "level 2.yaml"], seed: 7,
            host: HostFacts(
                system: "Debian GNU/Linux 12 (bookworm)", kernel: "6.18.44", architecture: "x86_64", processors: 2,
                memoryBytes: 8_000_000_000, versions: ["libcurl": "7.88.1"]),
            startedAt: "2026-11-21T04:00:00Z", durationSeconds: 231.5, cells: cells, findings: findings)
    }

    static func cell(
        _ profile: String, seconds: [Double], limit: String, attempts: Int = 5,
        change: (inout AttemptRecord) -> Void = { _ in }
    ) throws -> CellResult {
        let budgets = [
            try Budget(key: "time_to_available", text: limit),
            try Budget(key: "redundant_bytes", text: "max <= 64 KiB"),
            try Budget(key: "progress", text: "monotonic"),
        ]
        let plan = CellPlan(
            expectations: [RequestExpectation(.available())], budgets: budgets, attempts: attempts,
            maximumAttempts: attempts)
        let records = seconds.enumerated().map { index, seconds in
            var attempt = record(index + 1, seconds)
            change(&attempt)
            return attempt
        }
        var cell = CellResult(
            scenario: "level 2", title: "Level 2 survives the tunnel",
            point: [.init(axis: "link.profile", value: profile)],
            link: LinkFacts(
                profile: profile, backend: "proxy", fidelity: "modelled", congestionControl: "cubic"),
            plan: plan, attempts: records, startedAt: "2026-11-21T04:00:00Z",
            durationSeconds: seconds.reduce(0, +))
        if cell.verdict == .fail {
            cell.bundle = "bundles/level-2-\(profile)"
            cell.replayCommand = "headwind replay /results/bundles/level-2-\(profile)"
            cell.diagnoses = [1, 2].map { attempt in
                BugDiagnosis(
                    .noResume, attempt: attempt,
                    "try 1 for 'level-2' ended at byte 40000, and try 2 for 'level-2' requested everything from byte 0 again",
                    pack: "pack-2", byte: 40_000, seconds: 9.5, nanoseconds: 10_500_000_000)
            }
        }
        return cell
    }

    private static func conduct(_ seconds: Double) -> ConductRecord {
        let cut = ConductRecord.Fetch(
            "pack-2", number: 1, nanoseconds: 1_100_000_000, began: 0.1, lastByte: 9, ended: 9, end: .host,
            bytes: 40_000,
            isWhole: false, faults: ["cut@40000"])
        let rest = ConductRecord.Fetch(
            "pack-2", number: 2, nanoseconds: 10_500_000_000, began: 9.5, lastByte: seconds, ended: seconds,
            askedFrom: 40_000, answeredFrom: 40_000, status: 206, bytes: 60_000)
        return ConductRecord(
            startedNanoseconds: 1_000_000_000, endedSeconds: seconds,
            packs: [.init("pack-2", name: "level-2", bytes: 100_000, requests: 2)], fetches: [cut, rest],
            requests: [.init("r1", began: 0, calledBack: seconds, isAvailable: true)])
    }

    private static func record(_ number: Int, _ seconds: Double) -> AttemptRecord {
        AttemptRecord(
            number: number, seed: Seed(UInt64(number)), startedNanoseconds: 1_000_000_000, durationSeconds: seconds,
            samples: Samples([
                .timeToAvailable: .value(seconds), .redundantBytes: .value(0), .progressMonotonic: .value(1),
            ]),
            ideal: [.timeToAvailable: 31],
            requests: [.init(id: "r1", tags: ["level-2"], result: .available, seconds: seconds)],
            link: [
                .init(
                    .rate, .downlink, set: 780_000, measured: 776_000 + Double(number), toleranceRatio: 0.02,
                    method: "departures"),
                .init(.rtt, set: 0.2, measured: 0.203, toleranceRatio: 0.05, method: "probe"),
                .init(
                    .loss, .downlink, set: 0.01, measured: nil, toleranceRatio: 0.5,
                    method: "unverified: too few packets"),
            ],
            conduct: number == 1 ? conduct(seconds) : nil)
    }
}
