import Foundation
import Glibc
import Testing

@testable import headwind

/// `headwind link` on a real interface of a network namespace, as root and as another user.
@Suite(.sideBySide, .serialized, .timeLimit(.minutes(5))) struct LinkCommandTests {
    static let users = ["", "--user 65534"]

    private func script(_ body: String, user: String = "") async throws -> ExecRun.Answer {
        let network = try LinkNetwork()
        defer { network.run.remove() }
        let answer = try await network.script(body, user: user)
        #expect(answer.status == 0, "\(answer.output)\(answer.errors)")
        return answer
    }

    /// The duration of a transfer, in seconds.
    private func seconds(_ name: String, in answer: ExecRun.Answer) throws -> Double {
        let line = try #require(
            answer.output.split(separator: "\n").first { $0.hasPrefix("\(name) ") }, "\(answer.output)\(answer.errors)")
        return try #require(Double(line.split(separator: " ")[1]))
    }

    /// 250 kB at 2 Mbit/s down and 125 kB at 1 Mbit/s up take a second each; excepted transfers take almost none.
    @Test(.needsRoot, arguments: users) func bothDirectionsAreShapedAndExceptionsAreNot(user: String) async throws {
        let answer = try await script(
            """
            $HW link apply eth0 --profile ./slow.yaml --except 5001 --except 10.9.0.3 || exit 1
            for place in "10.9.0.2 5000" "fd09::2 5000" "10.9.0.2 5001" "fd09::2 5001" "10.9.0.3 5000"; do
                python3 traffic.py down $place 250000
                python3 traffic.py up $place 125000
            done
            $HW link show --format json > show.json
            field "d[0]['download']['sent_bytes'] >= 500000 and d[0]['upload']['sent_bytes'] >= 250000" < show.json
            field "d[0]['profile'], d[0]['exceptions']" < show.json
            field "d[0]['conditions']['downlink'], d[0]['conditions']['uplink']['rate']" < show.json
            $HW link show eth0 | grep -E '^  (download|upload): [^,]*$'
            $HW link clear eth0 && same cleared
            python3 traffic.py down fd09::2 5000 250001
            """, user: user)
        for way in ["down", "up"] {
            for place in ["10.9.0.2-5000", "fd09::2-5000"] {
                let time = try seconds("\(way)-\(place)", in: answer)
                // Headers are extra, and a burst of three packets may pass at once; a busy machine takes longer.
                #expect((0.97...2.5).contains(time), "\(way) \(place): \(time)")
            }
            for place in ["10.9.0.2-5001", "fd09::2-5001", "10.9.0.3-5000"] {
                #expect(try seconds("\(way)-\(place)", in: answer) < 0.5, "\(way) \(place)")
            }
        }
        #expect(answer.output.contains("\nTrue\n('slow', ['5001', '10.9.0.3'])\n"), "\(answer.output)")
        #expect(
            answer.output.contains(
                """
                ({'rate': '2 Mbit/s'}, '1 Mbit/s')
                  download: 2 Mbit/s
                  upload: 1 Mbit/s

                """), "\(answer.output)")
        #expect(answer.output.contains("cleared: as before"), "\(answer.output)\(answer.errors)")
    }

    /// The watchdog is visible, survives the process that started it, and reverts: at its time, or at once after
    /// SIGTERM.
    @Test(.needsRoot, arguments: users) func theWatchdogReverts(user: String) async throws {
        let answer = try await script(
            """
            $HW link apply eth0 --profile slow.yaml --for 5s > said || exit 1
            pid=$($HW link show --format json | tee show.json | python3 -c "import json,sys; print(json.load(sys.stdin)['links'][0]['watchdog_pid'])")
            ps -o comm=,sid=,tty=,args= -p $pid | tr -s ' '
            [ "$(ps -o sid= -p $pid | tr -d ' ')" = $pid ] && echo own session
            grep -c "process $pid" said
            tc qdisc show dev eth0 | grep -c 'qdisc tbf 4857: root'
            ls -l /proc/$pid/fd/0 /proc/$pid/fd/1 /proc/$pid/fd/2 /proc/$pid/cwd | sed 's/.*-> //'
            for turn in $(seq 120); do grep -q '^State:.[^Z]' /proc/$pid/status 2> /dev/null || break; sleep 0.1; done
            same over
            [ -e /proc/$pid/stat ] && ! grep -q ' Z ' /proc/$pid/stat && echo still there
            $HW link apply eth0 --profile slow.yaml --for ever | head -1
            pid=$(pgrep -f 'link watch')
            kill -TERM $pid; sleep 0.5
            same told
            $HW link clear --all
            """, user: user)
        #expect(answer.output.contains("headwind-link "), "\(answer.output)\(answer.errors)")
        #expect(answer.output.contains(" headwind link watch --profile=slow.yaml --for=5s -- eth0"), "\(answer.output)")
        #expect(answer.output.contains("own session\n1\n1\n/\n/dev/null\n/dev/null\n/dev/null\n"), "\(answer.output)")
        #expect(answer.output.contains("over: as before"), "\(answer.output)\(answer.errors)")
        #expect(answer.output.contains("told: as before") && !answer.output.contains("still there"))
        #expect(answer.output.contains("until 'headwind link clear'; held by process"))
        #expect(answer.errors.contains("Headwind does not shape any interface."))
    }

    /// Every error is one sentence with a status, and changes nothing.
    @Test(.needsRoot) func errorsAreReportedAndChangeNothing() async throws {
        let rows: [(arguments: String, status: Int32, words: String)] = [
            ("nope0 --profile slow.yaml", 65, "no interface of that name"),
            ("a-name-that-is-too-long --profile slow.yaml", 65, "the maximum is 15"),
            ("'a b' --profile slow.yaml", 65, "white space"),
            ("eth0 --profile nope", 65, "nope"),
            ("eth0 --profile offline", 65, "'offline: no-route': its queues drop packets"),
            ("eth0 --profile flaky-lte", 65, "the stall of the profile"),
            ("eth0 --profile wide.yaml", 65, "the jitter of the downlink, 3 s: the kernel would"),
            ("eth0 --profile wide.yaml", 65, "the jitter of the uplink, 3 s: the kernel would"),
            ("eth0 --profile narrow.yaml", 65, "ip link set eth0 mtu 1000"),
            ("eth0 --profile slow.yaml --except 10.0.0.1/8", 65, "did you mean 10.0.0.0/8?"),
            ("eth0 --profile slow.yaml --except 10.0.0.0/33", 65, "must be 0 to 32"),
            ("eth0 --profile slow.yaml --except 70000", 65, "from 1 to 65535"),
            ("eth0 --profile slow.yaml --except 0", 65, "from 1 to 65535"),
            ("eth0 --profile slow.yaml --except ssh", 65, "a port such as 22"),
            ("eth0 --profile slow.yaml --for 10", 65, "no unit"),
            ("eth0 --profile slow.yaml --for 0s", 65, "between 1 s and 8760 h"),
            ("eth0 --profile slow.yaml --for 9000h", 65, "between 1 s and 8760 h"),
            ("lo --profile slow.yaml", 65, "loopback"),
        ]
        let network = try LinkNetwork()
        defer { network.run.remove() }
        try network.write(
            "profile: wide\nsource: x\ndownlink: {delay: 4 s, jitter: 3 s}\nuplink: {delay: 4 s, jitter: 3 s}\n",
            to: "wide.yaml")
        try network.write("profile: narrow\nsource: x\nmtu: 1000\ndownlink: {rate: 1 Mbit/s}\n", to: "narrow.yaml")
        let lines = rows.map { "$HW link apply \($0.arguments) 2>&1; echo \"status $?\"; echo ---" }
        let answer = try await network.script(lines.joined(separator: "\n") + "\nsame all")
        let parts = answer.output.components(separatedBy: "---\n")
        for (row, said) in zip(rows, parts) {
            #expect(said.contains(row.words) && said.hasSuffix("status \(row.status)\n"), "\(row): \(said)")
            #expect(!said.contains("Fatal") && said.split(separator: "\n").count == 2, "\(row): \(said)")
        }
        #expect(answer.output.hasSuffix("all: as before\n"), "\(answer.output.suffix(500))\(answer.errors)")
    }

    @Test(.needsRoot) func missingPartsOfThisMachineAreReported() async throws {
        let answer = try await script(
            """
            $CONFINE --user 65534 -- $HW link apply eth0 --profile ./slow.yaml 2>&1; echo "status $?"
            tc qdisc add dev lo root netem delay 1ms 2> /dev/null && tc qdisc del dev lo root ||
                { $HW link apply eth0 --profile 3g 2>&1; echo "status $?"; }
            same all
            tc qdisc add dev eth0 ingress; state > before
            $HW link apply eth0 --profile slow.yaml --replace 2>&1; echo "status $?"
            same ingress
            tc qdisc del dev eth0 ingress; tc qdisc add dev eth0 clsact; state > before
            $HW link apply eth0 --profile slow.yaml --replace 2>&1; echo "status $?"
            same clsact
            """)
        #expect(
            answer.output.contains("This needs CAP_NET_ADMIN") && answer.output.contains("status 77\nstatus") == false)
        #expect(answer.output.contains("status 77"), "\(answer.output)")
        for name in ["all", "ingress", "clsact"] {
            #expect(answer.output.contains("\(name): as before"), "\(answer.output)")
        }
        #expect(answer.output.contains("another program has a queue of the kind clsact there"), "\(answer.output)")
        #expect(answer.output.components(separatedBy: "status 69").count >= 3, "\(answer.output)")
    }
}
