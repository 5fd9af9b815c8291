import Foundation
import Glibc
import Testing

@testable import headwind

/// `headwind link` with profiles that need netem, on a kernel that has it: that of Scripts/netem-test.
@Suite(.serialized, .needsNetemTest, .timeLimit(.minutes(5))) struct LinkUnderNetemTests {
    /// 3g has 100 ms each way; excepted traffic has no delay, over IPv4 and IPv6.
    @Test func delaysApplyBothWaysAndNotToExceptions() async throws {
        let network = try LinkNetwork()
        defer { network.run.remove() }
        try network.write(
            "profile: names\\nsource: x\\ndns-delay: 300 ms\\ndownlink: {delay: 20 ms}\\nuplink: {delay: 30 ms}\\n"
                .replacingOccurrences(of: "\\n", with: "\n"), to: "names.yaml")
        try network.write(
            "profile: lossy\nsource: x\ndownlink: {jitter: 4 ms, delay: 20 ms, loss: 1 %}\nuplink: {loss: 100 %}\n",
            to: "lossy.yaml")
        let answer = try await network.script(
            """
            # The smallest round-trip time of a connection in ms, as the kernel measures it (tcpi_min_rtt, in us), however
            # busy its programs are.
            tcp() {
                python3 -c "import socket, sys
            peer = socket.create_connection((sys.argv[1], int(sys.argv[2])), timeout=20)
            info = peer.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, 152)
            print('tcp-' + sys.argv[2], int.from_bytes(info[148:], sys.byteorder) / 1000)" "$@"
            }
            rtt() { ping -c 3 -i 0.3 -q "$1" | sed -n "s|.*= \\([0-9.]*\\)/.*|$1 \\1|p"; }
            now() { $HW link show eth0 | sed -nE '/ (packets|drops)/d; s/^  ((down|up)load: )/\\1/p'; }
            $HW link apply eth0 --profile 3g --except 10.9.0.3 --except 5001 || exit 1
            now
            rtt 10.9.0.2; rtt fd09::2; rtt 10.9.0.3
            tcp 10.9.0.2 5000; tcp 10.9.0.2 5001
            $HW link apply eth0 --profile edge --except 10.9.0.3 --except 5001 || exit 1
            rtt 10.9.0.2
            $HW link apply eth0 --profile ./names.yaml || exit 1
            tc qdisc show dev eth0 | grep -c netem
            now
            $HW link apply eth0 --profile lossy.yaml > /dev/null || exit 1
            now
            $HW link apply eth0 --profile ./names.yaml > /dev/null || exit 1
            rtt 10.9.0.2
            $HW link clear eth0 && same cleared
            """)
        #expect(answer.status == 0, "\(answer.output)\(answer.errors)")
        let lines = answer.output.split(separator: "\n").map { $0.split(separator: " ").map(String.init) }
        func rtts(_ name: String) -> [Double] { lines.filter { $0.first == name }.compactMap { Double($0.last ?? "") } }
        let shaped = rtts("10.9.0.2")
        #expect(shaped.count == 3 && rtts("fd09::2").count == 1, "\(answer.output)")
        for (found, wanted) in zip(shaped + rtts("fd09::2"), [200.0, 840, 50, 200]) {
            #expect(found >= wanted && found < wanted + 10, "\(answer.output)")
        }
        #expect(rtts("10.9.0.3").allSatisfy { $0 < 10 } && rtts("10.9.0.3").count == 1, "\(answer.output)")
        let (port, excepted) = (rtts("tcp-5000"), rtts("tcp-5001"))
        #expect(port.count == 1 && port.allSatisfy { $0 >= 200 }, "\(answer.output)")
        #expect(excepted.count == 1 && excepted.allSatisfy { $0 < 10 }, "\(answer.output)")
        let settings = """
            download: 780 kbit/s, 100 ms
            upload: 330 kbit/s, 100 ms
            """
        #expect(answer.output.contains(settings), "\(answer.output)")
        #expect(
            answer.output.contains("download: 20 ms ± 4 ms, 1 % lost\nupload: offline: silent\n"), "\(answer.output)")
        #expect(answer.output.contains("download: 20 ms\nupload: 30 ms\n"), "\(answer.output)")
        #expect(answer.output.contains("no packet was lost"), "\(answer.output)")
        #expect(answer.output.contains("cleared: as before"), "\(answer.output)\(answer.errors)")
    }
}
