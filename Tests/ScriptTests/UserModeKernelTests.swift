import Glibc
import SystemPackage
import Testing

/// `Scripts/netem-test` starts a kernel, and leaves nothing of it.
@Suite(.sideBySide, .serialized, .timeLimit(.minutes(3))) struct UserModeKernelTests {
    /// Everything that one start can show.
    ///
    /// Commands after `no` must fail.
    private static let inside = #"""
        no() { if "$@" 2> /run/no; then echo "worked: $*"; fi; }
        tc qdisc add dev lo root netem delay 50ms
        ping -q -c 5 -i 0.2 127.0.0.1 | sed -n 's/^rtt .* = //p'
        tc qdisc del dev lo root
        ip link add va type veth peer vb && ip link add vc type ifb && ip link add vd type dummy
        tc qdisc add dev va root handle 1: tbf rate 1mbit burst 3000 limit 30000
        tc qdisc add dev vb root handle 1: htb default 1
        tc class add dev vb parent 1: classid 1:1 htb rate 1mbit
        tc qdisc add dev vb parent 1:1 netem loss 1%
        tc qdisc add dev va ingress
        tc filter add dev va parent ffff: protocol all u32 match u32 0 0 action mirred egress redirect dev vc
        test -c /dev/net/tun && echo "tun $HEADWIND_NETEM $(id -u) $(pwd)"
        no touch new
        no mkdir folder
        no rm file
        no chmod 777 file
        no truncate -s 0 file
        no mv file other
        echo data > /tmp/file && echo data > /dev/shm/file && echo data > ~/file && echo data > "$TMPDIR/file" && echo writes
        echo kept > "$HEADWIND_RESULTS/file"
        printf '<%s>' "$@"; echo
        head -c 300000 /dev/zero | tr '\0' x; echo
        echo to-errors >&2
        sleep 1000 &
        exit 37
        """#

    @Test(.needsUserModeKernel) func theKernelHasNetemAndChangesNoFileOfTheMachine() async throws {
        try await UserModeKernel.with { run in
            // The file is on the same file system as the machine's other files.
            try #require(await run.shell("echo of-the-machine > file").status == 0)
            let arguments = ["a b", "$HOME 'q' \"r\" \\", "two\nlines", "", "ä"]
            let told = try await run.run(
                ["--results", run.results.string, "bash", "-c", Self.inside, "bash"] + arguments)
            #expect(told.status == 37, "\(told.output.suffix(2000))\(told.errors)")
            #expect(told.errors == "to-errors\n")
            var lines = told.output.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
            try #require(lines.count > 3)
            // The least, mean, largest time, and deviation, in milliseconds.
            let times = lines.removeFirst().prefix { $0 != " " }.split(separator: "/").compactMap { Double($0) }
            try #require(times.count == 4)
            // The least time counts, as other processes may delay the others.
            #expect(times[0] >= 100 && times[0] < 105, "\(times)")
            #expect(lines.removeFirst() == "tun required 0 \(run.folder)")
            #expect(lines.removeFirst() == "writes")
            let rest = lines.joined(separator: "\n")
            #expect(rest == arguments.map { "<\($0)>" }.joined() + "\n" + String(repeating: "x", count: 300_000) + "\n")
            #expect(try await run.list(run.results) == ["file", "status"])
            #expect(
                try await run.shell("ls; cat file; stat -c %a file").output
                    == "file\nresults\ntmp\nof-the-machine\n644\n")
            #expect(told.survivors == 0 && told.files.isEmpty, "\(told.survivors) \(told.files)")
        }
    }

    @Test(.needsUserModeKernel) func aCommandThatHangsIsEndedByTheLimit() async throws {
        try await UserModeKernel.with { run in
            let told = try await run.run([
                "--limit", "14", "sh", "-c", "echo begins; trap '' TERM; while :; do :; done",
            ])
            #expect(told.status == 124)
            #expect(told.output == "begins\n" && told.errors == "netem-test: ended after 14 seconds, its limit\n")
            #expect(told.survivors == 0 && told.files.isEmpty, "\(told.survivors) \(told.files)")
        }
    }

    @Test(.needsUserModeKernel) func aKernelPanicIsNotTakenForTheCommandsEnd() async throws {
        try await UserModeKernel.with { run in
            let told = try await run.run(["sh", "-c", "echo c > /proc/sysrq-trigger; sleep 100"])
            #expect(told.status == 125)
            #expect(told.errors.contains("Kernel panic"), "\(told.errors)")
            #expect(
                told.errors.hasSuffix("netem-test: the kernel ended before the command did; what it said is above\n"))
            #expect(told.survivors == 0 && told.files.isEmpty, "\(told.survivors) \(told.files)")
        }
    }

    /// The signal goes to the script alone, not to its children.
    @Test(.needsUserModeKernel, arguments: [("INT", 130), ("TERM", 143), ("HUP", 143), ("KILL", 137)])
    func whateverEndsTheScriptEndsTheKernel(signal: String, status: Int32) async throws {
        try await UserModeKernel.with { run in
            let told = try await run.shell(
                """
                # Else what runs in the background minds no SIGINT.
                set -m
                "$NETEM" --results "$RESULTS" sleep 1000 &
                until [[ -e $RESULTS/started ]]; do sleep 0.05; done
                kill -\(signal) $!
                wait $!
                status=$?
                # The one that was killed could not wait for it.
                for try in {1..200}; do
                    ls "$TMPDIR"/* > /dev/null 2>&1 || grep -qs "[u]ml_dir=$TMPDIR" /proc/[0-9]*/cmdline || break
                    sleep 0.05
                done
                grep -ls "[u]ml_dir=$TMPDIR" /proc/[0-9]*/cmdline
                exit "$status"
                """)
            #expect(told.status == status, "\(told.errors)")
            #expect(told.output.isEmpty, "\(told.output)")
            #expect(told.survivors == 0 && told.files.isEmpty, "\(told.survivors) \(told.files)")
        }
    }

    /// Runs as another user, which needs root, from a checkout with a blank in its name, below a folder that tmpfs
    /// hides inside.
    @Test(.needsUserModeKernel, .needsRoot) func runsForAnyUserFromAnyCheckout() async throws {
        try await UserModeKernel.with { run in
            let told = try await run.shell(
                """
                mkdir -p "$TMPDIR/a checkout" && cp -r "${NETEM%/*}" "$TMPDIR/a checkout/Scripts" && chmod -R a+rX "$TMPDIR"
                cd "$TMPDIR/a checkout"
                setpriv --reuid 65534 --regid 65534 --clear-groups Scripts/netem-test sh -c 'id -u; pwd; ls; touch x 2>&1'
                status=$?
                rm -r "$TMPDIR/a checkout"
                exit "$status"
                """)
            #expect(told.status == 1, "\(told.errors)")
            #expect(
                told.output.hasPrefix("0\n\(run.temporary)/a checkout\nScripts\n")
                    && told.output.contains("Read-only file system"), "\(told.output)\(told.errors)")
            #expect(told.survivors == 0 && told.files.isEmpty, "\(told.survivors) \(told.files)")
        }
    }

    @Test(.needsUserModeKernel) func anUnknownCommandIsReportedLikeByAShell() async throws {
        try await UserModeKernel.with { run in
            let told = try await run.run(["no-such-command"])
            #expect(told.status == 127 && told.errors.contains("no-such-command: command not found"), "\(told.errors)")
        }
    }
}
