import Glibc
import Testing

/// `headwind proxy` with a client on another machine: a network namespace at the other end of a veth pair.
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

    @Test(.needsRoot) func limitsWhatARemoteClientReaches() async throws {
        let said = try await told(
            """
            standing --profile ./open.yaml --listen 10.9.0.1:8080 --allow 10.9.0.2 --allow-target localhost:3000 \\
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
        #expect(said.contains("to let them, start the proxy with --allow-target 127.0.0.1:3003."), "\(said)")
    }

    @Test(.needsRoot) func theControlAPIRequiresItsTokenBeyondLoopback() async throws {
        let said = try await told(
            """
            standing --profile ./open.yaml --listen 10.9.0.1:8080 --auth phone:secret --control 0.0.0.0:8081
            token=$(at control-token); [ ${#token} = 32 ] && grep -q "\\"controlToken\\" : \\"$token\\"" ready && echo "made"
            api=http://10.9.0.1:8081/v1/link
            echo "without $(remote $api)"
            echo "wrong $(remote -H "Authorization: Bearer $(echo $token | tr 0-9a-f 1-9a-f0)" $api)"
            echo "right $(remote -H "Authorization: Bearer $token" $api)"
            echo "through $(remote -U phone:secret -x http://10.9.0.1:8080 -H "Authorization: Bearer $token" $api)"
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

    @Test(.needsRoot) func theAllowedClientsAreReported() async throws {
        let said = try await told(
            """
            standing --profile ./open.yaml --listen 10.9.0.1:8080 --allow 10.9.0.2 --allow 10.9.1.0/24 \\
                --reverse 10.9.0.1:8082=10.9.0.2:3002
            proxy_at=http://10.9.0.1:8080
            for from in 10.9.0.2 10.9.0.3; do
                echo "$from through $(remote --interface $from -x $proxy_at http://10.9.0.2:3002/)"
                echo "$from tunnel $(remote --interface $from -p -x $proxy_at http://10.9.0.2:3002/)"
                echo "$from page $(remote --interface $from $proxy_at/)"
                echo "$from reverse $(remote --interface $from http://10.9.0.1:8082/)"
            done
            echo "here $(status -x $proxy_at http://10.9.0.2:3002/)"
            grep '^page' addresses; ended; cat log
            standing --profile ./open.yaml --listen 10.9.0.1:8080 --auth phone:secret
            for user in phone:secret phone:wrong; do
                echo "$user through $(remote -U $user -x $proxy_at http://10.9.0.2:3002/)"
                echo "$user socks $(remote -U $user -x socks5h://10.9.0.1:8080 http://10.9.0.2:3002/)"
                echo "$user page $(remote -u $user $proxy_at/) $(remote -U $user -x $proxy_at http://proxy/)"
            done
            echo "none through $(remote -x $proxy_at http://10.9.0.2:3002/)"
            echo "none page $(remote $proxy_at/)"
            echo "none file $(remote $proxy_at/proxy.pac)"
            cat addresses ready; ended; cat log
            """)
        for line in [
            "10.9.0.2 through 200", "10.9.0.2 tunnel 200", "10.9.0.2 page 200", "10.9.0.2 reverse 200",
            "10.9.0.3 through 403", "10.9.0.3 tunnel 000 exit 56", "10.9.0.3 page 403", "10.9.0.3 reverse 000 exit",
            "here 200 000", "page http://10.9.0.1:8080/", "to admit them, add --allow 10.9.0.3.",
            "phone:secret through 200", "phone:secret socks 200", "phone:secret page 200 200",
            "phone:wrong through 407", "phone:wrong socks 000 exit 97", "phone:wrong page 401 407",
            "none through 407", "none page 401", "none file 200",
        ] {
            #expect(said.contains(line), "\(line): \(said)")
        }
        // The secret is in the script's commands, and in no output of Headwind.
        #expect(!said.replacing("phone:secret", with: "").contains("secret"), "\(said)")
    }

    @Test(arguments: [
        ("--listen 0.0.0.0:0", "Choose who may connect from beyond loopback: --allow 192.168.1.0/24"),
        ("--listen [::]:0", "--auth user:password."), ("--listen 192.0.2.1:0", "--auth user:password."),
        ("--reverse 0.0.0.0:0=127.0.0.1:1", "A reverse listener asks for no password"),
        ("--reverse 1=127.0.0.1:1 --reverse [::]:0=127.0.0.1:1 --auth a:b", "such as --allow 192.168.1.0/24"),
        ("--auth pa55word", "Could not read --auth: a user and a password have"),
        ("--auth :pa55word", "1 to 255 bytes"),
        ("--auth phone:", "1 to 255 bytes"), ("--allow 1.2.3.4/40", "not a number of bits from 0 to 32"),
        ("--control-token t", "needs a --control beyond loopback"),
        ("--control 127.0.0.1:0 --control-token t", "needs a --control beyond loopback"),
        ("--control 0.0.0.0:0 --control-token 'a b'", "The token of --control-token must be"),
        ("--allow-target ::1", "Write localhost:3000"), ("--allow-target a:b", "is not a port"),
    ])
    func unusableOptionsAreUsageErrors(options: String, reason: String) async throws {
        let answer = try await ExecRun.line("\"$HW\" proxy --profile 3g \(options)")
        #expect(answer.status == 64)
        #expect(answer.errors.contains(reason), "\(answer.errors)")
        #expect(!answer.errors.contains("a b") && !answer.errors.contains("pa55word"))
    }
}
