import Glibc
import Testing

/// Which backend `headwind run` chooses for its links, and what it says about the choice.
@Suite(.sideBySide, .serialized, .timeLimit(.minutes(3)))
struct RunBackendTests {
    /// Runs `line`, in which `$RUN` is the program with a scenario that takes no time.
    ///
    /// Repeats it while the machine is too busy (status 75).
    private func run(
        _ line: String, fidelity: String = "any", link: String = "downlink: {delay: 5 ms}, uplink: {delay: 5 ms}"
    ) async throws -> ExecRun.Answer {
        let run = try ExecRun()
        defer { run.remove() }
        return try await run.run(
            """
            mkdir packs tmp && chmod 0777 . tmp && printf abc > packs/a.bin && export TMPDIR=$PWD/tmp
            cat > quick.yaml <<'END'
            scenario: Quick
            packs: ./packs/
            link: {\(link), fidelity: \(fidelity)}
            workload: [{request: {tags: [a.bin]}}]
            budgets: {requests: each == 1}
            END
            RUN="$HW run quick.yaml"
            line() (
                \(line)
            )
            measured line
            """)
    }

    @Test func theFirstWorkingBackendIsUsed() async throws {
        let answer = try await run("exec $RUN --verbose")
        #expect(answer.output.contains("inline by packet (fidelity: packet)"), "\(answer.output)\(answer.errors)")
        #expect(answer.output.contains("1 link by packet (fidelity: packet), auto: the first that works here"))
        #expect(!answer.errors.contains("proxy"))
    }

    @Test func theRequestedBackendIsUsed() async throws {
        let proxied = try await run("exec $RUN --backend proxy")
        #expect(proxied.output.contains("1 link by proxy (fidelity: modelled), --backend proxy"), "\(proxied.output)")
        #expect(proxied.output.contains("times are not comparable with those over packets"))
        let named = try await run("exec $RUN --backend proxy", fidelity: "packet")
        #expect(named.output.contains("1 link by packet (fidelity: packet), as the scenario asks"), "\(named.output)")
        let modelled = try await run("exec $RUN --backend packet --format json", fidelity: "modelled")
        #expect(modelled.output.contains("\"fidelity_asked\" : \"modelled\""), "\(modelled.output)")
        #expect(modelled.output.contains("\"backend\" : \"proxy\""))
    }

    /// Needs root to imitate a machine without the packet backend.
    @Test(.needsRoot) func aMachineWithoutPackets() async throws {
        let nobody = "exec $CONFINE --tun 600 --user 65534 -- "
        let refusal =
            "A sandbox could not open the TUN device: this user may not open /dev/net/tun (its mode is 0600)."
        // The link has a stall, which no kernel's queues support either.
        let stalling = "downlink: {delay: 5 ms}, uplink: {delay: 5 ms}, stall: {every: 60 s, for: 10 ms}"
        let swapped = try await run(nobody + "$RUN", link: stalling)
        #expect(swapped.status == 0, "\(swapped.output)\(swapped.errors)")
        #expect(swapped.errors.contains("The proxy models the links, so times are not comparable with those"))
        #expect(swapped.errors.contains(refusal), "\(swapped.errors)")
        #expect(
            swapped.output.contains(
                "1 link by proxy (fidelity: modelled), auto: the packet backend cannot be used. \(refusal)"))
        #expect(swapped.output.contains("chmod 0666 /dev/net/tun"))

        for (line, fidelity) in [("$RUN", "packet"), ("$RUN --backend packet", "any")] {
            let refused = try await run(nobody + line, fidelity: fidelity, link: stalling)
            #expect(refused.status == 69, "\(refused.output)\(refused.errors)")
            #expect(
                refused.output.contains("but this machine cannot run the packet backend. \(refusal)"),
                "\(refused.output)")
            #expect(refused.output.contains("chmod 0666 /dev/net/tun"))
            #expect(refused.output.contains("0 attempts"))
        }
        // A link with rates alone needs only the kernel's queues, and no root.
        let rates = "downlink: {rate: 8 Mbit/s}, uplink: {rate: 8 Mbit/s}"
        let queued = try await run(nobody + "$RUN", link: rates)
        #expect(queued.status == 0, "\(queued.output)\(queued.errors)")
        #expect(
            queued.output.contains(
                "1 link by kernel (fidelity: packet), auto: the kernel's queues, because the packet backend cannot be used. \(refusal)"
            ),
            "\(queued.output)")
        let asked = try await run(nobody + "$RUN --backend kernel", fidelity: "packet", link: rates)
        #expect(asked.output.contains("1 link by kernel (fidelity: packet), --backend kernel"), "\(asked.output)")

        let doctor = try await run(nobody + "$HW doctor")
        #expect(doctor.output.contains(refusal), "\(doctor.output)")
        let modelled = try await run(nobody + "$RUN", fidelity: "modelled")
        #expect(!modelled.output.contains("TUN"))
    }
}
