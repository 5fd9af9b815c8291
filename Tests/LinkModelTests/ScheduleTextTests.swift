import LinkModel
import Testing

/// The notation of schedules: what is written is read back, and errors have their place.
@Suite(.sideBySide) struct ScheduleTextTests {
    static let lines = [
        "L1 GET /packs/a.zip from=0 try=1 cut@524288",
        "L1 HEAD * from=12 try=3 body=\"<b>sign in</b>\" type=text/html",
        "L2 conn=3 down off=14480 len=1448 tx=1 drop", "L2 conn=* up off=0 tx=1 delay=300ms",
        "L2 conn=/a%20b up syn tx=2 drop", "L2 conn=/a up dns tx=1 drop", "L2 conn=/a down rst tx=1 corrupt@0.25",
        "L2 conn=7 down packet=15 reorder", "L2 conn=* down off=65536 cut",
        "link outage kind=no-route after=conn3:down:1048576 until=progress+3",
        "link outage kind=silent after=0s until=+5s", "link outage kind=refused after=pack:level-2:40% until=1.5s",
        "link profile=edge after=down:1000 until=up:2000", "link cut after=pack:red+circle:1048576",
        "link outage kind=no-name after=conn/a.zip:up:1",
        "L2 conn=/a.zip#2 down off=0 len=0 tx=* duplicate", "L2 conn=/a up ack=17 tx=4 drop",
    ]
    static let laterLines = [
        "L2 conn=/a@5#2 up off=1 tx=1 stall=2s",
        "client killed after=pack:level-2:40%", "client killed after=progress+3",
        "link outage kind=silent after=callback+1 wait=400ms until=+1s", "client killed after=down:1 wait=2s",
        "device full after=pack:level-2:40%", "device full after=conn/a.zip:down:4096",
        "L1 GET /packs/a.zip from=0 try=2-4 status=503", "L1 GET /packs/a.zip from=0 try=5- redirect=?again",
    ]

    @Test(arguments: lines + laterLines) func `a line is read and written alike`(line: String) throws {
        let schedule = try FaultSchedule(parsing: line)
        #expect(schedule.lines.map(\.text) == [line])
        #expect(try FaultSchedule(parsing: schedule.text) == schedule)
    }

    @Test func `acknowledgements come last, and say so`() throws {
        let text = try FaultSchedule(parsing: Self.lines.reversed().joined(separator: "\n")).text
        let lines = text.split(separator: "\n").map(String.init)
        #expect(
            lines.suffix(3) == ["# Packets without data: they follow from timing, and seldom matter."] + [
                Self.lines[Self.lines.count - 1], Self.lines[Self.lines.count - 2],
            ])
        #expect(Array(lines.dropFirst().dropLast(3)) == Self.lines.dropLast(2).reversed())
    }

    @Test func `a header says how the lines were recorded`() throws {
        let lines = try FaultSchedule(parsing: Self.lines.joined(separator: "\n")).lines
        let schedule = FaultSchedule(seed: .max, profile: 0x0123, omitted: 4, lines: lines)
        #expect(
            schedule.header.hasPrefix("schedule version=1 seed=18446744073709551615 profile=0000000000000123 hash="))
        #expect(schedule.header.hasSuffix(" omitted=4"))
        #expect(try FaultSchedule(parsing: schedule.text) == schedule)
        let commented = "# why\r\n\r\n" + schedule.text.split(separator: "\n").joined(separator: "\r\n  # more\r\n\t")
        #expect(try FaultSchedule(parsing: commented) == schedule)
    }

    @Test(arguments: [
        ("L2 up tx=1 off=0 drop conn=#12", "L2 conn=12 up off=0 tx=1 drop"),
        ("L2 conn=1 down syn drop", "L2 conn=1 down syn tx=1 drop"),
        ("L2 conn=1 down off=0 corrupt", "L2 conn=1 down off=0 tx=1 corrupt@0.5"),
        ("link outage after=start", "link outage kind=silent after=0s"),
        ("L2 conn=1 down off=0 delay=1000ms", "L2 conn=1 down off=0 tx=1 delay=1s"),
    ])
    func `people may write less`(text: String, line: String) throws {
        #expect(try FaultSchedule(parsing: text).lines.map(\.text) == [line])
    }

    @Test(arguments: ["*", "3", "#", "#3x", "-", "a b", "a:b", "\\", "é", "a\u{0}\n", "conn=3", "/a?b#2", "\\x41"])
    func `any name is one word`(name: String) throws {
        let fault = FaultSchedule.PacketFault(
            connection: .named(name), direction: .downlink, place: .handshake, effect: .drop)
        let event = FaultSchedule.Event.bytes(1, .uplink, connection: .named(name))
        let change = FaultSchedule.LinkChange(
            effect: .profile(name), after: event, until: .packShare(.one, pack: name))
        let schedule = FaultSchedule(lines: [.packet(fault), .link(change)])
        #expect(schedule.text.split(separator: "\n").count == 3)
        #expect(try FaultSchedule(parsing: schedule.text) == schedule)
    }

    @Test func `a fault of the host stays on its line`() throws {
        let line = FaultSchedule.HostFaultLine(
            method: "GET", path: "/a", from: 0, tries: 1...1, action: "body=\"<p>\u{2028}\r\n\" type=\\u{9}")
        let schedule = FaultSchedule(lines: [.host(line)])
        #expect(try FaultSchedule(parsing: schedule.text) == schedule)
        #expect(line.action == "body=\"<p>\\u{2028}\\u{d}\\u{a}\" type=\\u{9}")
        #expect(line.hostAction == "body=\"<p>\u{2028}\r\n\" type=\t")
    }

    @Test(arguments: [
        ("client killed", "1:1: 'after' is missing; write after=3s, or after=down:1048576"),
        (
            "client killed after=1s until=2s",
            "1:24: there is no 'until' in a 'client' line; write one of killed, after"
        ),
        ("device full after=2s until=3s", "1:22: there is no 'until' in a 'device' line; write one of full, after"),
        ("device empty after=2s", "1:8: there is no 'empty' in a 'device' line; write one of full, after"),
        ("client killed after=+1s", "1:15: 'after' cannot be relative; remove the +"),
        (
            "drop everything",
            "1:1: a line of a schedule cannot begin with 'drop'; write one of L1, L2, link, client, device, schedule"
        ),
        ("\n\n L2 conn=1 down off=0", "3:1: the effect on the packet is missing; write one of drop, delay"),
        ("L2 down off=0 drop", "1:1: the connection is missing; write conn=*, conn=3 or conn=/a.zip"),
        ("L2 conn= down off=0 drop", "1:4: 'conn=' is not a connection; write conn=* for all"),
        ("L2 conn=\\x4 down off=0 drop", "1:4: 'conn=\\x4' is not a connection"),
        ("L2 conn=1 off=0 drop", "1:1: the direction is missing; write one of down, up"),
        ("L2 conn=1 down up off=0 drop", "1:16: 'up' cannot be combined with 'down'; keep one of them"),
        ("L2 conn=1 down off=-1 drop", "1:16: 'off=-1' is not a number; write off= and a whole number"),
        ("L2 conn=1 down off=9223372036854775807 drop", "1:16: 'off=9223372036854775807' is out of range; the range"),
        ("L2 conn=1 down off=0 len=999999999999 drop", "1:22: 'len=999999999999' is out of range"),
        ("L2 conn=1 down off=0 tx=0 drop", "1:22: 'tx=0' is out of range; the range is 1 to 1000000"),
        ("L2 conn=1 down off=0 drop duplicate", "1:27: 'duplicate' cannot be combined with 'drop'"),
        ("L2 conn=1 down off=0 drop drop", "1:27: 'drop' is repeated"),
        ("L2 conn=1 down off=0 dorp", "1:22: there is no 'dorp' in a packet fault; write one of conn, down"),
        ("L2 conn=1 down off=0 drop=1", "1:22: 'drop' takes no value"),
        ("L2 conn=1 down syn len=3 drop", "1:20: 'len' cannot be combined with this place"),
        ("L2 conn=1 down packet=1 tx=1 drop", "1:25: 'tx' cannot be combined with a packet's number or a cut"),
        ("L2 conn=1 down off=0 len=9 cut", "1:1: a cut happens at a byte; write off= without len="),
        ("L2 conn=1 down off=0 delay=5", "1:22: 'delay=5' is not a duration such as 300ms; it has no unit"),
        ("L2 conn=1 down off=0 delay=2h", "1:22: 'delay=2h' is out of range; the most is 1 h"),
        ("L2 conn=1 down off=0 corrupt@1", "1:22: 'corrupt@1' is not a place in a packet"),
        ("L2 conn=1 down off=0 corrupt@nan", "1:22: 'corrupt@nan' is not a place in a packet"),
        ("link outage until=3s", "1:1: 'after' is missing"),
        ("link outage after=3", "1:13: 'after=3' is not a duration"),
        ("link outage after=+3s", "1:13: 'after' cannot be relative; remove the +"),
        ("link outage after=3s until=3s", "1:22: it ends before it begins; write until=+5s"),
        ("link outage after=1s wait=2s until=3s", "1:30: it ends before it begins; write until=+5s"),
        ("link cut after=callback+0", "1:10: 'after=callback+0' is not a moment; callbacks are counted from 1"),
        ("link outage after=soon", "1:13: 'after=soon' is not a moment; write 3s, down:1048576"),
        ("link outage after=progress+0", "1:13: 'after=progress+0' is not a moment; reports of progress are counted"),
        ("link outage after=pack:red:101%", "1:13: 'after=pack:red:101%' is not a moment"),
        (
            "link outage kind=slient after=3s",
            "1:18: 'kind=slient' is not a kind of offline; write one of no-route"
        ),
        ("link cut after=3s until=4s", "1:19: 'until' cannot be combined with a cut"),
        ("link outage cut after=3s", "1:13: 'cut' cannot be combined with 'outage'"),
        ("L1 GET", "1:1: the host fault is incomplete; write for example L1 GET /packs/a.zip"),
        ("L1 GET packs from=0 try=1 cut@1", "1:8: 'packs' is not a path"),
        ("L1 get / from=0 try=1 cut@1", "1:4: 'get' is not an HTTP method"),
        ("L1 GET / try=1 from=0 cut@1", "1:10: from= and try= follow the path"),
        ("L1 GET / from=0 try=1 ", "1:1: the fault is missing"),
        ("schedule seed=1", "1:1: the header has no version; write version=1"),
        ("schedule version=2", "1:10: this Headwind reads version 1 of schedules; use a later Headwind"),
        ("schedule version=1 sed=1", "1:20: there is no 'sed' in a header"),
        ("schedule version=1 seed=-1", "1:20: 'seed=-1' is not a seed"),
        ("schedule version=1 profile=12", "1:20: 'profile=12' is not a hash; write 16 hexadecimal digits"),
        ("schedule version=1 hash=0000000000000000\nlink cut after=1s", "1:20: the hash does not match the lines"),
        ("link cut after=1s\nschedule version=1", "2:1: the header comes after other lines"),
        ("L2 conn=1\u{1b}[2J down", "1:10: this character is not allowed in a schedule"),
        (
            "L1 GET /é from=0 try=x cut@1",
            "1:18: 'try=x' is not a number of 1 or more, or a range; write try=3, try=3-5, or try=3-"
        ),
    ])
    func `an error has its place`(text: String, problem: String) {
        let error = #expect(throws: FaultScheduleError.self) { try FaultSchedule(parsing: text) }
        #expect(error?.problems.count == 1)
        #expect(error?.description.hasPrefix(problem) == true, "\(error?.description ?? "")")
    }

    @Test func `all errors are reported, within bounds`() {
        let text = String(repeating: "nonsense\n", count: 5000)
        let error = #expect(throws: FaultScheduleError.self) { try FaultSchedule(parsing: text) }
        #expect(error?.problems.count == 100)
        let long = "link cut after=1s # " + String(repeating: "x", count: 20_000)
        #expect(throws: FaultScheduleError.self) { try FaultSchedule(parsing: long) }
        let most = String(repeating: "link cut after=1s\n", count: FaultSchedule.mostLines)
        #expect((try? FaultSchedule(parsing: most))?.lines.count == FaultSchedule.mostLines)
        let error2 = #expect(throws: FaultScheduleError.self) { try FaultSchedule(parsing: most + "link cut after=1s") }
        #expect(error2?.problems.count == 1 && error2?.problems.first?.line == FaultSchedule.mostLines + 1)
    }

    /// A short line may name hundreds of thousands of slots, and a schedule has many lines.
    @Test func `the stretches of a whole list are bounded`() throws {
        let line = "L2 conn=$ down off=0 len=\(200_000 * LossProcess.slotBytes) tx=1 drop\n"
        let text = (1...5).map { line.replacing("$", with: "\($0)") }.joined()
        #expect(try FaultSchedule(parsing: text).lines.count == 5)
        let error = #expect(throws: FaultScheduleError.self) {
            try FaultSchedule(parsing: text + "L2 conn=6 down off=0 len=0 drop\n")
        }
        #expect(error?.problems.first?.line == 6)
        #expect(
            error?.description.contains("more than 1000000 slots of 1448 bytes") == true, "\(error?.description ?? "")")
    }

    @Test func `random texts are read or refused`() throws {
        var random = SplitMix(state: 5)
        let pieces =
            Self.lines.flatMap { $0.split(separator: " ").map(String.init) } + [
                "", "=", "@", ":", "+", "\\x", "\\x00", "*", "#", "999999999999999999999", "-0", "\u{e9}", "\t", "\n",
                "\r\n", "tx=*", "schedule", "version=1", "hash=0", "\u{2028}", "e\u{301}",
            ]
        var read = 0
        for _ in 0..<4000 {
            var words = pieces.indices.shuffled(using: &random).prefix(Int(random.next() % 9)).map { pieces[$0] }
            if let line = Self.lines.randomElement(using: &random), random.next() % 2 == 0 {
                words = line.split(separator: " ").map(String.init)
                words[Int(random.next() % UInt64(words.count))] = pieces.randomElement(using: &random) ?? ""
            }
            let text = words.joined(separator: " ")
            guard let schedule = try? FaultSchedule(parsing: text) else { continue }
            read += 1
            #expect(try FaultSchedule(parsing: schedule.text) == schedule, "\(text.debugDescription)")
        }
        #expect(read > 200)
    }

    @Test func `the hash is of the lines, in any order, and never changes`() throws {
        let schedule = try FaultSchedule(parsing: Self.lines.joined(separator: "\n"))
        var other = schedule
        other.lines.reverse()
        other.seed = 12
        #expect(schedule.digest == other.digest)
        other.lines.append(other.lines[0])
        #expect(schedule.digest != other.digest)
        other.lines.removeLast(2)
        #expect(schedule.digest != other.digest)
        #expect(FaultSchedule().digest == "b66bc9010153d866")
        #expect(schedule.digest == "5f135ef6d556abeb")
    }

    @Test func `the fingerprint of a profile covers what the link does`() throws {
        var profile = Profile.lte.losing(percent: 1, direction: .downlink)
        let fingerprint = profile.fingerprint
        #expect(fingerprint.hexadecimal == "327a46cb4d2aaf4b")
        profile.title = "Other"
        #expect(profile.fingerprint == fingerprint)
        let changes: [(inout Profile) -> Void] = [
            { $0.conditions.uplink.delay += .nanoseconds(1) }, { $0.conditions.mtu = 1400 },
            { $0.conditions.offline = .silent }, { $0.conditions.downlink.loss = nil },
            { $0.conditions.downlink.jitter = Jitter(amount: .zero, distribution: .normal) },
            { $0.conditions.downlink.queue = .packets(5) }, { $0.conditions.downlink.queue = .bytes(ByteCount(5)) },
            { $0.changes = [.init(at: .zero, conditions: $0.conditions)] },
            { $0.stall = .init(period: .seconds(2), length: .seconds(1)) },
            { $0.downlinkTrace = try? DeliveryTrace(mahimahi: "1") },
            { $0.uplinkTrace = try? DeliveryTrace(mahimahi: "1") }, { $0.conditions.isHeld = true },
        ]
        let fingerprints = changes.map { change in
            var changed = profile
            change(&changed)
            return changed.fingerprint
        }
        #expect(Set(fingerprints + [fingerprint]).count == changes.count + 1)
    }
}

/// SplitMix64, by Sebastiano Vigna.
struct SplitMix: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }
}
