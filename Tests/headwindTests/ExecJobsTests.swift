import Glibc
import Testing

/// Runs of one program side by side.
@Suite(.serialized, .timeLimit(.minutes(2)))
struct ExecJobsTests {
    @Test("they run at once, with seeds that count up and an empty standard input", arguments: ["packet", "proxy"])
    func goOnAtOnce(_ backend: String) async throws {
        // Each run waits until all four are running.
        let answer = try await ExecRun.line(
            """
            mkdir here
            exec $HW exec --backend \(backend) --profile wifi --repeat 4 --jobs 4 --seed 7 --timeout 60s -- sh -c '
                cat; : > here/$$-$(date +%N)
                until [ $(ls here | wc -l) = 4 ]; do sleep 0.02; done; echo met'
            """)
        #expect(answer.status == 0 && answer.output == "met\nmet\nmet\nmet\n", "\(answer.output) \(answer.errors)")
        for number in 1...4 {
            #expect(answer.errors.contains("run \(number) of 4, seed \(6 + number): status 0"), "\(answer.errors)")
        }
    }

    @Test("the failure with the lowest number decides, and is recorded")
    func firstFailureDecides() async throws {
        let answer = try await ExecRun.line(
            """
            $HW exec --backend packet --profile wifi --repeat 6 --jobs 3 --record kept -- sh -c '
                mkdir one 2>/dev/null || mkdir two 2>/dev/null || { sleep 0.3; exit 4; }'
            echo $?; $HW replay kept --times 1 > replayed; echo $?
            """)
        #expect(answer.output == "4\n99\n", "\(answer.output) \(answer.errors)")
    }

    @Test("a failure ends the other runs, which do not count")
    func failureEndsOthers() async throws {
        let answer = try await ExecRun.line(
            """
            exec $HW exec --backend packet --profile wifi --repeat 50 --jobs 4 --until-fail -- sh -c '
                if mkdir one 2>/dev/null; then sleep 0.5; exit 5; fi; exec sleep 100'
            """)
        #expect(answer.status == 5, "\(answer.errors)")
        #expect(answer.errors.contains("status 5") && !answer.errors.contains("status 143"), "\(answer.errors)")
    }

    @Test("an interrupted run is no failure, and leaves no bundle", arguments: ["", "--jobs 2"])
    func interruptionIsNoFailure(_ option: String) async throws {
        let run = try ExecRun()
        defer { run.remove() }
        let process = try run.start(
            """
            $HW exec --backend packet --profile wifi --repeat 20 --until-fail --record kept \(option) -- \
                sh -c 'echo up >> ups; exec sleep 100' & echo $! > pid; wait $!; echo $?; ls
            """)
        try await run.wait(for: option.isEmpty ? "up\n" : "up\nup\n", in: "ups")
        let number = Int32(run.text("pid").trimmed) ?? 0
        try #require(number > 1)
        kill(number, SIGTERM)
        let answer = await run.finish(process)
        #expect(answer.output.hasPrefix("143\n"), "\(answer.output) \(answer.errors)")
        #expect(!answer.output.contains("kept"), "\(answer.output) \(answer.errors)")
    }

    @Test(
        "options that do not go together are refused",
        arguments: [
            "--jobs 2 -- true", "--repeat 2 --jobs 0 -- true", "--repeat 2 --jobs 65 -- true",
            "--repeat 2 --jobs 2 --capture c.pcapng -- true",
        ])
    func isRefused(_ options: String) async throws {
        let answer = try await ExecRun.line("exec $HW exec --profile wifi \(options)")
        #expect(answer.status == 125 && answer.errors.contains("--jobs"), "\(answer.errors)")
    }
}

extension String {
    fileprivate var trimmed: Substring { prefix { !$0.isWhitespace } }
}
