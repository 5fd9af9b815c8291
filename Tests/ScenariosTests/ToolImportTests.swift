import LinkModel
import Testing

@testable import Scenarios

/// Scripts, settings and outputs of other tools, and the profiles made of them.
@Suite struct ToolImportTests {
    private func list(_ text: String, name: String = "link.txt") throws -> ImportedList {
        let folder = try TemporaryFolder()
        let file = try folder.write(name, text.utf8)
        guard case .list(let list) = try ProfileImport(file) else {
            throw UnitError(text: text, expected: "a list", reason: "")
        }
        return list
    }

    private static func kilobits(_ count: Int64) -> BitRate { BitRate(bitsPerSecond: count * 1000) }
    private static func percent(_ share: Double) -> Ratio { Ratio(partsPerBillion: Int64((share * 1e7).rounded())) }

    /// A script, and the downlink and uplink that it yields.
    private static let scripts: [(String, Conditions, Conditions)] = [
        (
            "tc qdisc add dev eth0 root netem delay 100ms 10ms 25% distribution normal loss 0.3% 25% duplicate 1% corrupt 0.1%",
            Conditions(),
            Conditions(
                delay: .milliseconds(100), jitter: Jitter(amount: .milliseconds(10), distribution: .normal),
                loss: .random(percent(0.3)), duplicate: percent(1), corrupt: percent(0.1))
        ),
        (
            "sudo /sbin/tc qdisc replace dev eth0 root netem delay 1500 limit 50 reorder 25% 50% gap 5 rate 1mbit",
            Conditions(),
            Conditions(
                rate: kilobits(1000), delay: .microseconds(1500), reorder: percent(25), queue: .packets(50))
        ),
        (
            "tc qdisc add dev eth0 root netem loss gemodel 1% 10% 70% 0.1%", Conditions(),
            Conditions(
                loss: .gilbertElliott(
                    GilbertElliott(
                        goodToBad: percent(1), badToGood: percent(10), lossInBad: percent(70), lossInGood: percent(0.1))
                ))
        ),
        // In tc(8) kbps are kilobytes, and k is 1,024 bytes.
        (
            "tc qdisc add dev eth0 root tbf rate 100kbps burst 32kbit limit 10k", Conditions(),
            Conditions(rate: kilobits(800), queue: .bytes(ByteCount(10_240)))
        ),
        (
            "tc qdisc add dev eth0 root tbf rate 1mbit burst 32kbit latency 400ms", Conditions(),
            Conditions(rate: kilobits(1000), queue: .bytes(ByteCount(50_000)))
        ),
        (
            """
            #!/bin/sh
            tc qdisc add dev ifb0 root handle 1: htb default 10
            tc class add dev ifb0 parent 1: classid 1:10 htb rate 5mbit ceil 8mbit \\
                burst 15k
            tc qdisc add dev ifb0 parent 1:10 handle 10: netem delay 20ms
            tc qdisc add dev eth0 root netem delay 5ms
            tc qdisc del dev eth1 root
            """, Conditions(rate: kilobits(8000), delay: .milliseconds(20)), Conditions(delay: .milliseconds(5))
        ),
        (
            "comcast --device=eth0 --latency=250 --target-bw=1000 --default-bw=1000000 --packet-loss=10% --target-port=80",
            Conditions(), Conditions(rate: kilobits(1000), delay: .milliseconds(250), loss: .random(percent(10)))
        ),
        (
            "tcset eth0 --rate 100Kbps --delay 20 --delay-distro 5ms --loss 0.1%\ntcset eth0 --direction incoming --rate 2Mbps --add",
            Conditions(rate: kilobits(2000)),
            Conditions(
                rate: kilobits(100), delay: .milliseconds(20),
                jitter: Jitter(amount: .milliseconds(5), distribution: .normal), loss: .random(percent(0.1)))
        ),
    ]

    @Test(arguments: scripts.indices) func aScriptYieldsALink(index: Int) throws {
        let (script, downlink, uplink) = Self.scripts[index]
        let profile = try #require(try list(script, name: "shape.sh").profiles.first?.profile)
        #expect(
            profile.name == "shape" && profile.conditions.downlink == downlink && profile.conditions.uplink == uplink)
        #expect(profile.conditions.contradictions.isEmpty)
    }

    @Test func theNotesOfAScriptNameWhatIsLeftOut() throws {
        let imported = try #require(
            try list(
                "set -e\ntc qdisc add dev eth0 root netem delay 9ms slot 1ms 2ms loss 1% ecn\ntc filter add dev eth0 u32"
            ).profiles.first)
        #expect(imported.notes.count == 5, "\(imported.notes)")
        for part in ["'slot'", "'ecn'", "'tc filter'", "1 lines are not commands", "shapes what 'eth0' sends"] {
            #expect(imported.notes.contains { $0.contains(part) }, "\(part): \(imported.notes)")
        }
        #expect(imported.profile.conditions.uplink.loss == .random(Self.percent(1)))
    }

    @Test func connectionsOfWebPageTest() throws {
        let profiles = try list(
            """
            ; comment
            [Cable]
            label="Cable (5/1 Mbps 28ms RTT)"
            bwIn=5000000
            bwOut=1000000
            latency=29
            plr=0

            [3G]
            bwIn=1600000
            bwOut=768000
            latency=300
            plr=1.5
            color=red
            """
        ).profiles
        #expect(profiles.map(\.profile.name) == ["cable", "3g"])
        let cable = profiles[0].profile.conditions
        #expect(cable.downlink == Conditions(rate: Self.kilobits(5000), delay: .milliseconds(15)))
        #expect(cable.uplink == Conditions(rate: Self.kilobits(1000), delay: .milliseconds(14)))
        #expect(profiles[1].profile.conditions.uplink.loss == .random(Self.percent(1.5)))
        #expect(profiles[1].notes == ["the unknown key 'color' of '3G' was left out"])
    }

    @Test func networksOfDevTools() throws {
        let profiles = try list(
            #"[{"title":"Slow 3G","download":50000,"upload":50000,"latency":2001},"#
                + #"{"title":"Lossy","download":-1,"upload":-1,"latency":0,"packetLoss":5,"packetQueueLength":10,"packetReordering":true}]"#
        ).profiles
        let slow = profiles[0].profile.conditions
        #expect(slow.downlink == Conditions(rate: Self.kilobits(400), delay: .milliseconds(1001)))
        #expect(slow.uplink == Conditions(rate: Self.kilobits(400), delay: .milliseconds(1000)))
        #expect(
            profiles[1].profile.conditions.downlink == Conditions(loss: .random(Self.percent(5)), queue: .packets(10)))
        #expect(profiles[0].notes.count == 1 && profiles[1].notes.count == 2)
    }

    @Test func theOutputOfTcshowIsRead() throws {
        let profiles = try list(
            #"{"eth0":{"outgoing":{"protocol=ip":{"filter_id":"800::800","delay":"20.0ms","rate":"100Kbps"}},"#
                + #""incoming":{"protocol=ip":{"loss":"0.1%"}}}}"#
        ).profiles
        #expect(profiles.map(\.profile.title) == ["eth0"])
        #expect(profiles[0].profile.conditions.uplink == Conditions(rate: Self.kilobits(100), delay: .milliseconds(20)))
        #expect(profiles[0].profile.conditions.downlink == Conditions(loss: .random(Self.percent(0.1))))
    }

    @Test(arguments: [
        ("tc qdisc add dev eth0 root netem delay $DELAY", "link.txt:1:1: 'netem … delay"),
        ("\ntc qdisc add dev eth0 root netem loss 101%", "link.txt:2:1: 'netem … loss"),
        ("tc qdisc add dev eth0 root netem loss state 1%", "'netem … loss"),
        ("tc qdisc add root netem delay 1ms", "names no device"),
        ("tc qdisc add dev eth0 root tbf rate 0kbit", "'tbf … rate"),
        ("tc qdisc add dev eth0 root netem delay 99999999ms", "'netem … delay"),
        ("tc qdisc add dev a root netem delay 1ms\ntc qdisc add dev b root netem delay 1ms", "'b' after 'a'"),
        ("tc qdisc del dev eth0 root", "the file has no device that tc, comcast or tcset shapes"),
        ("comcast --latency=fast", "'--latency fast'"),
        ("tcset --rate 1Mbps", "names no device"),
        ("tcset eth0 --rate 5", "'--rate 5'"),
        ("[Cable]\nbwIn=fast", "link.txt:1:1: 'bwIn' of 'Cable' is 'fast'"),
        ("[Cable]\nbwIn", "link.txt:2:1: 'bwIn' is neither a section nor a key"),
        ("[Cable]\nplr=101", "the most is 100 %"),
        ("[Cable]\nlatency=1e300", "more than an hour"),
        ("[Cable]\nbwIn=1e300", "the most is 1000 Gbit/s"),
        (#"[{"title":"a","download":0}]"#, "'a' is offline"),
        (#"[{"download":1}]"#, #"the key "title" is missing"#),
        (#"[{"title":"a","latency":1e300}]"#, "more than an hour"),
        (#"{"eth0":{"outgoing":{"a":{"rate":"x"}}}}"#, #""rate": 'x' is not a supported link setting"#),
        (#"{"eth0":{"outgoing":{"a":{},"b":{}}}}"#, "has 2 outgoing rules"),
        ("[]", "the file has no network of Chrome DevTools"),
        ("{", "link.txt:1:"),
    ])
    func impossibleValuesAreRefused(text: String, problem: String) throws {
        let error = #expect(throws: InvalidFiles.self) { try list(text) }
        #expect(error?.description.contains(problem) == true, "\(String(describing: error))")
    }
}
