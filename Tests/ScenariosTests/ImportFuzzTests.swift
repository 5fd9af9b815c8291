import Foundation
import LinkModel
import Scenarios
import Testing

/// Randomly changed files of other tools: they become valid profiles, or are refused with a reason.
@Suite(.sideBySide) struct ImportFuzzTests {
    private static let xml = """
        <?xml version="1.0" encoding="UTF-8"?>
        <plist version="1.0"><dict><key>Profiles</key><dict><key>Slow 3G</key><dict>
        <key>DownlinkBandwidth</key><real>780.5</real><key>DownlinkBandwidthUnit</key><integer>0</integer>
        <key>DownlinkDelay</key><integer>100</integer><key>DownlinkPacketLossRatio</key><real>1.5</real>
        <key>UplinkBandwidth</key><string>0.33</string><key>UplinkBandwidthUnit</key><integer>1</integer>
        <key>UplinkDelay</key><string>100.25</string><key>DNSDelayValue</key><integer>3000</integer>
        <key>RunOnInterface</key><string>en0</string><key>ExcludeLoopback</key><true/></dict></dict></dict></plist>
        """
    private static let trace = (1...60).map { "\($0 * 17)" }.joined(separator: "\n") + "\n# the end\n"

    private static let script = """
        tc qdisc add dev ifb0 root handle 1: netem delay 100ms 10ms 25% loss gemodel 1% 10% 70% 0.1% rate 1mbit limit 50
        tc qdisc add dev eth0 root tbf rate 100kbps burst 32kbit latency 400ms
        tcset eth0 --rate 100Kbps --delay 20ms --delay-distro 5ms --loss 0.1%
        """
    private static let connections = """
        [Cable]
        label="Cable"
        bwIn=5000000
        bwOut=1000000
        latency=28
        plr=0.5
        [3G]
        bwIn=1600000
        bwOut=768000
        latency=300
        ; the end of the file, and a word more so that there is something to change in it
        [DSL]
        bwIn=1500000
        bwOut=384000
        latency=50
        plr=0
        """
    private static let networks = """
        [{"title": "Slow 3G", "download": 50000, "upload": 50000, "latency": 2000},
         {"title": "Lossy", "download": 9e4, "upload": -1, "latency": 20, "packetLoss": 5, "packetQueueLength": 10,
          "packetReordering": true}]
        """

    private static let tokens = [
        "<dict>", "</dict>", "<array/>", "<key>", "<real>", "1e309", "NaN", "inf", "-1", "99999999999999999999",
        "\u{0}",
        "&#0;", "&lol;", "<!ENTITY a \"&a;&a;\">", "<![CDATA[", "]]>", "\u{1B}[2J", "\u{202E}", "\r\n", "0x10",
        "4294967296",
        "-0", "bplist00", "<date>", "<data>////</data>",
    ].map { Array($0.utf8) }

    private static func mutate(_ bytes: inout [UInt8], _ random: inout SplitMix64) {
        for _ in 0..<Int.random(in: 1...4, using: &random) {
            let index = Int.random(in: 0...bytes.count, using: &random)
            let end = min(bytes.count, index + Int.random(in: 0...16, using: &random))
            switch Int.random(in: 0..<6, using: &random) {
            case 0: bytes.removeSubrange(index..<end)
            case 1: bytes.insert(contentsOf: bytes[index..<end], at: Int.random(in: 0...bytes.count, using: &random))
            case 2: bytes.insert(UInt8.random(in: 0...255, using: &random), at: index)
            case 3: if index < bytes.count { bytes[index] = UInt8.random(in: 0...255, using: &random) }
            case 4: bytes.removeSubrange(index...)
            default: bytes.insert(contentsOf: Self.tokens.randomElement(using: &random) ?? [], at: index)
            }
        }
    }

    enum Kind: String, Sendable, CaseIterable {
        case xml
        case binary
        case trace
        case script
        case connections
        case networks

        var bytes: [UInt8] {
            switch self {
            case .xml: return Array(ImportFuzzTests.xml.utf8)
            case .trace: return Array(ImportFuzzTests.trace.utf8)
            case .script: return Array(ImportFuzzTests.script.utf8)
            case .connections: return Array(ImportFuzzTests.connections.utf8)
            case .networks: return Array(ImportFuzzTests.networks.utf8)
            case .binary:
                let value = try? PropertyListSerialization.propertyList(
                    from: Data(ImportFuzzTests.xml.utf8), format: nil)
                let data = try? PropertyListSerialization.data(
                    fromPropertyList: value ?? [], format: .binary, options: 0)
                return Array(data ?? Data())
            }
        }
    }

    @Test(arguments: Kind.allCases, [UInt64(1), 2, 3, 4])
    func `any bytes become valid profiles or are refused`(kind: Kind, seed: UInt64) throws {
        var random = SplitMix64(state: seed)
        let whole = kind.bytes
        try #require(whole.count > 200)
        let folder = try TemporaryFolder()
        var refused = 0
        var taken = 0
        for round in 0..<120 {
            var bytes = whole
            Self.mutate(&bytes, &random)
            let file = try folder.write("\(round).file", bytes)
            do throws(InvalidFiles) {
                switch try ProfileImport(file) {
                case .list(let list): try Self.check(list.profiles, notes: list.notes)
                case .traces(let downlink, let uplink):
                    try Self.check([ProfileImport.profile(downlink: downlink, uplink: uplink, title: "a")])
                }
                taken += 1
            } catch {
                refused += 1
                #expect(!error.diagnostics.isEmpty)
                for diagnostic in error.diagnostics { Self.expectPlain(diagnostic.description) }
            }
        }
        // Almost any change makes a binary list unreadable.
        #expect(refused > 0 && (taken > 0 || kind == .binary), "\(refused) refused, \(taken) taken")
    }

    /// Checks that profiles are within bounds, and that their notes contain no control characters.
    private static func check(
        _ imported: [ImportedProfile], notes: [String] = []
    ) throws(InvalidFiles) {
        for note in notes + imported.flatMap(\.notes) { expectPlain(note) }
        for one in imported {
            #expect(one.profile.conditions.contradictions.isEmpty)
            for direction in Direction.allCases {
                #expect(LinkBounds.delay.contains(one.profile.conditions[direction].delay))
                #expect(one.profile.conditions[direction].rate.map { $0.bitsPerSecond > 0 } ?? true)
            }
            #expect(!one.profile.name.isEmpty && one.profile.name.allSatisfy { $0.isASCII && !$0.isWhitespace })
        }
    }

    private static func expectPlain(_ text: String) {
        #expect(
            !text.isEmpty && !text.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x7F },
            "\(text.debugDescription)")
    }
}
