import Glibc
import SystemPackage
import Testing

@testable import headwind

@Suite(.serialized, .timeLimit(.minutes(3))) struct ExecCellTests {
    /// Runs a line and removes what it left.
    private func run(_ line: String) async throws -> ExecRun.Answer {
        let run = try ExecRun()
        defer { run.remove() }
        return try await run.run(line)
    }

    @Test(
        arguments: [
            ("sh -c 'exit 0'", 0), ("sh -c 'exit 7'", 7), ("sh -c 'exit 125'", 125), ("sh -c 'kill -9 $$'", 137),
            ("no-such-program-anywhere", 127), ("/etc/passwd", 126),
        ] as [(String, Int32)])
    func theStatusIsThePrograms(command: String, status: Int32) async throws {
        let answer = try await run("exec $HW exec --backend packet --profile lte -- \(command)")
        #expect(answer.status == status, "\(answer.errors)")
        if status > 125, status < 128 { #expect(answer.errors.contains("could not run")) }
    }

    @Test func folderFilesStreamsAndUserAreTheCallers() async throws {
        let run = try ExecRun()
        defer { run.remove() }
        let script = "pwd; id -u; umask; cat; echo x > made; echo error >&2; cat <&5; echo $MARK"
        let answer = try await run.run(
            "umask 027; echo five > five; echo typed | MARK=set $HW exec --profile lte -- sh -c '\(script)' 5< five")
        #expect(answer.status == 0)
        #expect(answer.output == "\(run.folder)\n\(getuid())\n0027\ntyped\nfive\nset\n")
        #expect(answer.errors.hasPrefix("error\n"))
        #expect(run.text("made") == "x\n")
    }

    @Test func thisMachineIsReachedByItsNameAndByForwardedPorts() async throws {
        let server = try LoopbackServer(body: Array(repeating: UInt8(ascii: "a"), count: 20_000))
        defer { server.close() }
        let port = server.port
        let answer = try await run(
            """
            exec $HW exec --backend packet --profile lte --forward \(port) -- sh -c '
                curl -sS http://host.headwind.internal:\(port)/ | wc -c; curl -sS http://127.0.0.1:\(port)/ | wc -c
                curl -sS --noproxy "*" http://10.77.2.1:\(port)/ | wc -c; cat /proc/net/dev | grep -c link0'
            """)
        #expect(answer.output == "20000\n20000\n20000\n1\n", "\(answer.errors)")
        #expect(answer.errors.contains("lte: 60"))
        #expect(!answer.errors.contains("WARNING"))
    }

    @Test func aPortWhereNobodyListensRefuses() async throws {
        let server = try LoopbackServer(body: [])
        server.close()
        let port = server.port
        let answer = try await run(
            """
            exec $HW exec --backend packet --profile lte -- sh -c '
                curl -s http://host.headwind.internal:\(port)/; echo $?; curl -s http://127.0.0.1:\(port)/; echo $?'
            """)
        // CURLE_COULDNT_CONNECT, at once.
        #expect(answer.output == "7\n7\n", "\(answer.errors)")
        #expect(answer.errors.contains("flow"))
    }

    @Test func aLinkThatNothingCrossedIsWarnedOf() async throws {
        let answer = try await run("exec $HW exec --backend packet --profile lte -- true")
        #expect(answer.errors.contains("WARNING: nothing crossed the link"))
    }

    @Test func theLinkGoesOfflineAndComesBack() async throws {
        let server = try LoopbackServer(body: Array("here".utf8))
        defer { server.close() }
        let url = "http://host.headwind.internal:\(server.port)/"
        let answer = try await run(
            """
            exec $HW exec --profile lte --at 600ms:offline --at 2s:online -- sh -c '
                curl -s \(url); sleep 1; curl -s --max-time 0.3 \(url); echo $?; sleep 1.2; curl -s \(url)'
            """)
        #expect(answer.output == "here28\nhere", "\(answer.errors)")
    }

    @Test(arguments: [("TERM", 3), ("USR1", 4), ("INT", 5)] as [(String, Int32)])
    func signalsReachTheProgram(name: String, status: Int32) async throws {
        let run = try ExecRun()
        defer { run.remove() }
        let process = try run.start(
            "exec $HW exec --profile lte -- sh -c 'trap \"exit \(status)\" \(name); echo ready; "
                + "while :; do sleep 0.02; done'")
        try await run.wait(for: "ready", in: "output")
        kill(process.processID, ["TERM": SIGTERM, "USR1": SIGUSR1, "INT": SIGINT][name] ?? 0)
        let answer = await run.finish(process)
        #expect(answer.status == status, "\(answer.errors)")
    }

    @Test func itsTimeEndsTheProgramAndAllOfIt() async throws {
        let answer = try await run(
            "$HW exec --profile lte --timeout 300ms --status-file s -- sh -c 'sleep 60; true'; echo $?; cat s")
        #expect(answer.output.hasPrefix("124\n"))
        #expect(answer.output.contains("\"cause\" : \"timeout\""))
        #expect(answer.output.contains("\"backend\" : \"packet\""))
    }

    @Test func repeatsUntilItFails() async throws {
        let answer = try await run(
            "$HW exec --profile lte --seed 5 --repeat 9 --until-fail -- "
                + "sh -c 'echo x >> n; test $(wc -l < n) -lt 3'; echo $?; wc -l < n")
        #expect(answer.output == "1\n3\n")
        #expect(answer.errors.contains("run 3 of 9, seed 7: status 1"))
    }

    @Test func whatCrossesIsCaptured() async throws {
        let server = try LoopbackServer(body: Array("here".utf8))
        defer { server.close() }
        let answer = try await run(
            """
            $HW exec --profile lte --capture c.pcapng -- curl -s http://host.headwind.internal:\(server.port)/
            od -A n -t x1 -N 4 c.pcapng
            ! command -v tshark > /dev/null || tshark -r c.pcapng -Y 'http.request' | grep -q 'GET / HTTP'
            echo $?
            """)
        #expect(answer.output == "here 0a 0d 0d 0a\n0\n", "\(answer.errors)")
    }

    @Test func theCallersProxiesAreKept() async throws {
        let answer = try await run(
            "http_proxy=http://p:1 exec $HW exec --backend packet --profile lte -- sh -c 'echo $http_proxy'")
        #expect(answer.output == "http://p:1\n")
    }

    @Test func nothingOfItIsLeft() async throws {
        let answer = try await run("exec $HW exec --profile lte -- sh -c 'sleep 61.25 & sleep 61.25 & true'")
        #expect(answer.status == 0)
        let left = try await run("ps -A -o args | grep -c '[s]leep 61.25'")
        #expect(left.output == "0\n")
    }

    /// Needs root to play another machine.
    @Test func worksWithoutPrivilegesAndSaysWhyItCannotElse() async throws {
        guard getuid() == 0 else { return }
        let server = try LoopbackServer(body: Array("here".utf8))
        defer { server.close() }
        let command =
            "sh -c 'id -u; curl -sS http://host.headwind.internal:\(server.port)/; curl -s http://127.0.0.1:1/'"
        let allowed = try await run(
            "exec $CONFINE --tun 666 --user 65534 -- $HW exec --backend packet --profile lte -- \(command)")
        #expect(allowed.output == "65534\nhere", "\(allowed.errors)")

        let proxied = try await run(
            "exec $CONFINE --tun 600 --user 65534 -- $HW exec --profile lte -- sh -c 'exit 3'")
        #expect(proxied.status == 3)
        #expect(proxied.errors.contains("the link is a proxy, as packets cannot be had: "), "\(proxied.errors)")
        #expect(proxied.errors.contains("/dev/net/tun"))

        let insisted = try await run(
            "exec $CONFINE --tun 600 --user 65534 -- $HW exec --backend packet --profile lte -- true")
        #expect(insisted.status == 125)
        #expect(insisted.errors.contains("chmod 0666 /dev/net/tun"))
    }
}
