import Foundation
import LinkModel
import SystemPackage
import Testing

@testable import Scenarios

/// Files of other tools, and the profiles made of them.
@Suite struct ProfileImportTests {
    /// A property list as the Network Link Conditioner stores it.
    private static func list(_ profiles: String) -> String {
        """
        <?xml version="1.0" encoding="UTF-8"?>
        <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
        <plist version="1.0"><dict>
          <key>Profiles</key><dict>\(profiles)</dict>
          <key>SelectedProfile</key><string>3G</string>
          <key>SimulatorIsRunning</key><false/>
          <key>Telemetry</key><string>x</string>
        </dict></plist>
        """
    }

    private static let full = """
        <key>My 3G (slow)</key><dict>
          <key>DownlinkBandwidth</key><real>780.5</real><key>DownlinkBandwidthUnit</key><integer>0</integer>
          <key>DownlinkDelay</key><integer>100</integer><key>DownlinkPacketLossRatio</key><real>1.5</real>
          <key>UplinkBandwidth</key><string>0.33</string><key>UplinkBandwidthUnit</key><integer>1</integer>
          <key>UplinkDelay</key><string>100.25</string><key>UplinkPacketLossRatio</key><integer>0</integer>
          <key>DNSDelayValue</key><integer>3000</integer><key>RunOnInterface</key><string>en0</string>
          <key>ProtocolFamily</key><integer>0</integer><key>ExcludeLoopback</key><true/><key>Colour</key><string>b</string>
        </dict>
        <key>100% Loss</key><dict>
          <key>DownlinkBandwidth</key><integer>0</integer><key>DownlinkPacketLossRatio</key><integer>100</integer>
          <key>UplinkPacketLossRatio</key><integer>100</integer>
        </dict>
        """

    private func conditioner(_ bytes: some Sequence<UInt8>, name: String = "nlc.plist") throws -> ImportedList {
        let folder = try TemporaryFolder()
        let file = try folder.write(name, bytes)
        guard case .list(let list) = try ProfileImport(file) else { throw CocoaError(.coderInvalidValue) }
        return list
    }

    @Test(arguments: [PropertyListSerialization.PropertyListFormat.xml, .binary])
    func everyNumberHasItsUnit(format: PropertyListSerialization.PropertyListFormat) throws {
        var bytes = Data(Self.list(Self.full).utf8)
        if format == .binary {
            let value = try PropertyListSerialization.propertyList(from: bytes, format: nil)
            bytes = try PropertyListSerialization.data(fromPropertyList: value, format: .binary, options: 0)
        }
        let list = try conditioner(bytes)
        #expect(list.notes == ["the unknown key 'Telemetry' was left out"])
        #expect(list.profiles.map(\.profile.name) == ["100-percent-loss", "my-3g-slow"])
        let (loss, slow) = (list.profiles[0], list.profiles[1])
        #expect(slow.profile.title == "My 3G (slow)")
        let link = slow.profile.conditions
        #expect(
            link.downlink.rate == BitRate(bitsPerSecond: 780_500) && link.uplink.rate == BitRate(bitsPerSecond: 330_000)
        )
        #expect(link.downlink.delay == .milliseconds(100) && link.uplink.delay == .microseconds(100_250))
        #expect(link.downlink.loss == .random(Ratio(partsPerBillion: 15_000_000)) && link.uplink.loss == nil)
        #expect(link.dnsDelay == .seconds(3))
        #expect(
            slow.notes == [
                "the unknown key 'Colour' of 'My 3G (slow)' was left out",
                "'My 3G (slow)' applied to the interface 'en0' only; here it applies to the whole link",
            ])
        #expect(loss.profile.conditions.downlink == Conditions(loss: .random(.one)) && loss.notes == [])
        try check(list.profiles.map(\.profile))
    }

    @Test func aProfileAloneAndAListOfThem() throws {
        let alone =
            "<plist><dict><key>DownlinkBandwidth</key><integer>40</integer><key>DownlinkBandwidthUnit</key><integer>1</integer></dict></plist>"
        let one = try conditioner(alone.utf8, name: "Home.plist").profiles
        #expect(one.map(\.profile.title) == ["Home"])
        #expect(one[0].profile.conditions.downlink.rate == BitRate(bitsPerSecond: 40_000_000))
        let several = "<plist><dict><key>A b</key><dict/><key>a-B</key><dict/><key>é</key><dict/></dict></plist>"
        let names = try conditioner(several.utf8).profiles.map(\.profile.name)
        #expect(names == ["a-b", "a-b-2", "imported"])
    }

    @Test(arguments: [
        ("DownlinkBandwidth", "<integer>-1</integer>", "'DownlinkBandwidth' is -1, not a number of 0 or more"),
        ("DownlinkBandwidth", "<string>fast</string>", "'DownlinkBandwidth' is 'fast', not a number"),
        ("DownlinkBandwidth", "<real>nan</real>", "'DownlinkBandwidth' is "),
        ("DownlinkBandwidth", "<real>1e300</real>", "'DownlinkBandwidth' is 1e+300 kbit/s; the most is 1000000000.0"),
        ("DownlinkBandwidth", "<real>0.0001</real>", "'DownlinkBandwidth' is less than 1 bit/s"),
        ("UplinkBandwidthUnit", "<integer>2</integer>", "'UplinkBandwidthUnit' is 2.0; write 0 for kbit/s or 1"),
        ("UplinkDelay", "<integer>99999999</integer>", "'UplinkDelay' is 99999999.0 ms; the most is 3600000.0 ms"),
        ("UplinkPacketLossRatio", "<integer>101</integer>", "'UplinkPacketLossRatio' is 101.0 %; the most is 100.0 %"),
        ("DNSDelayValue", "<array/>", "'DNSDelayValue' is an array, not a number"),
    ])
    func impossibleValuesAreRefused(key: String, value: String, problem: String) throws {
        let list = Self.list("<key>P</key><dict><key>\(key)</key>\(value)</dict>")
        let error = #expect(throws: InvalidFiles.self) { try conditioner(list.utf8) }
        #expect(
            error?.diagnostics.count == 1 && error?.diagnostics[0].message.hasPrefix("'P': \(problem)") == true,
            "\(String(describing: error))")
    }

    @Test(arguments: [
        ("<plist><array/></plist>", "the file is an array, not a dictionary of profiles"),
        ("<plist><dict/></plist>", "the file has no profile of the Network Link Conditioner"),
        ("<plist><dict><key>P</key><string>x</string></dict></plist>", "'P' is a string, not a profile"),
        ("<plist><dict><key>P</key>", "in line 1, <dict> has no end"),
        ("bplist00garbage", "it is cut off"),
        ("", "the trace has no line"),
        ("seven\n", "'seven' is not a whole number of milliseconds"),
    ])
    func otherFilesAreRefused(text: String, problem: String) throws {
        let error = #expect(throws: InvalidFiles.self) { try conditioner(text.utf8) }
        #expect(error?.description.contains(problem) == true, "\(String(describing: error))")
    }

    @Test func tooManyProfilesAreRefused() throws {
        let many = (0..<501).map { "<key>\($0)</key><dict/>" }.joined()
        let error = #expect(throws: InvalidFiles.self) { try conditioner(Self.list(many).utf8) }
        #expect(error?.description.contains("the file has 501 profiles, more than the limit of 500") == true)
    }

    @Test func tracesOfBothDirections() throws {
        let folder = try TemporaryFolder()
        let (down, up) = (try folder.write("lte.down", "0\n1\n4\n"), try folder.write("lte.up", "3\n"))
        guard case .traces(let downlink, let uplink) = try ProfileImport(down, uplink: up) else {
            throw CocoaError(.coderInvalidValue)
        }
        let both = ProfileImport.profile(downlink: downlink, uplink: uplink, title: "lte")
        #expect(both.profile.downlinkTrace?.milliseconds == [0, 1, 4] && both.profile.uplinkTrace?.milliseconds == [3])
        #expect(both.notes == [])
        try folder.write("lte.yaml", both.profile.text(traces: [.downlink: "lte.down", .uplink: "lte.up"]))
        #expect(try Repository.profiles.profile(file: folder.path.appending("lte.yaml")) == both.profile)
        let one = ProfileImport.profile(downlink: downlink, uplink: nil, title: "lte")
        #expect(one.profile.uplinkTrace == nil && one.notes.count == 1)
        let list = try folder.write("nlc.plist", "<plist><dict/></plist>")
        #expect(throws: InvalidFiles.self) { try ProfileImport(list, uplink: up) }
        #expect(throws: InvalidFiles.self) { try ProfileImport(down, uplink: list) }
        for path in [folder.path, folder.path.appending("none"), "/dev/zero"] as [FilePath] {
            let error = #expect(throws: InvalidFiles.self) { try ProfileImport(path) }
            #expect(error?.diagnostics.first?.message.hasPrefix("the file '") == true)
        }
    }

    @Test func everyBundledProfileReadsBack() throws {
        try check(try Repository.profiles.all())
    }

    @Test func aTextKeepsChanges() throws {
        let example = try #require(
            String(Examples.profile.text).replacing("extends: flaky-lte", with: "mtu: 1500").replacing(
                "mtu: 1400\n", with: "") as String?)
        let folder = try TemporaryFolder()
        let file = try folder.write("a.yaml", example)
        try check([try Repository.profiles.profile(file: file)])
    }

    @Test(arguments: [
        ("My 3G!", "my-3g"), ("100% Loss", "100-percent-loss"), ("HSPA+", "hspa-plus"),
        ("Wi-Fi 802.11ac", "wi-fi-802.11ac"),
        ("../../etc", "etc"), ("...", "imported"), ("", "imported"),
        (String(repeating: "ab ", count: 99), "ab-ab-ab-ab-ab-ab-ab-ab-ab-ab-ab-ab-ab-ab-ab-ab-ab-ab-ab"),
    ])
    func namesAreMadeOfTitles(title: String, name: String) {
        #expect(ImportedProfile.name(for: title) == name)
    }

    @Test func titlesStayTexts() throws {
        let titles = [
            "a: b # c", "\"quoted\" \\ back", "line\nbreak", "\u{1B}[2J", "no", "- x", "é\u{202E}", "\u{2028}\u{7F}",
            "\u{E200}\u{FEFF}\u{9B}",
        ]
        for title in titles {
            let profile = Profile(name: "x", title: title, source: title)
            let folder = try TemporaryFolder()
            let file = try folder.write("x.yaml", profile.text())
            #expect(try Repository.profiles.profile(file: file) == profile)
            // A foreign file must not send control characters to a terminal.
            let imported = ImportedProfile(profile: profile, notes: []).profile
            #expect(
                !"\(imported.title)\(imported.source)".unicodeScalars.contains {
                    "\n\u{1B}\u{9B}\u{202E}".unicodeScalars.contains($0)
                })
        }
    }

    /// Checks that profiles equal those read back from their texts.
    private func check(_ profiles: [Profile]) throws {
        for profile in profiles {
            let folder = try TemporaryFolder()
            let file = try folder.write("\(profile.name).yaml", profile.text())
            #expect(try Repository.profiles.profile(file: file) == profile)
        }
    }
}
