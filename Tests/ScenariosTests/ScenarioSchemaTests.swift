import Foundation
import LinkModel
import Scenarios
import SystemPackage
import Testing

@Suite("Schema of scenarios")
struct ScenarioSchemaTests {
    private static let root = "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/") + "/"

    @Test("docs/schema has the schema of the forms; HEADWIND_RECORD=1 records it")
    func file() throws {
        let library = ProfileLibrary(folder: FilePath(Self.root + "profiles"))
        let schema = ScenarioLoader(profiles: library).schema.json + "\n"
        let file = URL(filePath: Self.root + "docs/schema/scenario.schema.json")
        if ProcessInfo.processInfo.environment["HEADWIND_RECORD"] == "1" { try Data(schema.utf8).write(to: file) }
        #expect(String(decoding: try Data(contentsOf: file), as: UTF8.self) == schema)
        #expect(schema.utf8.count < 150_000)
    }

    @Test(
        "a first scenario reads back with any names",
        arguments: [
            StarterScenario.Source.example, .manifest(url: "https://a.example/M.plist", isSecret: true),
            .file(url: "https://a.example/{url}/it's?%20", isSecret: true),
            .file(url: "http://a.example/x", isSecret: false),
            .catalog(folder: "./a: b #c\"", isByFolder: true, tag: "- {x}"), .packs(folder: "./a: b #c\"", tag: "no"),
            .packs(folder: "./a: b #c\"", tag: "no", isSecure: true),
        ])
    func starter(_ source: StarterScenario.Source) throws {
        let cell = try cell(StarterScenario(title: "it's: \"x\"\n#y", source: source))
        if case .packs(_, _, let isSecure) = source { #expect(cell.tls == isSecure) }
        #expect(cell.attempts.min == 5 && !cell.budgets.isEmpty)
    }

    @Test(
        "a first scenario for your own client reads back with any words",
        arguments: [
            (.example, "red+circle"), (.catalog(folder: "./a: b #c\"", isByFolder: true, tag: "x+y: z"), "x+y: z"),
            (.packs(folder: "./a: b #c\"", tag: "no"), "no"),
        ] as [(StarterScenario.Source, String)])
    func starterForClient(_ source: StarterScenario.Source, pack: String) throws {
        let words = [
            "get", "{url}", "{output}", "", " ", "it's: \"#1\"", "- [a, b]", "{X}?*&!%@`", "{{url}}", "no", "é\n\t",
        ]
        var starter = StarterScenario(title: "It arrives", source: source)
        starter.client = .init(words: words, directory: "./a: b #c\"")
        let cell = try cell(starter)
        guard case .command(let command) = cell.workload else {
            Issue.record("\(cell.workload)")
            return
        }
        #expect(command.words == words.map { $0.replacing("{{url}}", with: "{url}") })
        #expect(
            command.pack == pack && command.leavesOutput && command.directory?.string.hasSuffix("a: b #c\"") == true)
        #expect(cell.hostFaults.count == 1 && cell.budgets.count == 2 && cell.attempts.min == 5)
    }

    /// Twice the time of a perfect client, in whole tens of seconds, and at least 120 s.
    @Test(
        "a first scenario has a deadline that a download can meet",
        arguments: [
            (.packs(folder: "./a: b #c\"", tag: "x"), nil, 120), (.packs(folder: "./a: b #c\"", tag: "x"), 0.2, 120),
            (.catalog(folder: "./a: b #c\"", isByFolder: true, tag: "x"), 59.9, 120), (.example, 60, 130),
            (.example, 149, 300), (.example, 3599, 7200), (.file(url: "http://a.example/x", isSecret: false), 108, 600),
            (.manifest(url: "https://a.example/M.plist", isSecret: false), 108, 600),
        ] as [(StarterScenario.Source, Double?, Int)])
    func starterDeadline(_ source: StarterScenario.Source, ideal: Double?, deadline: Int) throws {
        var starter = StarterScenario(title: "It arrives", source: source)
        (starter.ideal, starter.network) = (ideal.map { .seconds($0) }, .lte)
        let cell = try cell(starter)
        #expect(cell.deadline == .seconds(deadline) && cell.patience == .seconds(60) && !cell.hasDefaultDeadline)
        #expect(starter.text.contains("It arrives over LTE") && cell.link.profile.name == "lte")
        // A budget without an ideal time allows as much time as the deadline.
        #expect(starter.text.contains("time_to_available: max <= 10 min") == (deadline == 600))
    }

    /// The one cell of a first scenario, read back.
    private func cell(_ starter: StarterScenario) throws -> Cell {
        let folder = FileManager.default.temporaryDirectory.appending(path: "headwind-starter-\(UUID().uuidString)")
        try FileManager.default.createDirectory(
            at: folder.appending(path: "a: b #c\""), withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appending(path: "first.yaml")
        try Data(starter.text.utf8).write(to: file)
        let library = ProfileLibrary(folder: FilePath(Self.root + "profiles"))
        let scenarios = try ScenarioLoader(profiles: library).load(FilePath(file.path(percentEncoded: false)))
        #expect(scenarios.count == 1 && scenarios[0].cells.count == 1)
        return scenarios[0].cells[0]
    }
}
