import Documents
import Foundation
import LinkModel
import SystemPackage
import Testing

@testable import Scenarios

/// Links have one notation, which reads back from YAML, from JSON, from a scenario and from a request.
@Suite("Notation of links", .sideBySide) struct LinkNotationTests {
    private static let reader = LinkRequestReader(library: Repository.profiles, started: Profile(name: "started"))

    private static func json(_ notation: JSONTree) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(notation), as: UTF8.self)
    }

    private static func request(_ key: String, _ notation: JSONTree) throws -> LinkRequest {
        try reader.read(Array(#"{"\#(key)": \#(try json(notation))}"#.utf8))
    }

    /// The profile that results from writing this text and these traces to files and reading them.
    private static func again(_ text: String, traces: [String: String] = [:]) throws -> Profile {
        let folder = try TemporaryFolder()
        for (name, trace) in traces { try folder.write(name, trace) }
        return try Repository.profiles.profile(file: try folder.write("p.yaml", text))
    }

    @Test("any profile reads back from every notation", arguments: 0..<6)
    func everyNotation(part: UInt64) throws {
        for seed in (part * 60)..<(part * 60 + 60) {
            var links = RandomLinks(seed: seed)
            let profile = links.profile()
            let written = profile.notation()
            let files = profile.files
            #expect(try Self.again(files.text, traces: files.traces) == profile, "seed \(seed), YAML:\n\(files.text)")
            #expect(try Self.again(profile.text()) == profile, "seed \(seed), YAML alone:\n\(profile.text())")
            let json = try Self.json(written)
            #expect(try Self.again(json) == profile, "seed \(seed), JSON:\n\(json)")
            #expect(try Self.request("profile", written) == .profile(profile), "seed \(seed), request:\n\(json)")
        }
    }

    @Test("any conditions read back from a request and from a scenario", arguments: 0..<6)
    func conditions(part: UInt64) throws {
        for seed in (part * 60)..<(part * 60 + 60) {
            var links = RandomLinks(seed: seed)
            let conditions = links.conditions()
            let written = conditions.notation
            let json = try Self.json(written)
            #expect(try Self.request("conditions", written) == .conditions(conditions), "seed \(seed): \(json)")
            let event = LinkEvent(
                at: Instant(nanoseconds: 1), connection: 0, kind: .conditions(conditions: conditions, generation: 1))
            let told = try #require(JSONTree(encoding: event)["conditions"])
            #expect(told == written)
            for direction in Direction.allCases {
                #expect(LinkConditions.rate(direction, in: told) == conditions[direction].rate, "seed \(seed): \(json)")
            }
            #expect(LinkConditions.offline(in: told) == conditions.offline)
            let lines = json.split(separator: "\n").map { "  \($0)" }.joined(separator: "\n")
            let text = "scenario: T\npacks: ./packs\nworkload: [{request: {tags: [red]}}]\nlink:\n\(lines)"
            #expect(try scenario(text).cells[0].link.profile.conditions == conditions, "seed \(seed):\n\(text)")
        }
    }

    @Test("every bundled profile reads back", arguments: Repository.profiles.names)
    func bundled(name: String) throws {
        let profile = try Repository.profiles.profile(named: name)
        #expect(try Self.again(try Self.json(profile.notation())) == profile)
        #expect(try Self.request("profile", profile.notation()) == .profile(profile))
    }

    @Test("a trace is a file, or is written out")
    func traces() throws {
        let text = "profile: x\nsource: s\nextends: 3g\ntrace: {downlink: {milliseconds: 0 1 4}}"
        let profile = try Self.again(text)
        #expect(profile.downlinkTrace?.milliseconds == [0, 1, 4] && profile.uplinkTrace == nil)
        // It replaces the rate of 3g.
        #expect(profile.conditions.downlink.rate == nil && profile.conditions.uplink.rate != nil)
        #expect(try Self.again(profile.text()) == profile)
        for (moments, problem) in [
            ("0 4 1", "number 3: 1 ms comes after 4 ms; times must not decrease"), ("0", "the trace ends at 0 ms"),
            ("soon", "number 1: 'soon' is not a whole number"), ("' '", "the trace has no line"),
        ] {
            let error = #expect(throws: InvalidFiles.self) { try Self.again(text.replacing("0 1 4", with: moments)) }
            #expect(error?.description.contains(problem) == true, "\(String(describing: error))")
        }
    }

    @Test("a request is read by the keys and units of profiles")
    func requests() throws {
        let conditions = """
            {"downlink": {"rate": "780 kbit/s", "delay": "100 ms", "jitter": "5 ms", "loss": "1 %", "queue": "50 packets"},
             "uplink": {"loss": {"good-to-bad": "1 %", "bad-to-good": "20 %"}, "rate":"330 kbit/s"}, "dns-delay": "50 ms",
             "held": true, "online": true, "mtu": 1400}
            """
        var expected = LinkConditions(
            downlink: Conditions(
                rate: BitRate(bitsPerSecond: 780_000), delay: .milliseconds(100),
                jitter: Jitter(amount: .milliseconds(5)), loss: .random(try Ratio(parsing: "1 %")), queue: .packets(50)),
            uplink: Conditions(
                rate: BitRate(bitsPerSecond: 330_000),
                loss: .gilbertElliott(
                    .init(goodToBad: try Ratio(parsing: "1 %"), badToGood: try Ratio(parsing: "20 %")))))
        expected.dnsDelay = .milliseconds(50)
        expected.isHeld = true
        expected.mtu = 1400
        for body in [
            "{\"conditions\": \(conditions)}", "\t\n{\"conditions\":\(conditions)\n\t}\r\n\t",
            "{\"version\": 2, \"conditions\": \(conditions)}",
            "{\"version\": 1, \"conditions\": \(conditions.replacing("dns-delay", with: "dnsDelay"))}",
            // Version 1 treats null as an absent key.
            "{\"version\": 1, \"conditions\": \(conditions.dropLast()), \"offline\": null}}",
        ] {
            #expect(try Self.reader.read(Array(body.utf8)) == .conditions(expected), "\(body)")
        }
        #expect(try Self.reader.read(Array(#"{"profile": "started"}"#.utf8)) == .profile(Profile(name: "started")))
        // Valid JSON that YAML does not allow.
        #expect(try Self.reader.read(Array("{\"offline\"\n:null}".utf8)) == .offline(nil))
        let title = #"{"profile": {"profile": "mine", "source": "\ud83d\ude80 \u2028\ue100"}}"#
        guard case .profile(let profile) = try Self.reader.read(Array(title.utf8)) else { return #expect(Bool(false)) }
        #expect(profile.name == "mine" && profile.source == "🚀 \u{2028}\u{E100}")
        #expect(try Self.reader.read(Array(#"{"offline": null}"#.utf8)) == .offline(nil))
        #expect(try Self.reader.read(Array(#"{"offline": "no-name"}"#.utf8)) == .offline(.noName))
    }

    @Test(
        "an invalid request is reported with its place",
        arguments: [
            ("{}", "body:1:1: a change of the link needs one of the keys profile, conditions, offline"),
            (#"{"profile": "3g", "offline": null}"#, "body:1:19: 'offline' cannot be combined with 'profile'"),
            (
                #"{"profil": "3g"}"#,
                "body:1:2: there is no key 'profil' in a change of the link; did you mean 'profile'?"
            ),
            (#"{"profile": "5g"}"#, "body:1:13: there is no profile '5g'; did you mean '3g'?"),
            (#"{"profile": "./3g.yaml"}"#, "as an object, never a file"),
            (#"{"profile": null}"#, "there is no profile 'null'"),
            (#"{"profile": ["3g"]}"#, "body:1:13: found a list, expected a profile"),
            (#"{"profile": {"a": 1, "a": 2}}"#, #"body:1:22: the key "a" appears twice"#),
            (#"{"version": 3, "profile": "3g"}"#, "body:1:2: this Headwind reads version 2 of the control API"),
            (#"{"offline": "maybe"}"#, "body:1:13: 'maybe' is not an offline state"),
            (#"{"offline": 1}"#, "body:1:13: '1' is not an offline state"),
            (#"{"offline": "null"}"#, "'null' is not an offline state"),
            ("{", "the body is not JSON"), ("", "the body is not JSON"), ("profile: 3g", "the body is not JSON"),
            (#"{profile: "3g"}"#, "the body is not JSON"), ("[]", "found a list, expected a change of the link"),
            (#"{"conditions": null}"#, "found 'null', expected the conditions of a link"),
            (#"{"conditions": {"downlink": {"rate": "80"}}}"#, "it has no unit; write 80 kbit/s or Mbit/s"),
            (#"{"conditions": {"downlink": {"loss": 0.01}}}"#, "it has no unit; write 0.01 %"),
            (#"{"conditions": {"uplink": {"delay": "-1 ms"}}}"#, "'-1 ms' is not a duration"),
            (#"{"conditions": {"downlink": {"speed": "80 kbit/s"}}}"#, "there is no key 'speed' in a downlink"),
            (#"{"conditions": {"downlink": {"delay": "2562047 h"}}}"#, "the most is 1 h"),
            (#"{"conditions": {"uplink": {"delay": "1 h", "jitter": "61 min"}}}"#, "the most is 1 h"),
            (#"{"conditions": {"dns-delay": "2 h"}}"#, "the most is 1 h"),
            (#"{"conditions": {"dnsDelay": "1 s"}}"#, "there is no key 'dnsDelay'"),
            (#"{"conditions": {"dnsDelay": "1 s"}}"#, "did you mean 'dns-delay'?"),
            (#"{"conditions": {"uplink": {"delay": "1 ms", "jitter": "5 s"}}}"#, "the jitter of the uplink"),
            (
                #"{"version": 1, "conditions": {"dns-delay": "1 s", "dnsDelay": "1 s"}}"#,
                "cannot be combined with 'dns-delay'"
            ),
            (#"{"conditions": {"downlink": {"rate": null}}}"#, "'null'"),
            (#"{"offline": "silent", "offline": null}"#, #"the key "offline" appears twice"#),
            (
                #"{"conditions": {"uplink": {"delay": "1 ms"}, "uplink": {}}}"#,
                #"the key "uplink" appears twice"#
            ),
            (#"{"conditions": {"held": true, "h\u0065ld": false}}"#, #"the key "held" appears twice"#),
        ])
    func refusedRequests(body: String, problem: String) {
        let error = #expect(throws: InvalidFiles.self) { try Self.reader.read(Array(body.utf8)) }
        #expect(error?.description.contains(problem) == true, "\(String(describing: error))")
    }

    @Test("a bundled profile with problems is named, and not quoted")
    func problemsOfFiles() throws {
        let folder = try TemporaryFolder()
        try folder.write("bad.yaml", "profile: bad\nsource: secret\nrate: secret")
        let reader = LinkRequestReader(library: ProfileLibrary(folder: folder.path), started: Profile(name: "x"))
        for body in [#"{"profile": "bad"}"#, #"{"profile": {"profile": "own", "source": "s", "extends": "bad"}}"#] {
            let error = #expect(throws: InvalidFiles.self) { try reader.read(Array(body.utf8)) }
            #expect(
                error?.description
                    == "the request names a bundled profile that has problems; run 'headwind profile check' on its file"
            )
        }
    }
}
