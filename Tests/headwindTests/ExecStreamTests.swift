import Testing

@testable import headwind

/// The descriptors that a program of `headwind exec` inherits, and the streams that Headwind writes to.
@Suite(.serialized, .timeLimit(.minutes(2))) struct ExecStreamTests {
    @Test func allDescriptorsAreInheritedOrTheRunIsRefused() async throws {
        let script =
            "import os, sys; os.closerange(3, 400); [os.dup2(0, n) for n in range(3, int(sys.argv[1]))]; "
            + "[os.set_inheritable(n, True) for n in range(3, int(sys.argv[1]))]; os.execvp(sys.argv[2], sys.argv[2:])"
        let answer = try await ExecRun.line(
            """
            python3 -c '\(script)' 93 $HW exec --profile lte -- python3 -c 'import os
            print(sum(os.path.exists("/proc/self/fd/%d" % n) for n in range(93)))'
            python3 -c '\(script)' 300 $HW exec --profile lte -- touch ran; echo $?; ls ran
            """)
        #expect(answer.output == "93\n125\n", "\(answer.errors)")
        #expect(answer.errors.contains("CMD would inherit 300 open descriptors, and a sandbox passes on at most 253."))
    }

    @Test(arguments: ["packet", "proxy"]) func aClosedReaderChangesNothing(backend: String) async throws {
        let answer = try await ExecRun.line(
            """
            mkfifo f; exec 8<> f 9> f 8>&-
            $HW exec --backend \(backend) --profile lte --status-file s --record b -- \
                sh -c 'yes 2> /dev/null | true; sed -n "s/^SigIgn:.*\\(.\\)...$/\\1/p" /proc/self/status; exit 3' 2>&9; echo $?
            grep -c '"status" : 3' s; ls b/bundle.json
            """)
        #expect(
            answer.output == "0\n3\n1\nb/bundle.json\n", "\(answer.output) \(answer.errors)")
    }
}
