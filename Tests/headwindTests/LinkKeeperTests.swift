import Foundation
import Glibc
import KernelLink
import Testing

@testable import headwind

/// Which watchdog holds a shape, where the record of it is false or its process cannot be seen.
@Suite(.sideBySide, .serialized, .timeLimit(.minutes(5)))
struct LinkKeeperTests {
    /// No signal goes to a process that is no watchdog, that has only its name, or that watches another network.
    @Test(.needsRoot, arguments: LinkCommandTests.users) func onlyAWatchdogOfThisNetworkIsEnded(user: String)
        async throws
    {
        let told = try await LinkNetwork.told(
            """
            start() { sed 's/.*) //' /proc/$1/stat | cut -d' ' -f20; }
            sleep 60 & plain=$!
            python3 -c "
            import time
            open('/proc/self/comm', 'w').write('headwind-link')
            open('named', 'w').close(); time.sleep(60)" & named=$!
            for turn in $(seq 500); do [ -e named ] && break; sleep 0.01; done
            $PEER $HW link apply eth1 --profile slow.yaml > /dev/null || exit 1
            other=$(pgrep -f 'link watch')
            index=$(ip -o link show eth0 | cut -d: -f1)
            for pid in $plain $named $other; do
                ip link add hwin$index type ifb && ip link set hwin$index group 18519 || exit 1
                ip link set hwin$index alias "headwind 1 on=$index by=$pid.$(start $pid) since=1 until=ever form=0 profile=x"
                $HW link show eth0
                $HW link clear eth0
                kill -0 $pid && ! grep -q ' Z ' /proc/$pid/stat && echo lives
            done
            $PEER $HW link clear eth1
            """, user: user)
        #expect(told.components(separatedBy: "eth0: cleared\nlives\n").count == 4, "\(told)")
        #expect(told.contains("the process that would remove it was killed\neth0: cleared"), "\(told)")
        #expect(told.contains("eth1: cleared"), "\(told)")
    }

    /// A watchdog in another container is not reported as killed.
    @Test(.needsRoot) func aWatchdogInAnotherContainerIsNotReportedAsKilled() async throws {
        let told = try await LinkNetwork.told(
            """
            $HW link apply eth0 --profile slow.yaml > /dev/null || exit 1
            pid=$(pgrep -f 'link watch')
            unshare --pid --fork --mount-proc $HW link show | head -1 | sed "s/$pid/PID/"
            unshare --pid --fork --mount-proc $HW link show --format json |
                field "d[0]['watchdog'], d[0]['watchdog_pid'] == $pid"
            $HW link show --format json | field "d[0]['watchdog'], d[0]['watchdog_pid'] == $pid"
            if mount -t proc -o hidepid=2 proc /proc 2> /dev/null; then
                $CONFINE --user 65534 -- $HW link show --format json | field "d[0]['watchdog']"
            else echo hidden; fi
            """)
        #expect(told.contains("process PID, which is not visible from here, stops it then"), "\(told)")
        #expect(told.contains("('hidden', True)\n('running', True)\nhidden\n"), "\(told)")
    }
}
