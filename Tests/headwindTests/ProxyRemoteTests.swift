import Glibc
import Testing

/// `headwind proxy` and a client on another machine, which is a network namespace at the other end of a cable.
@Suite(.sideBySide, .timeLimit(.minutes(2)))
struct ProxyRemoteTests {
    private static let open = "profile: open\nsource: a test\n"

    private func told(_ script: String) async throws -> String {
        let servers = """
            serve() { $1 python3 -m http.server $3 --bind $2 > /dev/null 2>&1 & }
            serve "" 127.0.0.1 3000; serve "" 10.9.0.1 3001; serve "" 127.0.0.1 3003; serve "$PEER" 10.9.0.2 3002
            for place in "127.0.0.1 3000" "10.9.0.1 3001" "10.9.0.2 3002" "127.0.0.1 3003"; do
                for turn in $(seq 500); do python3 -c "import socket; socket.create_connection(('${place% *}', ${place#* }))" \\
                    2> /dev/null && break; done
            done
            remote() { $PEER curl -s -m 10 -o /dev/null -w '%{http_code}' "$@" || echo " exit $?"; echo; }

            """
        return try await LinkNetwork.told(
            StandingProxy.prelude + servers + script, files: ["open.yaml": Self.open])
    }

    @Test(.needsRoot) func aClientOnAnotherMachineReachesOnlyWhatItMay() async throws {
        let said = try await told(
            """
            standing --profile ./open.yaml --listen 10.9.0.1:8080 --allow-target localhost:3000 \\
                --reverse 10.9.0.1:8082=127.0.0.1:3003
            for target in 127.0.0.1:3000 localhost:3000 10.9.0.2:3002 127.0.0.1:3003 localhost:3003 0.0.0.0:3003 127.1:3003 \\
                10.9.0.1:3001 [::ffff:10.9.0.1]:3001 10.9.0.1:8082 169.254.1.1:80 [fd09::1]:3001 [fe80::1]:80; do
                echo "remote $target $(remote -g -x http://10.9.0.1:8080 http://$target/)"
            done
            for target in 127.0.0.1:3003 10.9.0.1:3001; do
                echo "local $target $(status -x http://10.9.0.1:8080 http://$target/)"
            done
            echo "reverse $(remote http://10.9.0.1:8082/)"
            $PEER curl -s -x http://10.9.0.1:8080 http://127.0.0.1:3003/
            ended; cat log
            """)
        for target in ["127.0.0.1:3000", "localhost:3000", "10.9.0.2:3002"] {
            #expect(said.contains("remote \(target) 200\n"), "\(said)")
        }
        for target in [
            "127.0.0.1:3003", "localhost:3003", "0.0.0.0:3003", "127.1:3003", "10.9.0.1:3001", "[::ffff:10.9.0.1]:3001",
            "10.9.0.1:8082", "169.254.1.1:80", "[fd09::1]:3001", "[fe80::1]:80",
        ] {
            #expect(said.contains("remote \(target) 403\n"), "\(said)")
        }
        #expect(said.contains("local 127.0.0.1:3003 200 ") && said.contains("local 10.9.0.1:3001 200 "), "\(said)")
        #expect(said.contains("reverse 200\n"), "\(said)")
        #expect(said.contains("start the proxy with --allow-target 127.0.0.1:3003 to let them."), "\(said)")
    }

    @Test(.needsRoot) func theControlAPIBeyondLoopbackAsksForItsToken() async throws {
        let said = try await told(
            """
            standing --profile ./open.yaml --listen 10.9.0.1:8080 --control 0.0.0.0:8081
            token=$(at control-token); [ ${#token} = 32 ] && grep -q "\\"controlToken\\" : \\"$token\\"" ready && echo "made"
            api=http://10.9.0.1:8081/v1/link
            echo "without $(remote $api)"
            echo "wrong $(remote -H "Authorization: Bearer $(echo $token | tr 0-9a-f 1-9a-f0)" $api)"
            echo "right $(remote -H "Authorization: Bearer $token" $api)"
            echo "through $(remote -x http://10.9.0.1:8080 -H "Authorization: Bearer $token" $api)"
            echo "here $(status $api)"
            echo "loopback $(status http://127.0.0.1:8081/v1/link)"
            $PEER curl -s -i $api | grep -i www-authenticate
            ended
            HEADWIND_CONTROL_TOKEN=of-the-environment standing --control 0.0.0.0:8081
            echo "given $(remote -H "Authorization: Bearer of-the-environment" $api)"
            cat addresses ready; ended
            standing --control 0.0.0.0:8081 --control-token of-the-option
            echo "given $(remote -H "Authorization: Bearer of-the-option" $api)"
            cat addresses ready; ended; cat log
            """)
        for line in [
            "made", "without 401", "wrong 401", "right 200", "through 403", "here 401 000", "loopback 200 000",
            "WWW-Authenticate: Bearer", "given 200",
        ] {
            #expect(said.contains(line), "\(line): \(said)")
        }
        #expect(said.split(separator: "given 200").count == 3, "\(said)")
        #expect(!said.contains("of-the-"), "\(said)")
    }

    @Test(arguments: [
        ("--control-token t", "for a --control beyond loopback"),
        ("--control 127.0.0.1:0 --control-token t", "for a --control beyond loopback"),
        ("--control 0.0.0.0:0 --control-token 'a b'", "The token of --control-token has to be"),
        ("--allow-target ::1", "Write localhost:3000"), ("--allow-target a:b", "is no port"),
    ])
    func whatCannotBeIsUsage(options: String, reason: String) async throws {
        let answer = try await ExecRun.line("\"$HW\" proxy --profile 3g \(options)")
        #expect(answer.status == 64)
        #expect(answer.errors.contains(reason), "\(answer.errors)")
        #expect(!answer.errors.contains("a b"))
    }
}
