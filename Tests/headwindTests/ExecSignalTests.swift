import Glibc
import SystemPackage
import Testing

@testable import headwind

/// Signals to `headwind exec` while no program runs, and the descriptors that a series uses.
@Suite(.sideBySide, .serialized, .timeLimit(.minutes(3)))
struct ExecSignalTests {
    /// The program ends at once, so most signals arrive while none runs.
    @Test(arguments: ["packet", "proxy"]) func aSignalBetweenProgramsEndsTheSeries(backend: String) async throws {
        let answer = try await ExecRun.line(
            """
            $HW exec --backend \(backend) --profile lte --repeat 400 -- sh -c 'trap "" TERM; echo x >> n' & p=$!
            while ! test -s n; do sleep 0.01; done
            for k in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
                test $k -gt 1 && sleep 0.05; kill -TERM $p 2> /dev/null || break
            done
            wait $p; s=$?; test $s = 143 || test $s = 0; echo $?; test $(wc -l < n) -lt 100; echo $?
            """)
        #expect(answer.output == "0\n0\n", "\(answer.output) \(answer.errors)")
    }

    /// Python starts headwind, as a shell makes background processes ignore SIGINT.
    @Test func oneCtrlCIsEnoughAndTheStatusFileIsWritten() async throws {
        let answer = try await ExecRun.line(
            """
            python3 -c 'import os, signal, subprocess
            p = subprocess.Popen([os.environ["HW"], "exec", "--backend", "proxy", "--profile", "lte", "--repeat", "500",
                "--status-file", "s", "--", "true"], stderr=subprocess.PIPE)
            p.stderr.readline()
            p.send_signal(signal.SIGINT)
            p.stderr.read()
            print(p.wait())'
            grep -c '"cause" : "signal"' s
            """)
        #expect(answer.output == "130\n1\n", "\(answer.output) \(answer.errors)")
    }

    /// headwind cannot write its message, as the reader of its errors has stopped reading.
    @Test func aSecondSignalEndsAHangingRun() async throws {
        let answer = try await ExecRun.line(
            """
            mkfifo f; exec 8<> f
            $HW exec --profile lte -- sh -c 'dd if=/dev/zero bs=65536 count=1 >&2 2> /dev/null; echo x > ended' 2>&8 & p=$!
            while ! test -s ended; do sleep 0.02; done
            sleep 1; kill -TERM $p; sleep 0.7; kill -0 $p; echo $?; kill -TERM $p; wait $p; echo $?
            """)
        #expect(answer.output == "0\n143\n", "\(answer.errors)")
    }

    @Test func aSeriesTakesNoMoreDescriptorsThanARun() async throws {
        let answer = try await ExecRun.line(
            """
            : > n; : > seen
            $HW exec --profile lte --repeat 8 -- \\
                sh -c 'echo x >> n; while test $(wc -l < n) -gt $(wc -l < seen); do sleep 0.02; done' & p=$!
            for k in 1 2 3 4 5 6 7 8; do
                while test $(wc -l < n) -lt $k; do sleep 0.02; done
                sleep 0.2; ls /proc/$p/fd | wc -l >> counts; echo x >> seen
            done
            wait $p; echo $?; test $(sed -n 8p counts) -le $(($(sed -n 2p counts) + 3)); echo $?; cat counts >&2
            """)
        #expect(answer.output == "0\n0\n", "\(answer.errors)")
    }
}
