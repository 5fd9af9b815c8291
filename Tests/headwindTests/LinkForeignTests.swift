import Foundation
import Glibc
import Testing

@testable import headwind

/// `headwind link` on interfaces with queues and filters of others that look like Headwind's.
@Suite(.sideBySide, .serialized, .timeLimit(.minutes(5))) struct LinkForeignTests {
    private func script(_ body: String) async throws -> String {
        let profile = "profile: up\nsource: x\nuplink: {rate: 4 Mbit/s}\n"
        return try await LinkNetwork.told(body, files: ["up.yaml": profile])
    }

    /// A root queue with Headwind's handle alone is not Headwind's.
    @Test(
        .needsRoot,
        arguments: [
            "pfifo limit 5", "tbf rate 1mbit burst 3000 limit 9000",
            "htb default 1; tc class add dev eth0 parent 4857: classid 4857:1 htb rate 1mbit",
        ])
    func aForeignRootQueueWithTheSameHandleStays(queue: String) async throws {
        let told = try await script(
            """
            tc qdisc add dev eth0 root handle 4857: \(queue); state > before
            $HW link show
            $HW link clear eth0; same cleared
            $HW link apply eth0 --profile up.yaml --replace; echo "status $?"
            same refused
            """)
        #expect(told.contains("cleared: as before") && told.contains("status 69\nrefused: as before"), "\(told)")
        #expect(told.components(separatedBy: "Headwind does not shape ").count == 3, "\(told)")
        #expect(told.contains("and has the handle that Headwind needs"), "\(told)")
    }

    /// A shape of the uplink alone leaves ingress queues: with filters, without, and with filters in a shared block.
    @Test(.needsRoot, arguments: ["clear", "expiry"]) func aForeignIngressQueueStays(end: String) async throws {
        let told = try await script(
            """
            over() { if [ \(end) = clear ]; then $HW link clear eth0; else sleep 2; fi; }
            for kind in "ingress_block 7 ingress" "ingress" "clsact"; do
                tc qdisc add dev eth0 $kind || exit 1
                case $kind in *7*)
                    tc filter add block 7 protocol ip prio 10 u32 match ip dport 9999 0xffff flowid 1:1 || exit 1
                    tc filter add block 7 protocol all prio 18519 u32 match u32 0 0 flowid 1:1 || exit 1
                    tc filter show block 7 > filters ;;
                esac
                state > before
                $HW link apply eth0 --profile up.yaml --for 1s > /dev/null || exit 1
                over; same "${kind%% *}"
                case $kind in *7*) tc filter show block 7 | cmp - filters && echo kept ;; esac
                tc qdisc del dev eth0 ${kind##* }
            done
            """)
        #expect(told.contains("ingress_block: as before\nkept\n"), "\(told)")
        #expect(told.contains("ingress: as before") && told.contains("clsact: as before"), "\(told)")
    }

    /// An ingress queue without a mark of Headwind's stays, and a message says how to remove it.
    @Test(.needsRoot) func anIngressQueueThatWasMadeAgainStays() async throws {
        let told = try await script(
            """
            $HW link apply eth0 --profile slow.yaml || exit 1
            tc qdisc del dev eth0 ingress; tc qdisc add dev eth0 ingress
            $HW link clear eth0
            tc qdisc show dev eth0 | grep -c ingress
            tc qdisc del dev eth0 ingress; same removed
            """)
        #expect(told.contains("remove it with 'tc qdisc del dev eth0 ingress'\n1\nremoved: as before"), "\(told)")
    }
}
