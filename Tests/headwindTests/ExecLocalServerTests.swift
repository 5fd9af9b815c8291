import Glibc
import Testing

/// Servers of this machine are reached in the same way with every kind of link.
@Suite(.serialized, .timeLimit(.minutes(2)))
struct ExecLocalServerTests {
    @Test(
        "by its name, its address and a port on the program's loopback", arguments: ["packet", "proxy"], [false, true])
    func isReached(_ backend: String, _ isIPv6: Bool) async throws {
        let server = try LoopbackServer(body: Array("here".utf8), isIPv6: isIPv6)
        defer { server.close() }
        let port = server.port
        let answer = try await ExecRun.line(
            """
            exec $HW exec --backend \(backend) --profile wifi --forward \(port) -- sh -c '
                for host in host.headwind.internal 10.77.2.1 localhost; do curl -sS -m 20 http://$host:\(port)/; echo; done'
            """)
        #expect(answer.output == "here\nhere\nhere\n", "\(answer.errors)")
    }

    @Test(
        "despite the caller's proxies, which could not reach them", arguments: ["no_proxy=corp.example", "NO_PROXY="])
    func isReachedPastProxies(_ variable: String) async throws {
        let server = try LoopbackServer(body: Array("here".utf8))
        defer { server.close() }
        let port = server.port
        let answer = try await ExecRun.line(
            """
            export http_proxy=http://10.77.2.1:1 \(variable)
            exec $HW exec --backend packet --profile wifi --forward \(port) -- sh -c '
                curl -sS -m 20 http://host.headwind.internal:\(port)/; curl -sS -m 20 http://localhost:\(port)/
                echo " $no_proxy"; curl -s -m 20 http://elsewhere.example/; echo $?'
            """)
        let own = "localhost,127.0.0.1,::1,host.headwind.internal,10.77.2.1"
        let given = variable.hasPrefix("no_proxy") ? "corp.example," : ""
        // Everything else goes to the proxy, which does not exist.
        #expect(answer.output == "herehere \(given)\(own)\n7\n", "\(answer.errors)")
    }

    @Test(
        "and the caller's own exceptions stay",
        arguments: [
            ("no_proxy='*'", "* *"), ("NO_PROXY='*'", "* *"),
            ("no_proxy=a.example NO_PROXY=b.example", "a.example,OWN b.example,OWN"),
        ])
    func exceptionsStay(_ variables: String, _ expected: String) async throws {
        let answer = try await ExecRun.line(
            """
            unset no_proxy NO_PROXY; export http_proxy=http://10.77.2.1:1 \(variables)
            exec $HW exec --backend packet --profile wifi -- sh -c 'echo "$no_proxy $NO_PROXY"'
            """)
        let own = "localhost,127.0.0.1,::1,host.headwind.internal,10.77.2.1"
        #expect(answer.output == expected.replacing("OWN", with: own) + "\n", "\(answer.errors)")
    }

    @Test("a script without an interpreter is one of the shell's, as for env(1)", arguments: ["packet", "proxy"])
    func runsPlainScripts(_ backend: String) async throws {
        let answer = try await ExecRun.line(
            """
            printf 'echo "$# $2"\n' > plain; chmod +x plain
            exec $HW exec --backend \(backend) --profile wifi -- ./plain a 'b c'
            """)
        #expect(answer.status == 0 && answer.output == "2 b c\n", "\(answer.output) \(answer.errors)")
    }

    @Test("also where this machine has no default route", .needsRoot)
    func isReachedWithoutRoute() async throws {
        let answer = try await ExecRun.line(
            """
            exec unshare --net sh -c '
                ip link set lo up; printf here > f
                python3 -m http.server --bind 127.0.0.1 8123 >/dev/null 2>&1 & server=$!
                until curl -s -o got http://127.0.0.1:8123/f; do sleep 0.05; done
                $HW exec --profile wifi --status-file status --forward 8123 -- sh -c "
                    curl -sS -m 20 http://host.headwind.internal:8123/f; curl -sS -m 20 http://127.0.0.1:8123/f
                    curl -s -m 20 http://10.77.2.1:1/; echo \\$?; ping -c 1 -W 5 host.headwind.internal >/dev/null; echo \\$?"
                kill $server; grep backend status'
            """)
        #expect(answer.output.hasPrefix("herehere7\n0\n"), "\(answer.output) \(answer.errors)")
        #expect(answer.output.contains("\"backend\" : \"packet\""), "\(answer.output) \(answer.errors)")
    }

    @Test("by ping, even if users may not ping on this machine")
    func isPinged() async throws {
        let answer = try await ExecRun.line(
            "exec $HW exec --backend packet --profile wifi -- ping -c 2 -W 5 host.headwind.internal")
        #expect(answer.status == 0 && answer.output.contains("2 received"), "\(answer.output) \(answer.errors)")
    }

    @Test("where pasta is missing, doctor says what exec says", .needsRoot)
    func doctorAgrees() async throws {
        // A pasta that does nothing hides the real one.
        let answer = try await ExecRun.line(
            """
            mkdir bin; printf '#!/bin/sh\\nexit 3\\n' > bin/pasta; chmod +x bin/pasta; export PATH=$PWD/bin:$PATH
            $HW exec --backend packet --profile wifi -- true; echo $?
            $HW doctor | grep -c "It cannot connect to this machine's networks, as 'headwind exec' does: Could not connect"
            """)
        #expect(answer.output == "125\n2\n", "\(answer.output) \(answer.errors)")
        #expect(answer.errors.contains("Could not connect the sandbox to this machine's networks"))
    }
}
