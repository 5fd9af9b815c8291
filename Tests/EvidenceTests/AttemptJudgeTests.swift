import LinkModel
import ProcessGuard
import Results
import Scenarios
import Testing

@testable import Evidence
@testable import PackHost

/// Whole attempts from logs alone: a good one, and one for each thing that can be wrong.
@Suite("Attempts from their logs") struct AttemptJudgeTests {
    /// An attempt of a client that downloads one pack of 200,000 bytes in 1.2 s, as host, link and client report it.
    struct Attempt {
        /// How many bytes of the body the host sent, and the link carried.
        var handed: Int64 = 200_000
        /// Bytes of the answer's head.
        var head: Int64 = 300
        var status = 200
        /// Whether the link made the host's connection.
        var isByLink = true
        /// The lines of the client from 1 s on, one each 0.1 s; the first line is its start.
        var lines = [
            #""event":"start""#, #""event":"request","id":"r1","tags":["level.bin"]"#,
            #""event":"received","pack":"level.bin","bytes":200000"#, #""event":"available","id":"r1""#,
            #""event":"exit","status":0"#,
        ]
        var exit: GuardedExit.Status = .exited(0)
        var timedOut = false

        static let second: Int64 = 1_000_000_000

        var trace: AttemptTrace {
            var trace = AttemptTrace()
            (trace.linkStart, trace.clientStart) = (Self.second / 2, Self.second)
            let end = Self.second * 22 / 10
            (trace.clientEnd, trace.clientGone) = (end, end)
            trace.exit = GuardedExit(status: exit, timedOut: timedOut, endedNanoseconds: end)
            for (index, line) in lines.enumerated() {
                // The callback comes with the last byte.
                let time = Self.second + Int64(index < 3 ? index * 100_000_000 : 800_000_000 + index * 10_000_000)
                _ = trace.client.append(line: Array(#"{"v":1,"t":\#(time),\#(line)}"#.utf8))
            }
            let request = HostRequest(method: "GET", path: "/level.bin", pack: "level.bin", number: 1, range: nil)
            let transfer = HostTransfer(
                status: status, from: 0, planned: 200_000, handed: handed, unacknowledged: 0,
                cause: handed == 200_000 ? .complete : .cut(reset: false))
            for (time, kind) in [
                (11, .opened(peer: "client", port: 4000)), (12, .request(request)),
                (12, .head(status: status, length: 200_000)), (17, .finished(transfer)),
                (18, .closed(.init(cause: .host, received: 200, sent: handed + head))),
            ] as [(Int64, HostEvent.Kind)] {
                trace.host.append(HostEvent(nanoseconds: time * Self.second / 10, connection: 1, kind: kind))
            }
            for (time, kind) in [
                (11, .opened(mode: "", target: "host", key: "host")), (11, .connected),
                (11, .hostSide(port: isByLink ? 4000 : 4001)),
                (18, .delivered(direction: .downlink, total: handed + head)),
                (18, .closed(downlink: handed + head, uplink: 200, cause: .hostReset)),
            ] as [(Int64, LinkEvent.Kind)] {
                trace.link.append(
                    LinkEvent(at: Instant(nanoseconds: time * Self.second / 10), connection: 7, kind: kind))
            }
            trace.crossed.payload = PerDirection(downlink: handed + head, uplink: 200)
            trace.crossed.meter = [
                MeterSample(at: Instant(nanoseconds: Self.second * 18 / 10), totals: trace.crossed.payload)
            ]
            return trace
        }
    }

    private static func record(
        _ scenario: String = "", of attempt: Attempt = Attempt(), _ change: (inout AttemptTrace) -> Void = { _ in }
    ) throws -> AttemptRecord {
        var trace = attempt.trace
        change(&trace)
        return AttemptJudge(trace, try Scratch.setup(scenario)).record(from: 0, to: 3 * Attempt.second)
    }

    @Test func aGoodOne() throws {
        let record = try Self.record()
        #expect(record.findings.isEmpty && record.notes.isEmpty && record.counts, "\(record.findings)")
        #expect(record.durationSeconds == 3 && record.clientEnd == ClientEnd(exitStatus: 0, wasStopped: false))
        #expect(record.requests.map(\.result) == [.available])
        #expect(record.bytes?.hostBytes == 200_000 && record.bytes?.linkBytes == 200_000)
        #expect(record.bytes?.clientBytes == 200_000)
        let fetch = try #require(record.conduct?.fetches?.first)
        #expect(fetch.pack == "level.bin" && fetch.isWhole && fetch.beganSeconds == 0.2)
        #expect(record.conduct?.requests?.map(\.packs) == [["level.bin"]])
        #expect(record.ideal[.timeToAvailable] != nil)
    }

    @Test("bytes count for their connection, though a later one has the same port") func aPortIsUsedAgain() throws {
        let record = try Self.record { trace in
            for kind in [.hostSide(port: 4000), .closed(downlink: 300, uplink: 200, cause: .hostReset)]
                as [LinkEvent.Kind]
            {
                trace.link.append(
                    LinkEvent(at: Instant(nanoseconds: Attempt.second * 22 / 10), connection: 8, kind: kind))
            }
        }
        #expect(record.findings.isEmpty, "\(record.findings)")
    }

    struct Case: Sendable, CustomTestStringConvertible {
        var found: Attribution
        /// Other attributions that are found then.
        var beside: Set<Attribution> = []
        var scenario = ""
        var attempt: @Sendable (inout Attempt) -> Void = { _ in }
        var trace: @Sendable (inout AttemptTrace) -> Void = { _ in }
        var testDescription: String { "\(found)\(scenario.isEmpty ? "" : ", \(scenario)")" }
    }

    private static let command = "workload: {command: [curl, '{url}'], pack: level.bin}"
    private static let stranger = "workload: {command: [curl, 'http://example.org/']}"

    @Test(arguments: [
        Case(found: .linkBypassed, beside: [.contentIncomplete], attempt: { $0.isByLink = false }),
        Case(found: .contentIncomplete, attempt: { $0.handed = 100_000 }),
        Case(found: .contentIncomplete, attempt: { $0.status = 404 }),
        Case(found: .linkBypassed, attempt: { ($0.status, $0.handed) = (304, 0) }),
        Case(found: .linkBypassed, scenario: stranger, trace: { $0.crossed.payload = PerDirection(both: 0) }),
        Case(found: .linkBypassed, scenario: stranger, trace: { $0.fileSizes = ["a": 300_000] }),
        Case(
            found: .contentWrong,
            trace: { trace in
                var file = AttemptTrace.FileCheck(name: "a", digest: "0")
                file.problem = "does not exist"
                trace.files = [file]
            }),
        Case(found: .contentWrong, trace: { $0.stored = [.init("level.bin", problem: "is an empty folder")] }),
        Case(
            found: .hostDied,
            trace: { trace in
                trace.host.append(HostEvent(nanoseconds: 1, connection: 0, kind: .listenerFailed(reason: "EMFILE")))
            }),
        Case(
            found: .hostFailed,
            trace: { trace in
                trace.host.append(HostEvent(nanoseconds: 1, connection: 1, kind: .fileFault(reason: "changed")))
            }),
        Case(found: .harnessFailed, trace: { $0.crossed.droppedEvents = 1 }),
        Case(found: .harnessFailed, trace: { $0.exit = nil }),
        Case(found: .clientCrashed, attempt: { $0.exit = .signaled(11) }),
        Case(found: .clientKilled, attempt: { $0.exit = .signaled(9) }),
        Case(found: .clientNotStarted, attempt: { $0.exit = .notExecuted(.noSuchFileOrDirectory) }),
        Case(found: .clientHung, attempt: { $0.timedOut = true }),
        Case(found: .clientHung, attempt: { $0.exit = .left }),
        Case(found: .clientMisused, attempt: { $0.exit = .exited(64) }),
        Case(found: .harnessFailed, attempt: { $0.exit = .exited(70) }),
        Case(
            found: .clientNotStarted, scenario: "workload: {command: 'curl {url}', pack: level.bin}",
            attempt: { $0.exit = .exited(127) }),
        Case(found: .eventsMissing, attempt: { $0.lines = [] }),
        Case(found: .eventsCut, attempt: { $0.lines.removeLast() }),
        Case(found: .eventsCut, attempt: { $0.lines.append("\"n\":1") }),
        Case(found: .clockStepped, trace: { $0.clientStart += 50_000_000 }),
        Case(
            found: .requestMisused,
            attempt: { $0.lines.insert(#""event":"misuse","id":"r1","rule":"ended-twice""#, at: 3) }),
        Case(found: .scratchDiskFull, trace: { $0.leastRoom = AttemptTrace.leastRoomBytes - 1 }),
        Case(
            found: .metricMissing, scenario: command,
            trace: { trace in
                var matches = ProgressMatches()
                matches.trouble = "the pattern was still matching"
                trace.client.take(matches, of: nil, beside: Complaints())
            }),
        Case(
            found: .clientFlooded, scenario: command,
            trace: { trace in
                var matches = ProgressMatches()
                matches.unread = 1
                trace.client.take(matches, of: nil, beside: Complaints())
            }),
        Case(
            found: .faultNotPlayed, scenario: "faults: [{pack: level.bin, try: 2, status: 503}]"),
        Case(
            found: .faultNotPlayed,
            trace: { $0.unplayedFaults = [LinkFault(trigger: .time(.seconds(1)), effect: .cut)] }),
    ])
    func eachFaultIsFound(_ test: Case) throws {
        var attempt = Attempt()
        test.attempt(&attempt)
        let record = try Self.record(test.scenario, of: attempt, test.trace)
        #expect(Set(record.findings.map(\.attribution)) == test.beside.union([test.found]), "\(record.findings)")
    }

    /// A shell ends with 128 + n if signal n ended the program in it: for the signals of a crash, that is one.
    @Test(
        arguments: [
            (132, 4), (133, 5), (134, 6), (135, 7), (136, 8), (139, 11), (159, 31), (1, nil), (11, nil), (127, nil),
            (128, nil), (130, nil), (137, nil), (141, nil), (143, nil), (255, nil),
        ] as [(Int32, Int32?)], ["", "\nexpect: error", "\nexpect: {exit: 139}"])
    func aCrashInAShellIsACrash(_ end: (status: Int32, signal: Int32?), _ expectation: String) throws {
        var attempt = Attempt()
        attempt.exit = .exited(end.status)
        let record = try Self.record(Self.command + expectation, of: attempt)
        // A status that the scenario expects is the client's own.
        let signal = end.status == 139 && expectation.hasSuffix("139}") ? nil : end.signal
        #expect(record.clientEnd == ClientEnd(exitStatus: end.status, signal: signal, wasStopped: false))
        #expect(record.requests.map(\.result) == [signal == nil ? .error : .noCallback], "\(record.requests)")
        #expect(record.findings.map(\.attribution) == (signal == nil ? [] : [.clientCrashed]), "\(record.findings)")
        guard let signal else { return }
        #expect(record.findings[0].detail.contains("status \(end.status), as a shell does if signal \(signal) ended"))
    }

    /// A client that was stopped did not crash, and neither did one that sends events of its own end.
    @Test func whatIsNoCrashInAShell() throws {
        var attempt = Attempt()
        (attempt.exit, attempt.timedOut) = (.exited(139), true)
        #expect(try Self.record(Self.command, of: attempt).clientEnd?.signal == nil)
        attempt.timedOut = false
        #expect(try Self.record(of: attempt).clientEnd?.signal == nil)
    }

    /// A client that plays a schedule may end before a fault of the link can happen.
    @Test func aListedFaultThatNeverHappensIsNoFinding() throws {
        let fault = LinkFault(trigger: .time(.seconds(1)), effect: .cut)
        var trace = Attempt().trace
        trace.unplayedFaults = [fault]
        var setup = try Scratch.setup()
        setup.cell = setup.cell.playing(FaultSchedule(lines: [.link(fault.change)]))
        let record = AttemptJudge(trace, setup).record(from: 0, to: 3 * Attempt.second)
        #expect(record.findings.isEmpty, "\(record.findings)")
    }

    /// A trouble of the harness is the only finding: the logs are incomplete because of it, and blame nothing.
    @Test func aTroubleIsTheOnlyFinding() throws {
        var attempt = Attempt()
        (attempt.isByLink, attempt.lines) = (false, [])
        var judge = AttemptJudge(attempt.trace, try Scratch.setup())
        judge.troubles = [Finding(.linkDied, "gone")]
        #expect(judge.record(from: 0, to: 1).findings.map(\.attribution) == [.linkDied])
    }

    /// Output of a foreign program: events, complaints on standard error, and progress in its own words.
    @Test func whatACommandWrites() throws {
        var trace = AttemptTrace()
        (trace.clientStart, trace.clientEnd) = (100, 200)
        func line(
            _ text: String, _ stream: Command.Progress.Stream, at moment: Int64
        ) -> FaultSchedule.ClientMoment? {
            trace.client.take(Array(text.utf8), from: stream, at: moment, since: 90)
        }
        #expect(line(#"{"v":1,"t":120,"event":"progress","fraction":0.5}"#, .stdout, at: 130) == .progress)
        #expect(line(#"{"v":1,"t":120,"event":"progress","fraction":0.5}"#, .stderr, at: 130) == nil)
        let early = line(#"{"v":1,"t":140,"event":"progress","fraction":0.6}"#, .stdout, at: 130)
        #expect(early == nil, "it is yet to come")
        let late = line(#"{"v":1,"t":80,"event":"progress","fraction":0.6}"#, .stdout, at: 130)
        #expect(late == nil, "nothing ran then")
        #expect(line("50%", .stdout, at: 130) == nil)
        for text in [#"available","id":"a"}"#, #"error","id":"a"}"#, #"available","id":"a","fraction":0.7}"#] {
            #expect(line(#"{"v":1,"t":125,"event":""# + text, .stdout, at: 130) == .callback)
        }
        #expect(trace.client.misplacedLines == 2 && trace.client.strayLines == 0)
        var complaints = Complaints()
        for text in ["  ", "token=planted-token", String(repeating: "x", count: 9000)] { complaints.note(text.utf8) }
        var matches = ProgressMatches()
        matches.samples = [ProgressSample(at: 110, fraction: 0.1), ProgressSample(at: 250, fraction: 1)]
        trace.client.take(matches, of: nil, beside: complaints)
        #expect(trace.client.complaints.first == "token=[redacted]" && trace.client.complaints.count == 2)
        #expect(trace.client.complaints[1].utf8.count < 600)
        let progress = CommandOutcome(trace: trace).progress
        #expect(progress.map(\.fraction) == [0.1, 0.5, 0.7, 1] && progress.map(\.at) == [110, 120, 125, 200])
    }

    @Test(arguments: [(false, RequestOutcome.Result.available), (true, .noCallback)])
    func aProgramThatExitsWithZeroWhenStoppedHasNoCallback(timedOut: Bool, result: RequestOutcome.Result) {
        var trace = AttemptTrace()
        trace.exit = GuardedExit(status: .exited(0), timedOut: timedOut, endedNanoseconds: 200)
        #expect(CommandOutcome(trace: trace).outcome([]).result == result)
    }
}
