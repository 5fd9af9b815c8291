import Foundation
import Testing

/// The control API of the built `headwind proxy`, with clients that try more than to change the link.
@Suite(.sideBySide, .timeLimit(.minutes(2)))
struct ProxyControlTests {
    private static let secret = "root:$6$secret:19000"

    /// A client that may change the link may not read files, whichever way a profile names one.
    @Test(arguments: [
        #"{"profile": "$PWD/private"}"#, #"{"profile": "./private"}"#, #"{"profile": "./private.yaml"}"#,
        #"{"profile": "private.yaml"}"#, #"{"profile": "/dev/zero"}"#,
        #"{"profile": {"profile": "sent", "source": "a test", "extends": "$PWD/private"}}"#,
        #"{"profile": {"profile": "sent", "source": "a test", "extends": "./private.yaml"}}"#,
        #"{"profile": {"profile": "sent", "source": "a test", "trace": {"downlink": "private"}}}"#,
        #"{"profile": {"profile": "sent", "source": "a test", "trace": {"uplink": "$PWD/private"}}}"#,
    ])
    func noFileIsRead(body: String) async throws {
        let said = try await StandingProxy.told(
            """
            cp private private.yaml
            standing
            ask "\(body.replacing("\"", with: "\\\""))"
            curl -s "$(at control)" | grep -E 'generation|"profile"'
            ended
            """, files: ["private": "\(Self.secret)\n7\n"])
        #expect(!said.contains("secret") && !said.contains("root") && !said.contains("is needed"), "\(said)")
        let reasons = ["never a file", "no file", "cannot read a file"]
        #expect(reasons.contains(where: said.contains), "\(said)")
        #expect(said.contains(#""generation" : 0"#) && said.contains(#""profile" : "3g""#), "\(said)")
    }

    /// A profile is a bundled one, the one at the start, or one in the request.
    @Test func aProfileIsNamedOrSent() async throws {
        let own = "profile: own\nsource: a test\ndownlink: {rate: 1 Mbit/s}\n"
        let said = try await StandingProxy.told(
            """
            standing --profile ./own.yaml
            for body in '{"profile": "edge"}' '{"profile": "own"}' \\
                '{"profile": {"profile": "sent", "source": "a test", "extends": "3g", "uplink": {"rate": "5 Mbit/s"}}}'
            do ask "$body" | grep -E '"(profile|rate)"'; done
            ask '{"profile": "5g"}'
            ask '{"profile": {
              "profile": "sent", "source": "a test",
              "downlink": {"raet": "1 Mbit/s"}}}'
            ended
            """, files: ["own.yaml": own])
        #expect(said.contains(#""profile" : "edge""#), "\(said)")
        #expect(said.contains(#""profile" : "own""#) && said.contains(#""rate" : "1 Mbit/s""#), "\(said)")
        #expect(said.contains(#""profile" : "sent""#) && said.contains(#""rate" : "5 Mbit/s""#), "\(said)")
        #expect(said.contains("headwind: body:1:13: there is no profile '5g'; did you mean '3g'?\n"), "\(said)")
        #expect(
            said.contains("headwind: body:3:16: there is no key 'raet' in a downlink; did you mean 'rate'?\n"),
            "\(said)")
    }

    /// The API accepts its own answers, and the output of 'profile show' can be sent, and used as a file.
    @Test func answersAndShownProfilesCanBeSent() async throws {
        let said = try await StandingProxy.told(
            """
            standing
            told() { python3 -c 'import json, sys; print(json.dumps({"conditions": json.load(sys.stdin)["conditions"]}))'; }
            curl -s "$(at control)" | told > answered
            ask '{"offline": "silent"}' > silent
            ask "$(cat answered)" | told | cmp - answered && ! told < silent | cmp -s - answered && echo same
            ask '{"conditions": {"downlink": {"queue": "50 packets", "loss": {"good-to-bad": "1 %", "bad-to-good": "25 %"}}, "dns-delay": "50 ms"}}' | told
            for name in bursty wifi-lte-tunnel flaky-lte; do
                "$HW" profile show $name --format json > $name.json
                "$HW" profile check ./$name.json
                ask "$(echo '{"profile":'; cat $name.json; echo '}')" | grep '"profile"'
            done
            ended
            """)
        #expect(said.hasPrefix("same\n"), "\(said)")
        #expect(
            said.contains(
                """
                {"conditions": {"dns-delay": "50 ms", "downlink": {"loss": {"bad-to-good": "25 %", "good-to-bad": "1 %", \
                "loss-in-bad": "100 %", "loss-in-good": "0 %"}, "queue": "50 packets"}}}

                """), "\(said)")
        for name in ["bursty", "wifi-lte-tunnel", "flaky-lte"] {
            #expect(said.contains("the profile '\(name)' is valid\n  \"profile\" : \"\(name)\""), "\(said)")
        }
    }

    /// The proxy's own connections come from this machine, which the control API trusts; its clients may be strangers.
    @Test(arguments: ["127.0.0.1", "0.0.0.0"])
    func noListenerLeadsToTheControlAPI(listen: String) async throws {
        let said = try await StandingProxy.told(
            """
            port=$(python3 -c 'import socket; s = socket.create_server(("", 0)); print(s.getsockname()[1])')
            standing --control \(listen):$port --reverse 127.0.0.1:0=127.0.0.1:$port
            reverse=$(sed -n 's/^reverse \\([^ ]*\\) .*/\\1/p' addresses)
            proxy_at=$(at forward); proxy_at=${proxy_at#http://}
            for host in 127.0.0.1 localhost 0.0.0.0 127.1 '[::ffff:127.0.0.1]' '[::ffff:0:0]' 2130706433 \\
                $([ \(listen) = 0.0.0.0 ] && echo 127.0.0.2 $(hostname -I | cut -d' ' -f1)); do
                for way in "-x http://" "-p -x http://" "-x socks5h://"; do
                    echo "$host $way: $(status -g $way$proxy_at -X PUT -d '{"offline": "silent"}' http://$host:$port/v1/link)"
                done
            done
            echo "reverse: $(status -X PUT -d '{"offline": "silent"}' http://$reverse/v1/link)"
            curl -s http://127.0.0.1:$port/v1/link | grep generation
            curl -s -x http://$proxy_at http://127.0.0.1:$port/v1/link
            ended; cat log
            """)
        let lines = said.split(separator: "\n")
        let asked = lines.filter { $0.contains("-x http://: ") || $0.contains("-x socks5h://: ") }
        #expect(asked.count >= 21)
        for line in asked where !line.contains("-p") && line.contains("http") && !line.contains("socks") {
            #expect(line.hasSuffix(": 403 000"), "\(line)")
        }
        for line in asked where line.contains("-p ") { #expect(line.contains(": 000 403 exit 56"), "\(line)") }
        for line in asked where line.contains("socks") { #expect(line.contains(": 000 000 exit 97"), "\(line)") }
        #expect(said.contains("reverse: 000 000 exit "), "\(said)")
        #expect(said.contains(#""generation" : 0"#), "\(said)")
        #expect(said.contains("headwind: The proxy does not connect to its own control API."), "\(said)")
    }
}
