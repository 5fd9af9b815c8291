import Glibc
import LinkModel
import PackFormat
import PackHost
import Results
import Scenarios
import SystemPackage
import Testing

@testable import Harness
@testable import Links

/// Harnesses that are broken on purpose: none may judge the client, neither pass nor fail.
///
/// The scenario that they run passes with an intact harness; see `EndToEndTests`.
@Suite(.sideBySide, .timeLimit(.minutes(2)))
struct SabotageTests {
    /// Checks that a run blames the infrastructure, and which part of it.
    static func expect(
        _ result: RunResult, _ attribution: Attribution, location: SourceLocation = #_sourceLocation
    ) {
        #expect([75, 69, 65, 1].contains(result.exitCode), "\(result.text)", sourceLocation: location)
        #expect(result.attributions.contains(attribution), "\(result.text)", sourceLocation: location)
    }

    static let budgets = """
        budgets: {time_to_available: max <= 10 s, redundant_bytes: max <= 0, progress: [monotonic, ends at 1]}
        """

    // The link is not what the cell says.

    @Test func shapingOff() async throws {
        let bench = try Bench()
        let dependencies = AttemptDependencies.link { $0.conditions = LinkConditions() }
        // The link is so slow that a busy machine is faster.
        let slow = "link: {downlink: {rate: 400 kbit/s, delay: 10 ms}, uplink: {rate: 400 kbit/s, delay: 10 ms}}\n"
        Self.expect(try await bench.run(slow + Self.budgets, dependencies: dependencies), .fasterThanIdeal)
        Self.expect(try await bench.run(Self.budgets, dependencies: dependencies.calibrated), .delayOff)
    }

    /// Without a probe, and with a workload that has no ideal, the bytes themselves show it.
    @Test func shapingOffIsSeenInTheBytesAlone() async throws {
        let bench = try Bench()
        let dependencies = AttemptDependencies.link { $0.conditions = LinkConditions() }.unverified
        let text = """
            link: {downlink: {rate: 400 kbit/s, delay: 10 ms}, uplink: {rate: 20 Mbit/s, delay: 10 ms}}
            workload: [{sleep: 10 ms}, {request: {tags: [level.bin]}}]
            """
        Self.expect(try await bench.run(text, dependencies: dependencies), .rateOff)
    }

    /// If neither the probe nor the attempt measured the link, the attempt says nothing: it may have run over any link.
    @Test func nothingIsMeasured() async throws {
        let bench = try Bench()
        let result = try await bench.run("budgets: {redundant_bytes: max <= 0}", dependencies: .quiet.unverified)
        Self.expect(result, .linkUnverified)
        #expect(result.text.contains("unverified: the probe did not come back"), "\(result.text)")
    }

    @Test func rateOffByATenth() async throws {
        let bench = try Bench()
        let dependencies = AttemptDependencies.link { profile in
            guard let rate = profile.conditions.downlink.rate else { return }
            profile.conditions.downlink.rate = BitRate(bitsPerSecond: Int64(Double(rate.bitsPerSecond) * 1.1))
        }
        Self.expect(try await bench.run(Self.budgets, dependencies: dependencies.calibrated), .rateOff)
    }

    /// Losses do not keep a rate from being measured.
    @Test func rateOffByATenthWhereThereIsLoss() async throws {
        let bench = try Bench(packs: ["level.bin": 1000])
        let dependencies = AttemptDependencies.link { $0.conditions.downlink.rate = BitRate(bitsPerSecond: 4_400_000) }
        let text =
            "link: {downlink: {rate: 4 Mbit/s, delay: 10 ms, loss: 1 %}, uplink: {rate: 1 Mbit/s, delay: 10 ms}}"
        Self.expect(try await bench.run(text, dependencies: dependencies.calibrated), .rateOff)
    }

    @Test func delayOnOneDirectionOnly() async throws {
        let bench = try Bench()
        let dependencies = AttemptDependencies.link { profile in
            profile.conditions.uplink.delay += profile.conditions.downlink.delay
            profile.conditions.downlink.delay = .zero
        }
        let text = """
            link: {downlink: {rate: 20 Mbit/s, delay: 20 ms}, uplink: {rate: 20 Mbit/s, delay: 20 ms}}
            """
        Self.expect(try await bench.run(text, dependencies: dependencies.calibrated), .delayOff)
    }

    @Test func lossOff() async throws {
        let bench = try Bench(packs: ["level.bin": 1_000_000])
        let dependencies = AttemptDependencies.link { $0.conditions.downlink.loss = nil }
        let text =
            "link: {downlink: {rate: 20 Mbit/s, delay: 10 ms, loss: 4 %}, uplink: {rate: 20 Mbit/s, delay: 10 ms}}"
        Self.expect(try await bench.run(text, dependencies: dependencies), .lossOff)
        Self.expect(try await bench.run(text, dependencies: dependencies.calibrated), .lossOff)
    }

    @Test func calibrationEchoesItsInput() async throws {
        let bench = try Bench()
        var dependencies = AttemptDependencies.link { $0.conditions.downlink.delay += .milliseconds(30) }
        dependencies.calibrate = { calibration in
            let conditions = calibration.profile.conditions.downlink
            let (rate, delay) = (conditions.rate.map { Double($0.bitsPerSecond) }, conditions.delay.seconds)
            return [
                LinkMeasurement(.rate, .downlink, set: rate, measured: rate, toleranceRatio: 0.03, method: "echo"),
                LinkMeasurement(.delay, .downlink, set: delay, measured: delay, toleranceRatio: 0.05, method: "echo"),
            ]
        }
        Self.expect(try await bench.run(Self.budgets, dependencies: dependencies), .calibrationNotIndependent)
    }

    /// The outage that a download should survive is due after the download's end.
    @Test func faultThatIsNeverPlayed() async throws {
        let result = try await Bench().run(Self.budgets + "\nfaults: [{after: 1 GB, link: silent, for: 1 s}]")
        Self.expect(result, .faultNotPlayed)
    }

    /// A client that starts slowly meets no outage at the start, and is not to blame for that.
    @Test func outageThatIsOverBeforeTheFirstRequest() async throws {
        let result = try await Bench().run(
            """
            workload: [{sleep: 600 ms}, {request: {tags: [level.bin]}}]
            faults: [{after: start, link: refused, for: 300 ms}]
            expect: {error: {code: -1004}}
            """)
        Self.expect(result, .faultNotPlayed)
    }

    /// The client ends long before, while the oracle still judges.
    @Test func waitingFaultIsNotPlayedAfterTheEnd() async throws {
        let result = try await Bench().run(
            """
            workload: {command: 'curl -sf -o {output} {url}', pack: level.bin}
            faults: [{after: 1 B, wait: 500 ms, link: silent, for: 10 ms}]
            expect: {exit: 0, oracle: 'sleep 1.2'}
            """)
        Self.expect(result, .faultNotPlayed)
    }

    @Test func aPackChangesUnderTheHost() async throws {
        let bench = try Bench()
        var dependencies = AttemptDependencies.quiet
        dependencies.links.withLink = { backend, setup, place, body in
            try bench.write("packs/level.bin", Bench.content(100_000))
            try await backend.provider.withLink(setup, at: place, body)
        }
        Self.expect(try await bench.run("patience: 1 s", dependencies: dependencies), .hostFailed)
    }

    /// Holds whether the download succeeds or not.
    @Test(arguments: ["", "faults: [{pack: level.bin, status: 404}]\nexpect: {exit: 22}"])
    func noProgressIsReportedAtAll(rest: String) async throws {
        let result = try await Bench().run(
            """
            workload:
              command: [curl, -fsS, -o, "{output}", "{url}"]
              pack: level.bin
              progress: {from: stderr, match: '(\\d+)%'}
            budgets: {progress: [monotonic, ends at 1, honest within 1 %], progress_longest_gap: max <= 1 h}
            \(rest)
            """)
        Self.expect(result, .metricMissing)
        #expect(result.cells[0].findings.filter { $0.attribution == .metricMissing }.count == 4, "\(result.text)")
    }

    // The host or the link ends early.

    @Test func anotherServerHasThePort() async throws {
        let bench = try Bench()
        var dependencies = AttemptDependencies.quiet
        dependencies.withHost = { configuration, body in
            var configuration = configuration
            configuration.nonce = "of another run"
            try await withPackHost(configuration, body)
        }
        Self.expect(try await bench.run(Self.budgets, dependencies: dependencies), .staleServer)
    }

    @Test func hostDoesNotStart() async throws {
        let bench = try Bench()
        var dependencies = AttemptDependencies.quiet
        dependencies.withHost = { configuration, body in
            var configuration = configuration
            configuration.listener = .address("203.0.113.1", port: 0)
            try await withPackHost(configuration, body)
        }
        Self.expect(try await bench.run(Self.budgets, dependencies: dependencies), .hostDied)
    }

    /// The host stops answering between the harness's check and the client's request.
    @Test func hostDiesInMidRun() async throws {
        let bench = try Bench()
        let socket = try ListeningDescriptor()
        var dependencies = AttemptDependencies.host(on: socket)
        dependencies.links.withLink = { backend, setup, place, body in
            socket.shutDown()
            try await backend.provider.withLink(setup, at: place, body)
        }
        Self.expect(try await bench.run("patience: 1 s", dependencies: dependencies), .hostDied)
    }

    @Test func linkDiesInMidRun() async throws {
        let bench = try Bench(packs: ["level.bin": 2_000_000])
        var dependencies = AttemptDependencies.quiet
        dependencies.links.withLink = { backend, setup, place, body in
            try await backend.provider.withLink(setup, at: place) { link, entrance in
                let end = Task {
                    while try await link.use().payload.downlink < 200_000 {
                        try await Task.sleep(for: .milliseconds(1))
                    }
                    try await link.close()
                }
                defer { end.cancel() }
                try await body(link, entrance)
            }
        }
        Self.expect(try await bench.run("patience: 1 s", dependencies: dependencies), .linkDied)
    }
}
