import Foundation
import Glibc
import InterfaceShaping
import KernelLink
import Testing

@testable import headwind

/// `headwind link apply` does not cut off the SSH session that its user may be using.
@Suite(.sideBySide, .serialized, .timeLimit(.minutes(3)))
struct LinkSafetyTests {
    @Test(.needsRoot) func aSessionIsNotCutOff() async throws {
        let told = try await LinkNetwork.told(
            """
            # On a kernel that has them: one that is made on it, and one that it is a port of.
            ip link add link eth0 name over0 type macvlan && ip addr add 10.7.0.1/24 dev over0 && ip link set over0 up
            ip link add hub0 type bridge && ip addr add 10.8.0.1/24 dev hub0 && ip link set hub0 up
            ip link add port0 type dummy 2> /dev/null || ip link add port0 type veth peer name port1
            ip link set port0 up; ip link set port0 master hub0
            state > before
            try() { "$@" 2>&1; echo "status $?"; }
            apply="$HW link apply eth0 --profile ./slow.yaml"
            SSH_CONNECTION="10.9.0.2 50000 10.9.0.1 22" try $apply
            SSH_CLIENT="fd09::2 50000 22" try $apply
            SSH_CONNECTION="10.7.0.9 50000 10.7.0.1 22" try $apply
            SSH_CONNECTION="10.8.0.9 50000 10.8.0.1 22" try $HW link apply port0 --profile ./slow.yaml
            SSH_CONNECTION="10.9.0.2 50000 10.9.0.1 22" try sh -c "env -u SSH_CONNECTION $apply; exit \\$?"
            cp "$(command -v bash)" ./sshd
            try ./sshd -c "exec 3<> /dev/tcp/10.9.0.2/5000; $apply; exit \\$?"
            same all
            echo ---
            for except in 22 50000 10.9.0.0/24 10.9.0.2; do
                SSH_CONNECTION="10.9.0.2 50000 10.9.0.1 22" $apply --except $except > /dev/null || echo refused $except
                $HW link clear eth0 > /dev/null
            done
            # By another interface, or to an address that is nowhere.
            SSH_CONNECTION="127.0.0.1 50000 127.0.0.1 22" $apply > /dev/null && $HW link clear eth0
            SSH_CONNECTION="192.0.2.1 50000 192.0.2.2 22" $apply > /dev/null && $HW link clear eth0
            SSH_CONNECTION="nonsense" $apply > /dev/null && $HW link clear eth0
            same end
            """)
        let parts = told.components(separatedBy: "---\n")
        #expect(parts[0].components(separatedBy: "status 65\n").count == 7, "\(told)")
        #expect(parts[0].components(separatedBy: "it carries your SSH session").count == 7, "\(told)")
        #expect(
            parts[0].contains("--except 22, or --except 10.9.0.2.") && parts[0].contains("all: as before"), "\(told)")
        #expect(parts[1].contains("eth0: cleared\neth0: cleared\neth0: cleared\nend: as before"), "\(told)")
        #expect(!parts[1].contains("refused"), "\(told)")
    }

    /// Rules for other peers do not affect a session; a rule for a MAC address may, as its owner is unknown.
    @Test(.needsRoot) func rulesForOthersLeaveASessionAlone() async throws {
        let told = try await LinkNetwork.told(
            """
            export SSH_CONNECTION="10.9.0.2 50000 10.9.0.1 22"
            try() { $HW link apply eth0 --rule "$@" 2>&1 | sed -n 's/^eth0: shaped by \\(.*\\), until.*/\\1/p; s/.*it carries/refused: &/p'; }
            try "10.9.0.3 ./slow.yaml"; try "fd09::/64 ./slow.yaml"; try "443 ./slow.yaml"
            try "10.9.0.2 ./slow.yaml" --except 22; try "02:00:00:00:00:01 ./slow.yaml" --except 10.9.0.2
            $HW link clear eth0; state | diff before - && echo ---
            try "10.9.0.0/24 ./slow.yaml"; try "22 ./slow.yaml"; try "50000 ./slow.yaml"
            try "02:00:00:00:00:01 ./slow.yaml"; try "443 ./slow.yaml" --profile ./slow.yaml
            same refused
            """)
        let parts = told.components(separatedBy: "---\n")
        #expect(parts[0].components(separatedBy: "1 rule\n").count == 6, "\(told)")
        #expect(parts.last?.components(separatedBy: "refused: ").count == 7, "\(told)")
        #expect(told.contains("refused: as before"), "\(told)")
    }

    /// An excepted session survives where nothing else passes, with its neighbour discovery.
    @Test(.needsRoot) func anExceptedSessionOutlivesSilence() async throws {
        let told = try await LinkNetwork.told(
            """
            $HW link apply eth0 --profile offline-silent --except 5001 || exit 1
            ip neigh flush dev eth0; $PEER ip neigh flush dev eth1
            python3 traffic.py down 10.9.0.2 5001 1000
            python3 traffic.py down fd09::2 5001 1000
            timeout 1 python3 traffic.py down 10.9.0.2 5000 1000 2> /dev/null || echo nothing
            $HW link clear eth0; same cleared
            """)
        #expect(told.contains("down-10.9.0.2-5001 0.") && told.contains("down-fd09::2-5001 "), "\(told)")
        #expect(told.contains("\nnothing\n") && told.contains("cleared: as before"), "\(told)")
    }

    /// The kernel gives the queue that drops everything another limit, when the bucket in front of it is set again.
    @Test(.needsRoot) func silenceStaysIfItIsAppliedAgain() async throws {
        let told = try await LinkNetwork.told(
            """
            $HW link apply eth0 --profile offline-silent || exit 1
            $HW link apply eth0 --profile offline-silent --for 1h || exit 1
            timeout 1 python3 traffic.py down 10.9.0.2 5000 1000 2> /dev/null || echo nothing
            $HW link clear eth0; same cleared
            """)
        #expect(told.contains("nothing\n") && told.contains("cleared: as before"), "\(told)")
    }

    @Test func sessionsAreReadFromTheEnvironment() throws {
        let whole = try #require(SecureShell.connection(told: "fe80::1%eth0 50000 fe80::2%eth0 22"))
        #expect("\(whole.peer)" == "fe80::1" && whole.scope == "eth0" && whole.localPort == 22)
        let short = try #require(SecureShell.connection(told: "::ffff:192.0.2.1 50000 2222"))
        #expect("\(short.peer)" == "192.0.2.1" && short.localPort == 2222 && short.local == nil)
        for text in ["", "a b c", "192.0.2.1 99999 22", "192.0.2.1 1 2 3 4", "192.0.2.1 50000", "% 1 2 3"] {
            #expect(SecureShell.connection(told: text) == nil, "\(text)")
        }
        let line = "   1: 0100007F:0016 0200000A:C350 01 00000000:00000000 00:00000000 00000000     0        0 4242 1 0"
        let open = try #require(SecureShell.established(line: line))
        #expect("\(open.0.peer)" == "10.0.0.2" && open.0.peerPort == 50000 && open.0.localPort == 22)
        #expect(open.socket == "4242")
        #expect(SecureShell.established(line: line.replacingOccurrences(of: " 01 ", with: " 0A ")) == nil)
        #expect(SecureShell.established(line: "0: 01:2 3") == nil)
    }
}
