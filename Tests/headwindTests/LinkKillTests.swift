import Foundation
import Glibc
import Testing

@testable import headwind

/// SIGKILL at each netlink request of `headwind link apply` and of its watchdog.
@Suite(.sideBySide, .serialized, .timeLimit(.minutes(8))) struct LinkKillTests {
    private func script(_ body: String) async throws -> String {
        try await LinkNetwork.told(Self.functions + body)
    }

    /// Runs the script for odd steps and for even ones at once, each in its own network, as they mostly wait.
    private func halves(_ body: String) async throws -> String {
        async let odd = script("first=1\n" + body)
        async let even = script("first=2\n" + body)
        return try await odd + even
    }

    /// The number of steps, or nil if the script printed none.
    private func lastStep(_ told: String) -> Int? {
        told.components(separatedBy: "steps ").dropFirst().compactMap { Int($0.prefix { $0.isNumber }) }.max()
    }

    /// `killed N CMD…` kills each process of CMD that is about to make its Nth request.
    ///
    /// Its status says whether one was killed.
    private static let functions = """
        killed() {
            n=$1; shift
            strace -f -qq -o trace -e trace=sendto -e inject=sendto:signal=KILL:when=$n "$@" > out 2>&1 < /dev/null
            grep -q 'killed by SIGKILL' trace
        }
        clean() {
            $HW link clear --all > cleared 2>&1 || { echo "clear failed after $1"; cat cleared; }
            state | diff before - > difference || { echo "not as before, $1"; cat difference; }
        }

        """

    /// The process that survives removes what the other made; if both were killed, `clear` does.
    @Test(.needsRoot, arguments: ["slow.yaml", "slow.yaml --except 22 --except 10.0.0.0/8"])
    func aKilledApplyCanBeCleared(arguments: String) async throws {
        let told = try await halves(
            """
            n=$first
            while killed $n $HW link apply eth0 --for 1s --profile \(arguments); do
                state > after; cmp -s before after && echo kept
                clean "step $n of apply"
                n=$((n + 2)); [ $n -lt 90 ] || break
            done
            clean "all of apply"
            echo "steps $n"
            """)
        #expect(!told.contains("not as before") && !told.contains("clear failed"), "\(told)")
        // In most steps the other process was there to remove it.
        let kept = told.components(separatedBy: "kept\n").count - 1
        let steps = try #require(lastStep(told), "\(told)")
        #expect(steps > 12 && steps < 90 && kept * 2 > steps, "\(told)")
    }

    /// Kills the watchdog alone, from its first request to its last, with no process that cleans up after it.
    @Test(.needsRoot, arguments: ["", "tc qdisc add dev eth0 root handle 7: pfifo limit 9; state > before"])
    func aKilledWatchdogCanBeCleared(before: String) async throws {
        let told = try await halves(
            """
            \(before)
            printf x > byte
            watched() { killed "$1" sh -c "exec $HW link watch eth0 --profile slow.yaml --for 1s --replace < byte"; }
            n=$first
            while watched $n; do
                clean "step $n of watch"
                n=$((n + 2)); [ $n -lt 90 ] || break
            done
            same over
            echo "steps $n"
            """)
        #expect(!told.contains("not as before") && !told.contains("clear failed"), "\(told)")
        let steps = try #require(lastStep(told), "\(told)")
        #expect(steps > 12 && steps < 90, "\(told)")
        #expect(told.components(separatedBy: "over: as before").count == 3, "\(told)")
    }

    /// As documented: the shape stays, is shown without a watchdog, and `clear` removes it.
    @Test(.needsRoot, arguments: LinkCommandTests.users) func aShapeWhoseWatchdogIsKilledStays(user: String)
        async throws
    {
        let network = try LinkNetwork()
        defer { network.run.remove() }
        let answer = try await network.script(
            """
            $HW link apply eth0 --profile slow.yaml --for 1s > /dev/null || exit 1
            kill -KILL $(pgrep -f 'link watch'); sleep 1.2
            $HW link show
            tc qdisc show dev eth0 | grep -c 'qdisc tbf 4857: root'
            $HW link clear eth0 && same cleared
            """, user: user)
        #expect(answer.output.contains("until 'headwind link clear': the process that would remove it was killed"))
        #expect(answer.output.contains("\n1\neth0: cleared\ncleared: as before"), "\(answer.output)\(answer.errors)")
    }

    /// A caller that is gone before the watchdog answers gets no shape.
    @Test(.needsRoot) func anApplyThatIsInterruptedLeavesNothing() async throws {
        let told = try await script(
            """
            $HW link watch eth0 --profile slow.yaml < /dev/null > out; echo "status $?"
            same unread
            mkfifo gone; { exec 4< gone; exec 4<&-; } & $HW link watch eth0 --profile slow.yaml < /dev/zero > gone
            same closed
            """)
        #expect(told.contains("unread: as before") && told.contains("closed: as before"), "\(told)")
    }
}
