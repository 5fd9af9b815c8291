import SystemPackage
import Testing

@testable import headwind

/// What a program in a sandbox can do to this machine, and what a killed run leaves here.
@Suite(.serialized, .timeLimit(.minutes(2))) struct ExecHostTests {
    /// Many servers that listen on "localhost" use `::1`.
    @Test func aServerOnIPv6LoopbackIsReached() async throws {
        let server = try LoopbackServer(body: Array(repeating: UInt8(ascii: "a"), count: 2000), isIPv6: true)
        defer { server.close() }
        let port = server.port
        let answer = try await ExecRun.line(
            """
            exec $HW exec --backend packet --profile wifi --forward \(port) -- sh -c '
                curl -sS http://host.headwind.internal:\(port)/ | wc -c; curl -sS http://127.0.0.1:\(port)/ | wc -c'
            """)
        #expect(answer.output == "2000\n2000\n", "\(answer.errors)")
    }

    /// The program runs as the caller, here as root.
    @Test func settingsOfTheMachineStay() async throws {
        let answer = try await ExecRun.line(
            """
            exec $HW exec --backend packet --profile wifi -- sh -c '
                for f in vm/swappiness net/ipv4/tcp_rmem; do
                    v=$(cat /proc/sys/$f); (echo "$v" > /proc/sys/$f) 2>/dev/null && echo written
                done; cat /proc/sys/net/ipv4/tcp_rmem >/dev/null && echo read'
            """)
        #expect(answer.output == "read\n", "\(answer.errors)")
    }

    /// As in a container whose first process does not wait for orphans.
    @Test func aKilledRunLeavesNothingWhereOrphansAreNotReaped() async throws {
        let answer = try await ExecRun.line(
            """
            cat > parent.py <<'END'
            import ctypes, os, subprocess, sys, time
            ctypes.CDLL(None).prctl(36, 1, 0, 0, 0)  # PR_SET_CHILD_SUBREAPER
            child = subprocess.Popen([os.environ["HW"], "exec", "--backend", "packet", "--profile", "wifi", "--",
                                      "sh", "-c", "echo up > up; exec sleep 100"])
            for _ in range(3000):
                if os.path.exists("up"): break
                time.sleep(0.01)
            child.kill(); child.wait()
            def left():
                for name in filter(str.isdigit, os.listdir("/proc")):
                    try:
                        with open(f"/proc/{name}/stat") as file: text = file.read()
                    except OSError:
                        continue
                    state, parent = text.rpartition(")")[2].split()[:2]
                    if int(parent) == os.getpid() and state != "Z": yield text
            for _ in range(500):
                if not list(left()): break
                time.sleep(0.01)
            print(*left() if os.path.exists("up") else ["never up"])
            END
            exec python3 parent.py
            """)
        #expect(answer.output == "\n", "\(answer.errors)")
    }
}
