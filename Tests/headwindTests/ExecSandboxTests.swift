import Glibc
import SystemPackage
import Testing

@testable import headwind

@Suite(.sideBySide, .serialized, .timeLimit(.minutes(3))) struct ExecSandboxTests {
    @Test(
        arguments: [
            ("sh -c 'exit 0'", 0), ("sh -c 'exit 7'", 7), ("sh -c 'exit 125'", 125), ("sh -c 'kill -9 $$'", 137),
            ("no-such-program-anywhere", 127), ("/etc/passwd", 126),
        ] as [(String, Int32)])
    func theStatusIsThatOfTheProgram(command: String, status: Int32) async throws {
        let answer = try await ExecRun.line("exec $HW exec --backend packet --profile lte -- \(command)")
        #expect(answer.status == status, "\(answer.errors)")
        if status > 125, status < 128 { #expect(answer.errors.contains("could not run")) }
    }

    @Test func theProgramHasTheCallersFolderStreamsAndUser() async throws {
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
        let answer = try await ExecRun.line(
            """
            exec $HW exec --backend packet --profile lte --forward \(port) -- sh -c '
                curl -sS http://host.headwind.internal:\(port)/ | wc -c; curl -sS http://127.0.0.1:\(port)/ | wc -c
                curl -sS --noproxy "*" http://10.77.2.1:\(port)/ | wc -c; cat /proc/net/dev | grep -c link0'
            """)
        #expect(answer.output == "20000\n20000\n20000\n1\n", "\(answer.errors)")
        #expect(answer.errors.contains("lte: 60"))
        #expect(!answer.errors.contains("WARNING"))
    }

    @Test func aPortWithoutAListenerRefuses() async throws {
        let server = try LoopbackServer(body: [])
        server.close()
        let port = server.port
        let answer = try await ExecRun.line(
            """
            exec $HW exec --backend packet --profile lte -- sh -c '
                curl -s http://host.headwind.internal:\(port)/; echo $?; curl -s http://127.0.0.1:\(port)/; echo $?'
            """)
        // Both exit at once with CURLE_COULDNT_CONNECT.
        #expect(answer.output == "7\n7\n", "\(answer.errors)")
        #expect(answer.errors.contains("flow"))
    }

    @Test func anUnusedLinkIsWarnedOf() async throws {
        let answer = try await ExecRun.line("exec $HW exec --backend packet --profile lte -- true")
        #expect(answer.errors.contains("WARNING: nothing crossed the link"))
    }

    @Test func theLinkGoesOfflineAndComesBack() async throws {
        let server = try LoopbackServer(body: Array("here".utf8))
        defer { server.close() }
        let url = "http://host.headwind.internal:\(server.port)/"
        let answer = try await ExecRun.line(
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

    @Test func theTimeLimitEndsTheProgramAndItsChildren() async throws {
        let answer = try await ExecRun.line(
            "$HW exec --profile lte --timeout 300ms --status-file s -- sh -c 'sleep 60; true'; echo $?; cat s")
        #expect(answer.output.hasPrefix("124\n"))
        #expect(answer.output.contains("\"cause\" : \"timeout\""))
        #expect(answer.errors.contains("CMD was stopped: its time limit (--timeout) expired."), "\(answer.errors)")
        #expect(answer.output.contains("\"backend\" : \"packet\""))
    }

    @Test func repeatsUntilItFails() async throws {
        let answer = try await ExecRun.line(
            "$HW exec --profile lte --seed 5 --repeat 9 --until-fail -- "
                + "sh -c 'echo x >> n; test $(wc -l < n) -lt 3'; echo $?; wc -l < n")
        #expect(answer.output == "1\n3\n")
        #expect(answer.errors.contains("run 3 of 9, seed 7: status 1"))
    }

    @Test func packetsOnTheLinkAreCaptured() async throws {
        let server = try LoopbackServer(body: Array("here".utf8))
        defer { server.close() }
        let answer = try await ExecRun.line(
            """
            $HW exec --profile lte --capture c.pcapng --keep-secrets -- curl -s http://host.headwind.internal:\(server.port)/
            od -A n -t x1 -N 4 c.pcapng
            ! command -v tshark > /dev/null || tshark -r c.pcapng -Y 'http.request' | grep -q 'GET / HTTP'
            echo $?
            """)
        #expect(answer.output == "here 0a 0d 0d 0a\n0\n", "\(answer.errors)")
    }

    @Test func theCallersProxiesAreKept() async throws {
        let answer = try await ExecRun.line(
            "http_proxy=http://p:1 exec $HW exec --backend packet --profile lte -- sh -c 'echo $http_proxy'")
        #expect(answer.output == "http://p:1\n")
    }

    @Test func backgroundProcessesEndWithTheProgram() async throws {
        let answer = try await ExecRun.line("exec $HW exec --profile lte -- sh -c 'sleep 61.25 & sleep 61.25 & true'")
        #expect(answer.status == 0)
        let left = try await ExecRun.line("ps -A -o args | grep -c '[s]leep 61.25'")
        #expect(left.output == "0\n")
    }

    /// Shell functions that find pasta, where `$p` is headwind.
    ///
    /// Headwind's only child is the cell's first process; a child of that process runs pasta.
    private static let pasta = """
        child() { ps --ppid $1 -o pid=,comm= | awk -v name=$2 'index($2, name) == 1 { print $1 }'; }
        pasta() { for k in $(child $(child $p headwind-init) headwind-init); do child $k pas; done; }
        """

    @Test func aKilledHeadwindLeavesNothing() async throws {
        let answer = try await ExecRun.line(
            """
            \(Self.pasta)
            $HW exec --backend packet --profile lte -- sh -c 'echo ready > ready; sleep 61.5' & p=$!
            while ! test -s ready; do sleep 0.02; done
            ps --ppid $p -o comm=; pasta=$(pasta); kill -0 $pasta && echo carried
            kill -9 $p; sleep 0.5; kill -0 $pasta || ps -A -o args | grep -c '^[s]leep 61.5'
            """)
        #expect(answer.output == "headwind-init\ncarried\n0\n", "\(answer.errors)")
    }

    @Test func aKilledPastaIsHeadwindsFailure() async throws {
        let answer = try await ExecRun.line(
            """
            \(Self.pasta)
            $HW exec --backend packet --profile lte -- sh -c 'echo ready > ready; sleep 1' & p=$!
            while ! test -s ready; do sleep 0.02; done
            kill -9 $(pasta); wait $p; echo $?
            """)
        #expect(answer.output == "125\n")
        #expect(answer.errors.contains("pasta has ended"), "\(answer.errors)")
    }

    /// Runs as root in its own network, with a resolver on loopback.
    ///
    /// Covers IPv4, IPv6, UDP and TCP.
    @Test(.needsRoot) func namesAreResolvedByThisMachinesResolverOverTheLink() async throws {
        let run = try ExecRun()
        defer { run.remove() }
        for (name, text) in [("dns.py", Self.resolver), ("client.py", Self.client)] {
            let script = try FileDescriptor.open(
                run.folder.appending(name), .writeOnly, options: .create, permissions: .ownerReadWrite)
            try script.closeAfter { _ = try script.writeAll(text.utf8) }
        }
        let answer = try await run.run(
            """
            unshare -n -m sh -c '
                ip link set lo up; ip tuntap add d0 mode tun; ip address add 192.0.2.2/24 dev d0; ip link set d0 up
                ip -6 address add 2001:db8::2/64 dev d0; ip route add default via 192.0.2.1
                ip -6 route add default via 2001:db8::1; ip address add 192.0.2.50/32 dev lo
                ip -6 address add 2001:db8::50/128 dev lo nodad
                echo "nameserver 127.0.0.1" > resolv; mount --bind resolv /etc/resolv.conf
                python3 dns.py > /dev/null & p=$!
                while ! test -s ready; do sleep 0.02; done
                $HW exec --backend packet --profile lte -- python3 client.py
                kill $p'
            """)
        #expect(
            answer.output == "192.0.2.50 hello\n2001:db8::50 hello\n[192, 0, 2, 50]\n", "\(answer.errors)")
    }

    /// Connects to a name over IPv4 and IPv6, and asks the resolver over TCP.
    private static let client = """
        import socket
        for family in (socket.AF_INET, socket.AF_INET6):
            end = socket.getaddrinfo("a.example", 8090, family, socket.SOCK_STREAM)[0][4]
            print(end[0], socket.create_connection(end[:2], 5).recv(99).decode())
        with socket.create_connection(("10.77.2.3", 53), 5) as s:
            s.sendall(bytes([0, 27, 0, 7, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1, 97, 7]) + b"example" + bytes([0, 0, 1, 0, 1]))
            print(list(s.recv(999)[-4:]))
        """

    /// Answers each name with one IPv4 and one IPv6 address, and each connection to port 8090 with a word.
    private static let resolver = """
        import socket, struct, threading
        def answer(q):
            i = 12
            while q[i]: i += q[i] + 1
            kind = struct.unpack(">H", q[i + 1:i + 3])[0]
            data = {1: bytes([192, 0, 2, 50]), 28: socket.inet_pton(socket.AF_INET6, "2001:db8::50")}.get(kind)
            record = b"\\xc0\\x0c" + struct.pack(">HHIH", kind, 1, 60, len(data)) + data if data else b""
            return q[:2] + b"\\x81\\x80" + struct.pack(">HHHH", 1, 1 if data else 0, 0, 0) + q[12:i + 5] + record
        def serve(listener, reply):
            while True:
                connection = listener.accept()[0]
                connection.sendall(reply(connection)); connection.close()
        def prefixed(connection):
            reply = answer(connection.recv(999)[2:])
            return struct.pack(">H", len(reply)) + reply
        names = socket.create_server(("127.0.0.1", 53))
        words = socket.create_server(("::", 8090), family=socket.AF_INET6, dualstack_ipv6=True)
        for listener, reply in ((names, prefixed), (words, lambda connection: b"hello")):
            threading.Thread(target=serve, args=(listener, reply), daemon=True).start()
        datagrams = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        datagrams.bind(("127.0.0.1", 53))
        open("ready", "w").write("yes")
        while True:
            question, peer = datagrams.recvfrom(999)
            datagrams.sendto(answer(question), peer)
        """
}
