import LinkModel
import PackFormat
import Results
import SystemPackage
import Testing

@testable import Scenarios

/// What a scenario may contain.
@Suite struct ScenarioTests {
    private static let base = "scenario: Test\npacks: ./packs\nlink: 3g\n"
    private static let minimal = base + "workload: [{request: {tags: [a]}}]\n"

    @Test func readsAWholeScenario() throws {
        let text = """
            scenario: Level 2 survives the tunnel
            catalog: shapes
            device: {limits: ios-2015, capacity: 256 MB, radio: cellular}
            link: {profile: 3g, seed: 7, fidelity: packet}
            workload:
              - request: {tags: [level-2], priority: urgent}
            faults:
              - {after: 40% of level-2, link: offline, for: 5 s}
            expect: available
            budgets:
              time_to_first_byte: max <= 1 s
              time_to_available: median <= 1.2 x ideal + 12 s
              longest_stall: max <= 13 s
              redundant_bytes: max <= 64 KiB
              progress: [monotonic, honest within 2%]
            attempts: 7
            matrix: {link.profile: [3g, lte]}
            """
        let scenario = try scenario(text)
        #expect(scenario.name == "test" && scenario.title == "Level 2 survives the tunnel")
        #expect(scenario.cells.map(\.id) == ["test-3g", "test-lte"])
        #expect(scenario.cells.map(\.title).last == "Level 2 survives the tunnel")
        let cell = try #require(scenario.cells.first)
        #expect(cell.content == .catalog(.builtIn("shapes")) && !cell.tls)
        #expect(cell.device.capacity == ByteCount(256_000_000) && cell.device.radio == .cellular)
        #expect(cell.link.profile.name == "3g" && cell.link.seed == 7 && cell.link.fidelity == .packet)
        #expect(cell.workload.requests == [.init(id: "r1", tags: ["level-2"], priority: .urgent, isBackground: false)])
        let share = Ratio(partsPerBillion: 400_000_000)
        #expect(
            cell.linkFaults == [
                LinkFault(
                    trigger: .packShare(share, pack: "level-2"), effect: .offline(.noRoute), duration: .seconds(5))
            ])
        #expect(cell.hostFaults.isEmpty)
        #expect(cell.expectations.requests == [RequestExpectation(.available())])
        #expect(cell.budgets.count == 6 && cell.budgets.map(\.budget.key).last == "progress")
        #expect(cell.attempts == Attempts(min: 7, max: 21))
        #expect(
            scenario.cells[1].link.profile.name == "lte"
                && scenario.cells[1].point == [.init(path: "link.profile", value: "lte")])
    }

    @Test func defaultsAreThoseOfTheDocumentation() throws {
        let cell = try scenario(Self.minimal).cells[0]
        #expect(cell.id == "test" && cell.title == "Test" && cell.point.isEmpty)
        #expect(!cell.tls)
        #expect(
            cell.device
                == Device(
                    limits: .ios2015, capacity: ByteCount(512_000_000), storage: nil, radio: .wifi,
                    isCellularAllowed: true))
        #expect(cell.link.seed == 1 && cell.link.fidelity == .any)
        #expect(cell.workload.requests == [.init(id: "r1", tags: ["a"], priority: .value(0.5), isBackground: false)])
        #expect(cell.hostFaults.isEmpty && cell.linkFaults.isEmpty && cell.budgets.isEmpty)
        #expect(cell.expectations == Expectations(requests: [RequestExpectation(.available())], files: []))
        #expect(cell.attempts == Attempts(min: 1, max: 3))
        #expect(cell.patience == .seconds(60) && cell.deadline == .seconds(120))
    }

    @Test func content() throws {
        func content(_ text: String) throws -> Content {
            let rest = "scenario: Test\nlink: 3g\nworkload: [{request: {tags: [a]}}]\n"
            return try scenario(rest + text).cells[0].content
        }
        #expect(try content("catalog: shapes") == .catalog(.builtIn("shapes")))
        guard case .catalog(.folder(let folder, let tags)) = try content("catalog: ./catalog") else {
            throw Unexpected()
        }
        #expect(folder.lastComponent == "catalog" && tags.lastComponent == "tags.json")
        guard case .catalog(.folder(_, let file)) = try content("catalog: {folder: ./catalog, tags: ./headers.txt}")
        else { throw Unexpected() }
        #expect(file.lastComponent == "headers.txt")
        guard case .catalog(.byFolder(let other)) = try content("catalog: {folder: packs, tags: by-folder}") else {
            throw Unexpected()
        }
        #expect(other.lastComponent == "packs" && other.isAbsolute)
        guard case .packs(let packs) = try content("packs: packs") else { throw Unexpected() }
        #expect(packs.lastComponent == "packs")
    }

    @Test func remoteHost() throws {
        func host(_ text: String) throws -> RemoteHost {
            let rest = "scenario: Test\nlink: 3g\nworkload: [{request: {tags: [a]}}]\n"
            guard case .host(let host) = try scenario(rest + text).cells[0].content else { throw Unexpected() }
            return host
        }
        #expect(try host("host: https://a.example/m.plist").manifest == "https://a.example/m.plist")
        #expect(try host("host: http://a.example/").manifest == "http://a.example/AssetPackManifest.plist")
        let full = try host(
            "host: {url: https://a.example/x/, manifest: m.plist, tag-table: https://a.example/t, headers: {A: b c}, "
                + "headers-file: headers.txt, token-env: TOKEN}")
        #expect(full.manifest == "https://a.example/x/m.plist" && full.tagTable == "https://a.example/t")
        #expect(
            full.headers.map(\.name) == ["A", "X-Team", "X-Key"]
                && full.headers.map(\.value) == ["b c", "games", "secret"])
        #expect(full.tokenVariable == "TOKEN")
        #expect(!"\(full.headers)".contains("secret"))
    }

    @Test func limitsWithChangedNumbers() throws {
        let limits = try scenario(Self.minimal + "device: {limits: {base: tvos-2015, in-use: 1 MB, pack-count: 3}}")
            .cells[0].device.limits
        #expect(limits[.inUse] == 1_000_000 && limits[.packCount] == 3 && limits[.pack] == Limits.tvos2015[.pack])
        #expect(limits.name == "tvos-2015-changed")
    }

    @Test func capacityDefaultsToStorage() throws {
        let device = try scenario(Self.minimal + "device: {storage: 1 MB}").cells[0].device
        #expect(device.storage == ByteCount(1_000_000) && device.capacity == ByteCount(1_000_000))
        let less = try scenario(Self.minimal + "device: {storage: 1 MB, capacity: 9 kB}").cells[0].device
        #expect(less.storage == ByteCount(1_000_000) && less.capacity == ByteCount(9000))
        let wrong = try problems(inScenario: (Self.minimal + "device: {storage: 1 kB}").utf8)
        #expect(wrong == ["5:19 '1 kB' is out of range: the least is 4 KiB"], "\(wrong)")
    }

    @Test func aLinkMayChangeAProfile() throws {
        let text =
            "scenario: Test\npacks: ./packs\nworkload: [{request: {tags: [a]}}]\nlink: {profile: lte, downlink: {loss: 1 %}}"
        let profile = try scenario(text).cells[0].link.profile
        #expect(
            profile.name == "lte-changed"
                && profile.conditions.downlink.loss == .random(Ratio(partsPerBillion: 10_000_000)))
        #expect(profile.conditions.downlink.rate == BitRate(bitsPerSecond: 50_000_000))
        let inline = try scenario(text.replacing("profile: lte, ", with: "")).cells[0].link.profile
        #expect(inline.name == "inline" && inline.conditions.downlink.rate == nil)
        let open = try scenario(text.replacing("{profile: lte, downlink: {loss: 1 %}}", with: "{seed: 3}")).cells[0]
            .link
        #expect(open.profile.isUnshaped && open.seed == 3)
    }

    @Test func steps() throws {
        let text = """
            workload:
              - request: {id: a, tags: [x, y], priority: 0.25, background: true}
              - request: {tags: [z]}
              - pause: a after 20 %
              - resume: a
              - priority: a urgent
              - priority: a 0.25
              - cancel: a after 40%
              - wait: a
              - sleep: 2 s
              - end: r2
            """
        guard case .requests(let steps) = try scenario(Self.base + text).cells[0].workload else { throw Unexpected() }
        #expect(
            steps == [
                .request(.init(id: "a", tags: ["x", "y"], priority: .value(0.25), isBackground: true)),
                .request(.init(id: "r2", tags: ["z"], priority: .value(0.5), isBackground: false)),
                .pause("a", after: 0.2), .resume("a"), .setPriority("a", .urgent), .setPriority("a", .value(0.25)),
                .cancel("a", after: 0.4), .wait("a"), .sleep(.seconds(2)), .end("r2"),
            ])
    }

    @Test func command() throws {
        let text = """
            workload:
              command: [curl, "{url}", -o, "{output}/a{{url}}", "${x}", "{a,b}", '']
              pack: a
              progress: {from: stdout, match: '(\\d+)%'}
            expect: {exit: 3, files: {a/b.bin: a, c: \(String(repeating: "Ab", count: 32))}}
            """
        let cell = try scenario(Self.base + text).cells[0]
        guard case .command(let command) = cell.workload else { throw Unexpected() }
        #expect(command.placeholders == [.url, .output] && command.pack == "a")
        #expect(command.progress == Command.Progress(stream: .stdout, pattern: "(\\d+)%"))
        #expect(command.arguments { "<\($0)>" } == ["curl", "<url>", "-o", "<output>/a{url}", "${x}", "{a,b}", ""])
        #expect(cell.expectations.requests == [RequestExpectation(.error(.init(domain: "exit", code: 3)))])
        #expect(
            cell.expectations.files == [
                .init(name: "a/b.bin", content: .pack("a")),
                .init(name: "c", content: .sha256(String(repeating: "ab", count: 32))),
            ])
    }

    @Test func scriptQuotesItsPlaceholders() throws {
        let text = "workload: {command: 'wget {manifest} && awk ''{print $1}'' <<< \"{\\\"a\\\":{\\\"b\\\":1}}\"'}\n"
        guard case .command(let command) = try scenario(Self.base + text).cells[0].workload else { throw Unexpected() }
        #expect(
            command.arguments { _ in "it's; rm -rf /" } == [
                "/bin/sh", "-c", "wget 'it'\\''s; rm -rf /' && awk '{print $1}' <<< \"{\\\"a\\\":{\\\"b\\\":1}}\"",
            ])
    }

    private struct Unexpected: Error {}
}
