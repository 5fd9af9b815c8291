import Testing

@testable import Results

@Suite("Attribution: who is responsible for what happened")
struct AttributionTests {
    static let table: [(Attribution, Verdict, Int32)] = [
        (.clientCrashed, .fail, 99), (.clientHung, .fail, 99), (.clientFailed, .fail, 99),
        (.callbackRepeated, .fail, 99), (.contentWrong, .fail, 99), (.contentIncomplete, .fail, 99),
        (.clientFlooded, .fail, 99), (.requestMisused, .fail, 99),
        (.redirectUnsafe, .fail, 99),
        (.clientNotStarted, .infrastructure, 65), (.clientMisused, .infrastructure, 65),
        (.faultNotPlayed, .infrastructure, 65), (.metricMissing, .infrastructure, 65),
        (.nothingChecked, .infrastructure, 65), (.linkBypassed, .infrastructure, 65),
        (.baselineFailed, .infrastructure, 65),
        (.clientKilled, .infrastructure, 75), (.eventsMissing, .infrastructure, 75),
        (.eventsCut, .infrastructure, 75), (.cellDied, .infrastructure, 75), (.hostDied, .infrastructure, 75),
        (.hostFailed, .infrastructure, 75), (.linkDied, .infrastructure, 75),
        (.staleServer, .infrastructure, 75),
        (.fasterThanIdeal, .infrastructure, 75), (.rateOff, .infrastructure, 75), (.delayOff, .infrastructure, 75),
        (.lossOff, .infrastructure, 75), (.linkUnverified, .infrastructure, 75),
        (.bytesDisagree, .infrastructure, 75),
        (.attemptLost, .infrastructure, 75), (.clockStepped, .infrastructure, 75),
        (.machineNoisy, .infrastructure, 75),
        (.resultsDiskFull, .infrastructure, 75), (.resultsNotWritten, .infrastructure, 75),
        (.scratchDiskFull, .infrastructure, 75), (.resourcesMissing, .infrastructure, 75),
        (.unfinished, .infrastructure, 75),
        (.deadlineReached, .infrastructure, 75),
        (.baselineMissing, .infrastructure, 69), (.baselineUnlike, .infrastructure, 69),
        (.capabilityMissing, .infrastructure, 69),
        (.calibrationNotIndependent, .infrastructure, 1), (.harnessFailed, .infrastructure, 1),
        (.interrupted, .infrastructure, 130),
        (.terminated, .infrastructure, 143),
    ]

    @Test("gives this verdict and exit code, to an attempt and to the run", arguments: table)
    func row(_ attribution: Attribution, _ verdict: Verdict, _ exitCode: Int32) {
        #expect(attribution.row.verdict == verdict)
        #expect(attribution.row.exitCode == exitCode)
        let plan = CellPlan(expectations: [RequestExpectation(.available())], attempts: 1)
        let outcome = RequestOutcome(id: "r", result: .available, seconds: 1)
        let attempt = AttemptRecord(
            number: 1, seed: Seed(1), requests: [outcome], findings: [Finding(attribution, "in the test")])
        let judgement = plan.judge([attempt])
        #expect(judgement.verdict == verdict)
        #expect(judgement.exitCode == exitCode)
    }

    /// A problem that a script cannot mend by trying again after status 75 has another status.
    @Test("75 is for problems that another try can mend")
    func anotherTry() {
        let mended: Set<Attribution> = [
            // Mended if somebody makes room, or gives the run more time.
            .resultsDiskFull, .resultsNotWritten, .scratchDiskFull, .unfinished, .deadlineReached,
        ]
        for attribution in Attribution.allCases {
            #expect(
                (attribution.row.exitCode == 75) == (attribution.row.isWorthARetry || mended.contains(attribution)),
                "\(attribution)")
        }
    }

    @Test("every row is tested, and reads as two sentences")
    func complete() {
        #expect(Self.table.map(\.0) == Attribution.allCases)
        for attribution in Attribution.allCases {
            #expect(attribution.row.sentence.hasSuffix("."))
            #expect(attribution.row.remedy.hasSuffix("."))
        }
        #expect(Set(Attribution.allCases.map(\.row.sentence)).count == Attribution.allCases.count)
    }

    @Test(
        "a finding is a sentence with one full stop",
        arguments: [
            ("", "Nothing was checked (attempt 1)."), ("5 B", "Nothing was checked (attempt 1): 5 B."),
            ("No such file.", "Nothing was checked (attempt 1): No such file."),
            ("and so on...", "Nothing was checked (attempt 1): and so on..."),
        ])
    func sentences(_ detail: String, _ expected: String) {
        #expect(Finding(.nothingChecked, detail, attempt: 1).description == expected)
    }

    @Test(
        "a signal is the client's own doing, or somebody else's",
        arguments: [
            (11, .clientCrashed), (6, .clientCrashed), (13, .clientCrashed), (9, .clientKilled), (15, .clientKilled),
            (2, .clientKilled), (24, .clientCrashed), (14, .clientCrashed), (25, .clientCrashed), (26, .clientCrashed),
            (27, .clientCrashed),
            (10, .clientKilled),
        ] as [(Int32, Attribution)])
    func signals(_ signal: Int32, _ expected: Attribution) {
        #expect(Attribution.client(endedBySignal: signal) == expected)
    }

    /// Attempts, and the findings that follow from each record alone.
    static let shown: [(String, AttemptRecord, [Attribution])] = [
        ("nothing", record(), []),
        (
            "called back twice", record { $0.requests = [.init(id: "r", result: .available, callbacks: 2)] },
            [.callbackRepeated]
        ),
        (
            "faster than light",
            record {
                $0.samples.set(.timeToAvailable, 9.7); $0.ideal = [.timeToAvailable: 10]
            }, [.fasterThanIdeal]
        ),
        (
            "as fast as allowed",
            record {
                $0.samples.set(.timeToAvailable, 9.81); $0.ideal = [.timeToAvailable: 10]
            }, []
        ),
        ("rate + 10 %", record { $0.link = [link(.rate, 1_000_000, 1_100_000)] }, [.rateOff]),
        ("rate unlimited", record { $0.link = [link(.rate, 1_000_000, 4e9)] }, [.rateOff]),
        ("rate + 1 %", record { $0.link = [link(.rate, 1_000_000, 1_010_000)] }, []),
        ("rate unverified", record { $0.link = [link(.rate, 1_000_000, nil)] }, []),
        ("delay on one side", record { $0.link = [link(.rtt, 0.2, 0.1)] }, [.delayOff]),
        ("loss off", record { $0.link = [link(.loss, 0.05, 0)] }, [.lossOff]),
        ("bytes differ", record { $0.bytes = account(1000, 1000, 500) }, [.bytesDisagree]),
        ("bytes differ a little", record { $0.bytes = account(1000, 1000, 990) }, []),
        ("bytes around the link", record { $0.bytes = account(1000, 0, 1000) }, [.linkBypassed]),
        ("a count unknown", record { $0.bytes = account(1000, nil, 1000) }, []),
        (
            "crashed, so the rest is its doing",
            record {
                $0.bytes = account(1000, 1000, 0)
                $0.findings = [Finding(.clientCrashed, "signal 11"), Finding(.eventsCut, "no exit event")]
            }, [.clientCrashed]
        ),
        (
            "around the link, so it did not cross it",
            record { $0.findings = [Finding(.linkBypassed, ""), Finding(.contentIncomplete, "")] }, [.linkBypassed]
        ),
        (
            "host died, whatever the client did",
            record { $0.findings = [Finding(.clientCrashed, ""), Finding(.hostDied, "")] }, [.clientCrashed, .hostDied]
        ),
    ]

    @Test("an attempt's record alone leads to findings", arguments: shown)
    func shows(_ name: String, _ attempt: AttemptRecord, _ expected: [Attribution]) {
        #expect(attempt.allFindings.map(\.attribution) == expected)
        #expect(attempt.allFindings.allSatisfy { $0.attempt == attempt.number })
    }

    static func record(_ change: (inout AttemptRecord) -> Void = { _ in }) -> AttemptRecord {
        var record = AttemptRecord(number: 3, seed: 1)
        change(&record)
        return record
    }

    static func link(_ property: LinkMeasurement.Property, _ set: Double, _ measured: Double?) -> LinkMeasurement {
        .init(property, .downlink, set: set, measured: measured, toleranceRatio: 0.05, method: "departures")
    }

    static func account(_ host: Int64?, _ link: Int64?, _ client: Int64?) -> ByteAccount {
        .init(hostBytes: host, linkBytes: link, clientBytes: client, toleranceBytes: 16)
    }
}
