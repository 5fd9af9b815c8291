import Foundation
import Glibc
import SystemPackage
import Testing

/// A machine with an interface `eth0` for shell scripts: its network and processes end with the script.
///
/// A veth pair connects it to another machine with the addresses 10.9.0.2, 10.9.0.3 and fd09::2. Its ports 5000 and
/// 5001 take and send bytes; `$PEER` runs a command there.
struct LinkNetwork {
    let run: ExecRun

    init() throws {
        run = try ExecRun()
        try write(Self.traffic, to: "traffic.py")
        try write(Self.profile, to: "slow.yaml")
        try write(Self.other, to: "other.yaml")
        try write(Self.changing, to: "changing.yaml")
    }

    func write(_ text: String, to name: String) throws {
        try text.write(toFile: run.folder.appending(name).string, atomically: true, encoding: .utf8)
        chmod(run.folder.appending(name).string, 0o644)
    }

    /// Runs a script there, as root or as another user in a user namespace.
    ///
    /// `user` is an option of testbed-confine.
    func script(_ body: String, user: String = "") async throws -> ExecRun.Answer {
        try write(Self.prelude + body, to: "script.sh")
        let own = "unshare --net --mount --pid --fork --kill-child --mount-proc"
        let place = user.isEmpty ? own : "$CONFINE \(user) -- \(own) --user --map-root-user"
        // testbed-confine lets the user read the files that its command line names, so the script is named.
        return try await run.run("exec \(place) sh ./script.sh $HW")
    }

    /// Runs a script in a new network with `files` next to it, expects status 0, and returns its output and errors.
    static func told(_ body: String, user: String = "", files: [String: String] = [:]) async throws -> String {
        let network = try LinkNetwork()
        defer { network.run.remove() }
        for (name, text) in files { try network.write(text, to: name) }
        let answer = try await network.script(body, user: user)
        #expect(answer.status == 0, "\(answer.output)\(answer.errors)")
        return answer.output + answer.errors
    }

    private static let prelude = """
        set -u
        unshare --net sleep 600 & peer=$!
        while [ "$(readlink /proc/$peer/ns/net)" = "$(readlink /proc/self/ns/net)" ]; do sleep 0.01; done
        PEER="nsenter --target $peer --net"
        ip link set lo up
        ip link add eth0 type veth peer name eth1 netns $peer
        for end in "" "$PEER"; do
            n=$([ -z "$end" ] && echo 0 || echo 1)
            $end ip addr add 10.9.0.$((n + 1))/24 dev eth$n
            $end ip addr add fd09::$((n + 1))/64 dev eth$n nodad
            $end ip link set lo up
            $end ip link set eth$n up
        done
        $PEER ip addr add 10.9.0.3/24 dev eth1
        $PEER python3 ./traffic.py serve &
        for turn in $(seq 1000); do [ -e ready ] && break; sleep 0.01; done
        # All that a shape may touch.
        state() {
            ip -o link show | sed 's/ state [A-Z]*//; s/<[^>]*>//' | cut -d' ' -f2-
            tc qdisc show; tc filter show dev eth0; tc filter show dev eth0 ingress
        }
        field() { python3 -c "import json,sys; d=json.load(sys.stdin)['links']; print(eval(sys.argv[1]))" "$1"; }
        state > before
        same() { state | diff before - && echo "$1: as before"; }

        """

    /// `traffic.py down ADDRESS PORT BYTES` prints the duration of the transfer in seconds.
    private static let traffic = """
        import socket, sys, threading, time
        def serve(port):
            server = socket.create_server(("::", port), family=socket.AF_INET6, dualstack_ipv6=True)
            while True:
                threading.Thread(target=answer, args=(server.accept()[0],), daemon=True).start()
        def answer(peer):
            try:
                way, size = peer.recv(64).split()
                size = int(size)
                if way == b"down":
                    peer.sendall(bytes(size))
                else:
                    peer.sendall(b"!")
                    while size > 0:
                        size -= len(peer.recv(65536)) or size
                    peer.sendall(b".")
            except (OSError, ValueError):
                pass
            peer.close()
        if sys.argv[1] == "serve":
            for port in (5000, 5001):
                threading.Thread(target=serve, args=(port,), daemon=True).start()
            time.sleep(0.3)
            open("ready", "w").close()
            time.sleep(600)
        way, address, port, size = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
        start = time.monotonic()
        peer = socket.create_connection((address, port), timeout=20)
        peer.sendall(b"%s %d" % (way.encode(), size))
        if way == "down":
            while size > 0:
                size -= len(peer.recv(65536))
        else:
            peer.recv(1)
            peer.sendall(bytes(size))
            peer.recv(1)
        print("%s-%s-%d %.3f" % (way, address, port, time.monotonic() - start))

        """

    private static let profile = """
        profile: slow
        title: Slow
        source: a test
        downlink: {rate: 2 Mbit/s}
        uplink: {rate: 1 Mbit/s}

        """

    private static let other = """
        profile: other
        title: Other
        source: a test
        downlink: {rate: 20 Mbit/s}
        uplink: {rate: 10 Mbit/s}

        """

    private static let changing = """
        profile: changing
        title: Changing
        source: a test
        downlink: {rate: 2 Mbit/s}
        uplink: {rate: 1 Mbit/s}
        changes:
          - {at: 1 s, downlink: {rate: 4 Mbit/s}}

        """
}
