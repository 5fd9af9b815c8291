import Foundation
import Glibc
import Testing

@testable import headwind

/// `headwind link apply` on an interface that has a shape or queues already.
@Suite(.sideBySide, .serialized, .timeLimit(.minutes(5))) struct LinkPlaceTests {
    /// With the same queues, the kernel's counts continue.
    ///
    /// The first watchdog ends, and the second removes everything.
    @Test(.needsRoot, arguments: LinkCommandTests.users) func aShapeChangesInPlace(user: String) async throws {
        let told = try await LinkNetwork.told(
            """
            $HW link apply eth0 --profile slow.yaml || exit 1
            first=$(pgrep -f 'link watch')
            python3 traffic.py down 10.9.0.2 5000 20000
            $HW link apply eth0 --profile other.yaml --for 2s || exit 1
            $HW link show eth0 --format json | field "d[0]['profile'], d[0]['download']['sent_bytes'] > 20000, len(d)"
            [ "$(pgrep -f 'link watch')" != "$first" ] && echo another process
            pgrep -c -f 'link watch'
            tc -j qdisc show dev eth0 | grep -c '"rate":1250000,'
            sleep 2.5
            same over
            """, user: user)
        #expect(
            told.contains("no packet was lost") && told.contains("('other', True, 1)\nanother process\n1\n1\n"),
            "\(told)")
        #expect(told.contains("over: as before"), "\(told)")
    }

    /// Other queues, here for exceptions, are all made again.
    @Test(.needsRoot) func anotherShapeReplacesTheFirst() async throws {
        let told = try await LinkNetwork.told(
            """
            $HW link apply eth0 --profile slow.yaml || exit 1
            $HW link apply eth0 --profile slow.yaml --except 22 || exit 1
            tc qdisc show dev eth0 | grep -c 'qdisc htb 4857: root'
            pgrep -c -f 'link watch'
            $HW link clear eth0; same cleared
            """)
        #expect(told.contains("packets that waited in them were lost") && told.contains("\n1\n1\n"), "\(told)")
        #expect(told.contains("cleared: as before"), "\(told)")
    }

    /// If the kernel lacks a part for the new shape, the old one stays unchanged.
    @Test(.needsRoot) func aRefusedShapeLeavesTheOneBefore() async throws {
        let told = try await LinkNetwork.told(
            """
            $HW link apply eth0 --profile slow.yaml > /dev/null || exit 1
            state > shaped
            $HW link apply eth0 --profile 3g; status=$?
            # On a kernel that has all parts it takes the place.
            if [ $status = 0 ]; then echo taken; else echo "status $status"; state | diff shaped - && echo unchanged; fi
            pgrep -c -f 'link watch'
            $HW link show eth0 | grep NOT
            $HW link clear eth0; same cleared
            """)
        #expect(
            told.contains("status 69\nunchanged\n1\neth0: cleared") || told.contains("taken\n1\neth0: cleared"),
            "\(told)")
        #expect(told.contains("cleared: as before"), "\(told)")
    }

    /// A queue of somebody else stays, unless `--replace` is given; then it is put back as far as possible.
    @Test(.needsRoot) func aRootQueueIsReplacedAndPutBack() async throws {
        let told = try await LinkNetwork.told(
            """
            tc qdisc add dev eth0 root handle 7: pfifo limit 9; state > before
            $HW link apply eth0 --profile slow.yaml; echo "status $?"
            same refused
            $HW link apply eth0 --profile slow.yaml --replace || exit 1
            $HW link apply eth0 --profile other.yaml || exit 1
            $HW link apply eth0 --profile other.yaml --except 22 || exit 1
            $HW link show eth0
            $HW link clear eth0
            same restored
            $HW link apply eth0 --profile slow.yaml --replace --for 1s || exit 1
            sleep 1.5; same over
            tc qdisc replace dev eth0 root handle 8: htb; tc class add dev eth0 parent 8: classid 8:1 htb rate 1mbit
            $HW link apply eth0 --profile slow.yaml --replace || exit 1
            $HW link clear eth0
            tc qdisc show dev eth0
            """)
        #expect(
            told.contains("root queue, pfifo 7:, is not the kernel's default") && told.contains("status 69"), "\(told)")
        #expect(told.contains("refused: as before") && told.contains("restored: as before"), "\(told)")
        #expect(told.contains("replaces pfifo 7:, which is put back afterwards"), "\(told)")
        #expect(told.contains("pfifo 7: is back") && told.contains("over: as before"), "\(told)")
        #expect(told.contains("replaces htb 8:, which is NOT put back afterwards"), "\(told)")
        #expect(told.contains("the kernel's default replaces htb 8:\nqdisc noqueue 0: root"), "\(told)")
    }

    /// A queue's size table cannot be restored, and `show` says so at once.
    @Test(.needsRoot) func aSizeTableIsReportedAsLost() async throws {
        let told = try await LinkNetwork.told(
            """
            tc qdisc add dev eth0 root handle 77: stab overhead 22 tbf rate 9mbit burst 20k limit 30k || exit 1
            $HW link apply eth0 --profile slow.yaml --replace || exit 1
            $HW link show --format json | field "d[0]['replaced']['is_put_back']"
            $HW link clear eth0; same cleared
            tc qdisc add dev eth0 root handle 77: tbf rate 9mbit burst 20k limit 30k || exit 1
            state > before
            $HW link apply eth0 --profile slow.yaml --replace || exit 1
            $HW link clear eth0; same restored
            """)
        #expect(told.contains("replaces tbf 77:, which is NOT put back afterwards"), "\(told)")
        #expect(told.contains("\nFalse\n") && told.contains("replaces tbf 77:\ncleared: as before"), "\(told)")
        #expect(told.contains("tbf 77: is back\nrestored: as before"), "\(told)")
    }

    /// Concurrent calls run one after another: the last one's shape is whole, and one watchdog is left.
    @Test(.needsRoot) func concurrentCallsRunOneAfterAnother() async throws {
        let told = try await LinkNetwork.told(
            """
            for turn in 1 2 3; do
                all=
                for n in 1 2 3 4; do
                    case $n in 1|3) profile=slow ;; *) profile=other ;; esac
                    case $n in 4) except="--except 22" ;; *) except= ;; esac
                    $HW link apply eth0 --profile $profile.yaml $except > out.$n 2>&1 || { echo failed; cat out.$n; } & all="$all $!"
                done
                wait $all
                sleep 0.5
                $HW link show --format json | field "len(d), d[0]['watchdog_pid'] > 0"
                pgrep -c -f 'link watch'
                $HW link clear --all > /dev/null; same turn
            done
            """)
        #expect(
            told.components(separatedBy: "(1, True)\n1\nturn: as before").count == 4 && !told.contains("failed"),
            "\(told)")
    }

    /// A lock's name that another user holds, answering or not, blocks nothing.
    @Test(
        .needsRoot,
        arguments: ["s.listen(1)", "pass", "s.listen(0); o=[socket.socket(socket.AF_UNIX) for _ in range(9)]"])
    func aForeignLockBlocksNothing(trick: String) async throws {
        let told = try await LinkNetwork.told(
            """
            index=$(ip -o link show eth0 | cut -d: -f1)
            cat > squat.py << 'END'
            import os, socket, sys, time
            os.setgroups([]); os.setgid(65534); os.setuid(65534)
            s = socket.socket(socket.AF_UNIX)
            s.bind("\\0headwind-link-" + sys.argv[1])
            \(trick)
            for n in globals().get("o", []):
                n.setblocking(False)
                try: n.connect("\\0headwind-link-" + sys.argv[1])
                except BlockingIOError: break
            open("squatted", "w").close()
            time.sleep(60)
            END
            python3 squat.py $index & squatter=$!
            for turn in $(seq 500); do [ -e squatted ] && break; sleep 0.01; done
            start=$(date +%s)
            $HW link apply eth0 --profile slow.yaml || exit 1
            $HW link clear eth0; same cleared
            [ $(($(date +%s) - start)) -lt 9 ] && echo in time
            kill $squatter
            """)
        #expect(told.contains("cleared: as before\nin time"), "\(told)")
    }

    /// A removed ifb would stop all incoming packets, so the watchdog removes the rest of the shape.
    @Test(.needsRoot) func aBrokenShapeIsRemoved() async throws {
        let told = try await LinkNetwork.told(
            """
            $HW link apply eth0 --profile slow.yaml --for 10min || exit 1
            ip link del $(ip -o link show type ifb group 18519 | grep -o 'hwin[0-9]*')
            for turn in $(seq 180); do
                pgrep -f 'link watch' > /dev/null || break
                sleep 0.1
            done
            same broken
            """)
        #expect(told.contains("broken: as before"), "\(told)")
    }

    /// The watchdog plays a profile's later changes.
    @Test(.needsRoot) func aProfileChangesOverTime() async throws {
        let told = try await LinkNetwork.told(
            """
            $HW link apply eth0 --profile changing.yaml || exit 1
            tc -j qdisc show dev hwin* | grep -c '"rate":250000,'
            sleep 1.6
            tc -j qdisc show dev hwin* | grep -c '"rate":500000,'
            $HW link clear eth0; same cleared
            """.replacingOccurrences(of: "hwin*", with: "$(ip -o link show type ifb | grep -o 'hwin[0-9]*')"))
        #expect(told.contains("\n1\n1\n") && told.contains("cleared: as before"), "\(told)")
    }

    /// Clearing keeps others' things on the same interface, and also clears a shape that is half removed.
    @Test(.needsRoot) func nothingElseIsTouched() async throws {
        let told = try await LinkNetwork.told(
            """
            ip link add hwin99 type ifb; ip link add other0 type veth peer name other1; tc qdisc add dev other0 root handle 9: pfifo limit 3
            state > before
            $HW link apply eth0 --profile slow.yaml || exit 1
            tc filter add dev eth0 ingress protocol ip prio 7 u32 match u32 0 0 flowid 1:1
            $HW link clear eth0
            tc filter show dev eth0 ingress | grep -c 'pref 7 u32 .*flowid'
            tc filter show dev eth0 ingress | grep -c mirred
            tc qdisc del dev eth0 ingress; same shared
            $HW link apply eth0 --profile slow.yaml --except 22 || exit 1
            pkill -KILL -f 'link watch'
            ip link del $(ip -o link show type ifb group 18519 | grep -o 'hwin[0-9]*')
            $HW link show eth0
            $HW link clear --all; same rest
            $HW link apply eth0 --profile slow.yaml || exit 1
            ip link del eth0; sleep 0.2
            $HW link show
            $HW link clear --all
            ip -o link show type ifb | grep -c hwin
            """.replacingOccurrences(of: "pkill -KILL -f 'link watch'", with: "kill -KILL $(pgrep -f 'link watch')"))
        #expect(
            told.contains("other programs have filters there") && told.contains("\n1\n0\nshared: as before"), "\(told)")
        #expect(told.contains("eth0: the remains of a shape, ") && told.contains("rest: as before"), "\(told)")
        // Only `hwin99`, which the test made before, is left.
        #expect(told.contains("cleared\n1\n"), "\(told)")
    }
}
