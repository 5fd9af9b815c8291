import Glibc
import Testing

@testable import headwind

/// `headwind exec --backend kernel`: a program behind the queue disciplines of a router.
@Suite(.sideBySide, .serialized, .timeLimit(.minutes(2)))
struct ExecKernelTests {
    private func run(_ line: String) async throws -> ExecRun.Answer {
        let run = try ExecRun()
        defer { run.remove() }
        return try await run.run(
            """
            printf 'profile: slow\ntitle: Slow\nsummary: Slow.\nsource: A test.\ndownlink: {rate: 4 Mbit/s}\nuplink: {rate: 4 Mbit/s}\n' > slow.yaml
            \(line)
            """)
    }

    @Test func thisMachineIsReachedThroughTheQueues() async throws {
        let server = try LoopbackServer(body: Array(repeating: UInt8(ascii: "a"), count: 200_000))
        defer { server.close() }
        let port = server.port
        let answer = try await run(
            """
            exec $HW exec --backend kernel --profile ./slow.yaml --forward \(port) --status-file status -- sh -c '
                curl -sS http://host.headwind.internal:\(port)/ | wc -c
                curl -sS -o /dev/null -w "%{time_total}\\n" http://127.0.0.1:\(port)/'; cat status
            """)
        let lines = answer.output.split(separator: "\n")
        #expect(answer.status == 0 && lines.first == "200000", "\(answer)")
        // 200 kB with headers take 414 ms at 4 Mbit/s.
        let seconds = lines.dropFirst().first.flatMap { Double($0) } ?? 0
        #expect(seconds > 0.35 && seconds < 3, "\(answer)")
        #expect(
            answer.errors.contains("headwind: slow: 40") && !answer.errors.contains("WARNING"), "\(answer.errors)")
    }

    @Test func theLinkGoesSilentOnSchedule() async throws {
        let server = try LoopbackServer(body: Array("here".utf8))
        defer { server.close() }
        let url = "http://host.headwind.internal:\(server.port)/"
        let answer = try await run(
            """
            exec $HW exec --backend kernel --profile ./slow.yaml --at 600ms:offline=silent --at 2s:online -- sh -c '
                curl -s \(url); sleep 1; curl -s --max-time 0.3 \(url); echo $?; sleep 1.2; curl -s \(url)'
            """)
        #expect(answer.output == "here28\nhere", "\(answer.errors)")
    }

    @Test(arguments: [
        ("--profile flaky-lte", "the stall of the profile"),
        ("--profile ./slow.yaml --at 1s:offline=no-route", "'offline: no-route'"),
        ("--profile ./small.yaml", "an 'mtu' that changes"),
    ])
    func unsupportedPropertiesAreReportedBeforeAnythingRuns(options: String, words: String) async throws {
        let answer = try await run(
            """
            { sed 's/slow/small/' slow.yaml; echo 'changes: [{at: 2 s, mtu: 700}]'; } > small.yaml
            exec $HW exec --backend kernel \(options) -- sh -c 'echo ran'
            """)
        #expect(answer.status == 125 && answer.output.isEmpty, "\(answer)")
        #expect(answer.errors.contains(words) && answer.errors.contains("Use '--backend packet'"), "\(answer.errors)")
    }

    @Test func aFastLinkOfThePacketBackendIsReported() async throws {
        let answer = try await run(
            """
            sed 's/4 Mbit/800 Mbit/g; s/slow/fast/' slow.yaml > fast.yaml
            $HW exec --profile ./fast.yaml -- true && $HW exec --profile ./fast.yaml --capture c.pcapng -- true
            """)
        #expect(answer.status == 0, "\(answer)")
        let notes = answer.errors.split(separator: "\n").filter {
            $0.contains("500 Mbit/s") || $0.contains("because of its rate")
        }
        #expect(
            notes.count == 2 && notes[0].contains("the kernel's queues shape the link, because of its rate"),
            "\(answer.errors)")
        #expect(
            notes.last?.contains("cannot be used: its queues cannot select or record single packets") == true,
            "\(answer.errors)")
    }

    @Test(arguments: [
        ("./slow.yaml", "--capture file.pcapng"), ("./slow.yaml", "--schedule list"), ("./lossy.yaml", "--record b"),
    ])
    func optionsAboutSinglePacketsNeedThePacketBackend(profile: String, option: String) async throws {
        let answer = try await run(
            """
            sed 's/^downlink: {/&loss: 1 %, /; s/slow/lossy/' slow.yaml > lossy.yaml
            exec $HW exec --backend kernel --profile \(profile) \(option) -- sh -c 'echo ran'
            """)
        #expect(answer.status == 125 && answer.output.isEmpty, "\(answer)")
        #expect(answer.errors.contains("needs --backend packet"), "\(answer.errors)")
    }
}
