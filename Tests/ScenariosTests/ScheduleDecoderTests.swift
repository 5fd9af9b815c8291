import LinkModel
import SystemPackage
import Testing

@testable import Scenarios

/// `schedule` in scenarios: how it is read, and the problems of wrong ones.
@Suite struct ScheduleDecoderTests {
    private static let minimal = "scenario: Test\npacks: ./packs\nlink: 3g\nworkload: [{request: {tags: [a]}}]\n"

    @Test func linesInTheScenario() throws {
        let text =
            Self.minimal + """
                schedule:
                  - schedule version=1 seed=9
                  - L1 GET /a.bin from=0 try=1 cut@40%
                  - L2 conn=/a.bin down off=14480 len=1448 tx=1 drop
                  - "link outage kind=refused after=conn3:down:1048576 until=progress+3"
                """
        let cell = try scenario(text).cells[0]
        let schedule = try #require(cell.schedule)
        #expect(schedule.faults.seed == 9 && schedule.faults.lines.count == 3)
        #expect(schedule.marks.map(\.line) == [7, 8, 9] && schedule.file.hasSuffix("test.yaml"))
        #expect(schedule.hostFaults.map(\.fault.action) == ["cut@40%"] && schedule.hostFaults.map(\.mark.line) == [7])
        #expect(cell.hostFaults.isEmpty)
        #expect(
            cell.linkFaults == [
                LinkFault(
                    trigger: .bytes(1_048_576, .downlink, connection: .named("#3")),
                    effect: .offline(.refused),
                    duration: nil, until: .client(.progress, 3))
            ])
    }

    @Test(arguments: [
        ("after=3s until=5s", LinkFault(trigger: .time(.seconds(3)), effect: .cut, duration: .seconds(2))),
        (
            "after=3s wait=500ms until=5s",
            LinkFault(
                trigger: .time(.seconds(3)), wait: .milliseconds(500), effect: .cut, duration: .milliseconds(1500))
        ),
        ("after=start until=+5s", LinkFault(trigger: .time(.zero), effect: .cut, duration: .seconds(5))),
        (
            "after=down:9 until=5s",
            LinkFault(trigger: .bytes(9, .downlink), effect: .cut, duration: nil, until: .time(.seconds(5)))
        ),
        (
            "after=pack:a:40% until=pack:a:9",
            LinkFault(
                trigger: .packShare(Ratio(partsPerBillion: 400_000_000), pack: "a"), effect: .cut, duration: nil,
                until: .packBytes(9, pack: "a"))
        ),
        (
            "after=up:7",
            LinkFault(trigger: .bytes(7, .uplink), effect: .cut, duration: nil)
        ),
    ])
    func momentsOfTheLink(moments: String, fault: LinkFault) throws {
        var expected = fault
        expected.effect = .offline(.silent)
        let cell = try scenario(Self.minimal + "schedule: ['link outage \(moments)']").cells[0]
        #expect(cell.linkFaults == [expected])
    }

    @Test func profilesAndCuts() throws {
        let text = Self.minimal + "schedule: [link profile=edge after=1s until=+1s, link cut after=progress+2]"
        let faults = try scenario(text).cells[0].linkFaults
        #expect(faults.map(\.trigger) == [.time(.seconds(1)), .client(.progress, 2)])
        guard case .profile(let edge) = faults[0].effect else { throw InvalidFiles([]) }
        #expect(edge.name == "edge" && faults[1].effect == .cut)
    }

    @Test func aScheduleMayBeAFile() throws {
        let folder = try TemporaryFolder()
        try folder.write("packs/a.bin", "a")
        let recorded = FaultSchedule(
            seed: 3,
            lines: [
                .packet(.init(connection: .any, direction: .uplink, place: .handshake, effect: .drop)),
                .link(.init(effect: .offline(.silent), after: .time(.seconds(1)))),
            ])
        try folder.write("lists/one.txt", "# comment\n" + recorded.text)
        let matrix = "schedule: lists/one.txt\nmatrix: {schedule: [lists/one.txt, './lists/one.txt']}\n"
        let file = try folder.write("test.yaml", Self.minimal + matrix)
        let cells = try ScenarioLoader(profiles: Repository.profiles).load(file)[0].cells
        #expect(cells.map(\.schedule?.faults) == [recorded, recorded])
        #expect(cells[0].schedule?.marks.map(\.line) == [3, 4])
        #expect(cells[0].linkFaults.count == 1)
        try folder.write("lists/one.txt", "L2 conn=* up syn dorp\nlink profile=edgee after=1s\n" + recorded.header)
        let error = #expect(throws: InvalidFiles.self) {
            try ScenarioLoader(profiles: Repository.profiles).load(file)
        }
        let told = error?.diagnostics.map { "\($0)".split(separator: "lists/").last.map(String.init) ?? "" }
        #expect(told?.first == "one.txt:1:18: there is no 'dorp' in a packet fault; did you mean 'drop'?")
        #expect(told?.count == 2 && told?.last?.hasPrefix("one.txt:3:1: the header comes after other lines") == true)
    }

    @Test(arguments: [
        ("schedule: [L2 conn=* up syn dorp]", "5:29 there is no 'dorp' in a packet fault | did you mean 'drop'?"),
        ("schedule: ['L3 x']", "5:13 a line of a schedule cannot begin with 'L3' | did you mean 'L1'?"),
        ("schedule: nowhere.txt", "5:11 there is no file '"),
        ("schedule: packs", "5:11 '"),
        ("schedule: {a: b}", "5:11 found a mapping, expected text"),
        ("schedule: []", "5:11 this list is empty"),
        ("schedule: [[a]]", "5:12 found a list, expected text"),
        ("schedule: [\"link cut after=1s\\nlink cut after=2s\"]", "5:12 an item of a schedule is one line"),
        ("schedule: [link profile=edgee after=1s]", "5:12 there is no profile 'edgee' | did you mean 'edge'?"),
        (
            "faults: [{pack: a, status: 503}]\nschedule: [L1 GET /a.bin from=0 try=1 cut@1]",
            "6:1 both 'schedule' and 'faults' have faults of the host | a recorded schedule holds them already"
        ),
        (
            "faults: [{after: 1 s, link: cut}]\nschedule: [link cut after=2s]",
            "6:1 both 'schedule' and 'faults' have faults of the link"
        ),
        ("faults: [{after: 1 s, link: cut, for: 1 s}]", "5:34 a cut ends at once | leave 'for' out"),
        (
            "faults: [{after: 1 s, link: silent, for: 1 s, until: 3 s}]",
            "5:47 'until' cannot be combined with 'for' in a link fault | keep one of them"
        ),
        (
            "faults: [{after: 3 s, link: silent, until: 3 s}]",
            "5:37 the fault ends before it begins | to give its length"
        ),
        ("faults: [{after: progress + 0, link: cut}]", "5:18 'progress + 0' is not a moment"),
    ])
    func refusesWithPlaceAndHint(text: String, problem: String) throws {
        let found = try problems(inScenario: (Self.minimal + text).utf8)
        #expect(found.count == 1 && found[0].hasPrefix(problem), "\(found)")
    }

    @Test func aScheduleThatIsNoTextIsRefused() throws {
        let folder = try TemporaryFolder()
        try folder.write("packs/a.bin", "a")
        try folder.write("bytes.txt", [0x4C, 0x32, 0xFF, 0x0A])
        for (path, reason) in [("bytes.txt", "is not UTF-8"), ("/dev/zero", "is not a regular file")] {
            let file = try folder.write("test.yaml", Self.minimal + "schedule: \(path)\n")
            let error = #expect(throws: InvalidFiles.self) {
                try ScenarioLoader(profiles: Repository.profiles).load(file)
            }
            #expect(error?.description.contains(reason) == true, "\(String(describing: error))")
        }
    }

    @Test func onlyTheBuiltInHostIsScripted() throws {
        let remote = Self.minimal.replacing("packs: ./packs", with: "host: http://h.example/m.plist")
        let found = try problems(inScenario: (remote + "schedule: [L1 GET /a from=0 try=1 cut@1]").utf8)
        #expect(found.first?.hasPrefix("5:1 only the built-in host plays faults") == true)
        let packs = try problems(inScenario: (remote + "schedule: ['link cut after=pack:a:9']").utf8)
        #expect(packs.first?.hasPrefix("5:1 the packs of this host are unknown") == true)
    }
}
