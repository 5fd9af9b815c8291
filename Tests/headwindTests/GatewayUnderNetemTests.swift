import Testing

@testable import headwind

/// `headwind link apply` with rules that need netem, on a kernel that has it: that of Scripts/netem-test.
@Suite(.serialized, .needsNetemTest, .timeLimit(.minutes(5))) struct GatewayUnderNetemTests {
    /// 3g has 100 ms each way and edge 840 ms in total.
    ///
    /// Each phone has its own delay, over IPv4 and IPv6.
    @Test func eachPhoneHasItsOwnDelay() async throws {
        let told = try await GatewayNetwork.told(
            """
            rtt() { name=$1; shift; "$@" | sed -n "s|.*= \\([0-9.]*\\)/.*|$name \\1|p"; }
            all() {
                rtt one4$1 $P1 ping -c 3 -i 0.3 -q 10.9.0.2; rtt one6$1 $P1 ping -c 3 -i 0.3 -q fd09::2
                rtt two4$1 $P2 ping -c 3 -i 0.3 -q 10.9.0.2; rtt two6$1 $P2 ping -c 3 -i 0.3 -q fd09::2
            }
            $HW link apply wlan0 --devices --rule '02:00:00:00:00:01 3g' || exit 1
            all a
            $HW link apply wlan0 --devices --rule '02:00:00:00:00:01 3g' --rule '02:00:00:00:00:02 edge' || exit 1
            all b
            $P1 ping -c 10 -i 0.2 -q 10.9.0.2 > during & ping=$!
            $HW link apply wlan0 --devices --rule '02:00:00:00:00:01 3g' --rule '02:00:00:00:00:02 phone.yaml' || exit 1
            wait $ping; sed -n 's/.*\\( [0-9]*\\) received.*/received\\1/p' during
            all c
            $HW link show wlan0
            $HW link clear wlan0 && same cleared
            """)
        var found: [String: Double] = [:]
        for words in told.split(separator: "\n").map({ $0.split(separator: " ") }) where words.count == 2 {
            found[String(words[0])] = Double(words[1])
        }
        for (name, wanted) in [
            ("one4a", 200.0), ("one6a", 200), ("two4a", 0), ("two6a", 0), ("one4b", 200), ("one6b", 200),
            ("two4b", 840), ("two6b", 840), ("one4c", 200), ("one6c", 200), ("two4c", 0), ("two6c", 0),
        ] {
            let time = try #require(found[name], "\(name)\n\(told)")
            #expect(time >= wanted && time < wanted + 15, "\(name)\n\(told)")
        }
        #expect(found["received"] == 10, "\(told)")
        #expect(told.contains("only packets that waited for 02:00:00:00:00:02 were lost"), "\(told)")
        #expect(
            told.contains("  02:00:00:00:00:01: 3g\n    download: 780 kbit/s, 100 ms\n"), "\(told)")
        #expect(told.contains("cleared: as before"), "\(told)")
    }
}
