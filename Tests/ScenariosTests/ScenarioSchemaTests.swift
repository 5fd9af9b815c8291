import Foundation
import Scenarios
import SystemPackage
import Testing

@Suite("Schema of scenarios")
struct ScenarioSchemaTests {
    private static let root = "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/") + "/"

    @Test("docs/schema has it as the forms have it; HEADWIND_RECORD=1 writes it anew")
    func file() throws {
        let library = ProfileLibrary(folder: FilePath(Self.root + "profiles"))
        let schema = ScenarioLoader(profiles: library).schema.json + "\n"
        let file = URL(filePath: Self.root + "docs/schema/scenario.schema.json")
        if ProcessInfo.processInfo.environment["HEADWIND_RECORD"] == "1" { try Data(schema.utf8).write(to: file) }
        #expect(String(decoding: try Data(contentsOf: file), as: UTF8.self) == schema)
        #expect(schema.utf8.count < 150_000)
    }

    @Test(
        "a first scenario reads back, whatever the names are",
        arguments: [
            StarterScenario.Source.example, .manifest(url: "https://a.example/M.plist", isSecret: true),
            .file(url: "https://a.example/{url}/it's?%20", isSecret: true),
            .file(url: "http://a.example/x", isSecret: false),
            .catalog(folder: "./a: b #c\"", isByFolder: true, tag: "- {x}"), .packs(folder: "./a: b #c\"", tag: "no"),
            .packs(folder: "./a: b #c\"", tag: "no", isSecure: true),
        ])
    func starter(_ source: StarterScenario.Source) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "headwind-starter-\(UUID().uuidString)")
        try FileManager.default.createDirectory(
            at: folder.appending(path: "a: b #c\""), withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appending(path: "first.yaml")
        try Data(StarterScenario(title: "it's: \"x\"\n#y", source: source).text.utf8).write(to: file)
        let library = ProfileLibrary(folder: FilePath(Self.root + "profiles"))
        let scenarios = try ScenarioLoader(profiles: library).load(FilePath(file.path(percentEncoded: false)))
        #expect(scenarios.count == 1 && scenarios[0].cells.count == 1)
        if case .packs(_, _, let isSecure) = source { #expect(scenarios[0].cells[0].tls == isSecure) }
        #expect(scenarios[0].cells[0].attempts.min == 5 && !scenarios[0].cells[0].budgets.isEmpty)
    }
}
