import Foundation
import Glibc
import Testing

@testable import headwind

/// `headwind link` where somebody else changes a shaped interface, or its queues.
@Suite(.sideBySide, .serialized, .timeLimit(.minutes(5))) struct LinkDamageTests {
    private func script(_ body: String) async throws -> String {
        try await LinkNetwork.told(Self.functions + body)
    }

    /// Runs the cases at once, each in its own network, as they mostly wait.
    private static func atOnce<Case: Sendable>(
        _ cases: [Case], _ body: @escaping @Sendable (Case) async throws -> Void
    ) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for one in cases { group.addTask { try await body(one) } }
            try await group.waitForAll()
        }
    }

    private static let functions = """
        ifb() { ip -o link show type ifb group 18519 | grep -o 'hwin[0-9]*' | head -1; }
        wrong() { $HW link show eth0 | grep NOT || echo nothing wrong; }
        gone() { for turn in $(seq 200); do pgrep -f 'link watch' > /dev/null || break; sleep 0.1; done; }

        """

    /// `show` reports queues whose numbers were changed.
    @Test(.needsRoot) func aChangeIsReported() async throws {
        let changes = [
            "tc qdisc change dev eth0 handle 1: parent 4857:1 tbf rate 9mbit burst 3000 limit 75000",
            "tc qdisc change dev eth0 handle 1: parent 4857:1 tbf rate 1mbit burst 3000 limit 75000 peakrate 2mbit "
                + "mtu 1600",
            "tc qdisc change dev eth0 root handle 4857: tbf rate 1mbit burst 3000 limit 75000",
            "tc qdisc replace dev $(ifb) parent 1:1 handle 3: bfifo limit 4000",
        ]
        try await Self.atOnce(changes) { change in try await aChangeIsReported(change) }
    }

    private func aChangeIsReported(_ change: String) async throws {
        let told = try await script(
            """
            $HW link apply eth0 --profile slow.yaml > /dev/null || exit 1
            wrong
            \(change) || exit 1
            wrong
            $HW link show --format json | field "len(d[0]['differences'])"
            $HW link apply eth0 --profile slow.yaml --except 22 > /dev/null || exit 1
            wrong
            $HW link clear eth0; same cleared
            """)
        #expect(
            told.hasPrefix("nothing wrong\n  NOT as it was set: another program has changed its queues: see 'tc "),
            "\(told)")
        #expect(told.contains("\n1\nnothing wrong\neth0: cleared\ncleared: as before"), "\(told)")
    }

    /// Changes by the profile are not reported, nor are the counters that exceptions add to the kernel's answers.
    @Test(.needsRoot) func changesByTheProfileAreNotReported() async throws {
        let told = try await script(
            """
            $HW link apply eth0 --profile changing.yaml --except 5001 > /dev/null || exit 1
            python3 traffic.py up 10.9.0.2 5001 1000 > /dev/null; python3 traffic.py down 10.9.0.2 5000 1000 > /dev/null
            wrong
            faster() { tc -j qdisc show dev $(ifb) | grep -c '"rate":500000,'; }
            for turn in $(seq 100); do faster > /dev/null && break; sleep 0.1; done; faster
            wrong
            $HW link clear eth0; same cleared
            """)
        #expect(told.hasPrefix("nothing wrong\n1\nnothing wrong\n") && told.contains("cleared: as before"), "\(told)")
    }

    /// A removed part is named, and the watchdog removes the rest.
    @Test(.needsRoot) func aRemovedPartIsReported() async throws {
        let removals = [
            ("tc qdisc del dev eth0 root", "its root queue 4857: is gone"),
            ("tc filter del dev eth0 ingress protocol all prio 18519", "incoming traffic is not sent to hwin"),
            ("tc filter del dev eth0 parent 4857:", "excepted traffic is shaped"),
            ("ip link set $(ifb) down", "is down"), ("tc qdisc del dev $(ifb) root", "the queue of hwin"),
        ]
        try await Self.atOnce(removals) { removal, words in try await aRemovedPartIsReported(removal, words) }
    }

    private func aRemovedPartIsReported(_ removal: String, _ words: String) async throws {
        let told = try await script(
            """
            $HW link apply eth0 --profile slow.yaml --except 22 > /dev/null || exit 1
            \(removal) || exit 1
            $HW link show eth0 | head -2
            gone; same over
            """)
        #expect(told.hasPrefix("eth0: the remains of the shape slow, until"), "\(told)")
        #expect(told.contains("NOT as it was set: ") && told.contains(words), "\(told)")
        #expect(told.contains("over: as before"), "\(told)")
    }

    /// A single missing exception of several is reported.
    ///
    /// The name of a shape's ifb stands for the whole shape, in `show` and in `clear`.
    @Test(.needsRoot) func aMissingExceptionIsReported() async throws {
        let told = try await script(
            """
            $HW link apply eth0 --profile slow.yaml --except 22 --except 5001 > /dev/null || exit 1
            $HW link show $(ifb) | grep -c '^eth0: '
            handle=$(tc filter show dev eth0 parent 4857: | grep -o 'fh 80[0-9]*::[0-9a-f]*' | tail -1 | cut -d' ' -f2)
            tc filter del dev eth0 parent 4857: protocol ip prio 18517 handle $handle u32 || exit 1
            wrong
            gone; same over
            $HW link apply eth0 --profile slow.yaml > /dev/null || exit 1
            $HW link clear $(ifb); same cleared
            """)
        #expect(told.hasPrefix("1\n  NOT as it was set: another program has changed its queues"), "\(told)")
        #expect(told.contains("over: as before\neth0: cleared\ncleared: as before"), "\(told)")
    }

    /// A new interface with the index of a removed, shaped one is not shaped.
    @Test(.needsRoot) func anotherInterfaceOfTheSameNumberIsNotShaped() async throws {
        let told = try await script(
            """
            ip link add first0 index 777 type veth peer name first1 || exit 1
            state > before
            $HW link apply first0 --profile slow.yaml > /dev/null || exit 1
            ip link del first0; ip link add first0 index 777 type veth peer name first1
            $HW link show | head -1
            gone
            $HW link show; ip link show hwin777 2>&1 | grep -c 'does not exist'
            """)
        #expect(told.hasPrefix("first0: the remains of the shape slow, "), "\(told)")
        #expect(told.contains("\n1\n") && told.contains("Headwind does not shape any interface"), "\(told)")
    }

    /// Packets of a raised MTU pass after the watchdog's next check, or at once after the shape is applied again.
    @Test(.needsRoot, arguments: ["", "--except 22", "--rule '443 other.yaml'"])
    func aRaisedMTUIsFollowed(except: String) async throws {
        let told = try await script(
            """
            large() { ping -M do -s 8000 -c 1 -W 1 10.9.0.2 > ping.out 2>&1; }
            raise() { ip link set eth0 mtu $1; $PEER ip link set eth1 mtu $1; }
            $HW link apply eth0 --profile other.yaml \(except) > /dev/null || exit 1
            raise 9000
            large || echo too large
            $HW link apply eth0 --profile other.yaml \(except) > /dev/null || exit 1
            large && echo at once
            raise 1500
            $HW link apply eth0 --profile slow.yaml \(except) > /dev/null || exit 1
            raise 9000
            for turn in $(seq 25); do large && break; sleep 0.8; done
            large && echo followed
            wrong
            $HW link clear eth0; raise 1500; same cleared
            """)
        #expect(told.hasPrefix("too large\nat once\nfollowed\nnothing wrong\n"), "\(told)")
        #expect(told.contains("cleared: as before"), "\(told)")
    }
}
