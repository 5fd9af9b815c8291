import Foundation
import LinkModel
import Redaction
import SystemPackage
import Testing

@testable import Scenarios

/// Texts of a bundle: they contain all of a cell, and no path in them leaves the bundle.
@Suite(.sideBySide) struct ScenarioBundleTests {
    /// The cell that is read back from the texts of this cell.
    private static func again(_ cell: Cell, _ schedule: FaultSchedule = FaultSchedule()) throws -> Cell {
        let folder = try TemporaryFolder()
        let bundle = try #require(
            ScenarioBundle(cell, playing: schedule, fidelity: .modelled, packs: .asNamed))
        #expect(bundle.leftOut.isEmpty)
        for (name, text) in bundle.files { try folder.write(name, text) }
        let cells = try ScenarioBundle.read(folder.path, named: "again").cells
        #expect(cells.count == 1)
        return cells[0]
    }

    /// The same for a cell over packets, with copied packs.
    private static func againWithPacks(_ cell: Cell) throws -> Cell {
        let folder = try TemporaryFolder()
        let bundle = try #require(
            ScenarioBundle(cell, playing: FaultSchedule(), fidelity: .packet, packs: .copied))
        for (name, text) in bundle.files { try folder.write(name, text) }
        try folder.write("packs/a.bin", "a")
        return try ScenarioBundle.read(folder.path, named: "again").cells[0]
    }

    @Test(arguments: Repository.scenarios) func everyCellReadsBackAsItWas(file: FilePath) throws {
        for cell in try ScenarioLoader(profiles: Repository.profiles).load(file).flatMap(\.cells) {
            var (expected, read) = (cell, try Self.again(cell))
            #expect(read.link.profile.fingerprint == cell.link.profile.fingerprint)
            #expect(read.schedule?.faults == FaultSchedule() && read.linkFaults.isEmpty && read.hostFaults.isEmpty)
            // These come from the schedule, the matrix and the file, so they differ.
            (expected.hostFaults, expected.linkFaults, expected.schedule, expected.point) = ([], [], nil, [])
            (read.schedule, expected.source, read.source, expected.id) = (nil, nil, nil, read.id)
            (expected.place, read.place) = (nil, nil)
            expected.link.fidelity = .modelled
            #expect(read == expected, "\(file)")
        }
    }

    @Test func everyProfileReadsBackAsItWas() throws {
        var profiles = try Repository.profiles.all()
        profiles.append(try profile(Examples.profile.text.utf8))
        profiles.append(
            try profile(
                "profile: traced\nsource: a test\nuplink: {delay: 1 ms}\ntrace: {uplink: traces/up.trace}".utf8))
        for profile in profiles {
            let folder = try TemporaryFolder()
            let (text, traces) = profile.files
            for (name, trace) in traces { try folder.write(name, trace) }
            let file = try folder.write("\(profile.name).yaml", text)
            #expect(try ProfileLibrary(folder: folder.path).profile(file: file) == profile)
        }
    }

    @Test func aCommandOfAnyTextReadsBackAsItWas() throws {
        let words = [
            "sh", "-c", "a \"b\" 'c' \\ # : {D} {{proxy}} \t\n\u{7f}é", "", "- x", "true", "12", "[a, b]", "{{url}}",
            "*",
        ]
        let list = words.map {
            "\"\($0.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("\n", with: "\\n").replacing("\t", with: "\\t").replacing("\u{7f}", with: "\\x7f"))\""
        }
        let cell = try scenario(
            "scenario: T\npacks: ./packs\nlink: 3g\nworkload: {command: [\(list.joined(separator: ", "))]}"
        ).cells[0]
        let read = try Self.againWithPacks(cell)
        #expect(read.workload == cell.workload && read.link.fidelity == .packet)
    }

    @Test func aProgramBesideItsScenarioIsFoundFromAnywhere() throws {
        let cell = try scenario(
            "scenario: T\npacks: ./packs\nlink: 3g\nworkload: {command: [../client/get.sh, '{url}'], pack: a.bin}"
        ).cells[0]
        #expect(try Self.againWithPacks(cell).workload == cell.workload)
    }

    @Test func secretsAreLeftOutAndNamed() throws {
        let cell = try scenario(
            """
            scenario: Not hunter2 again
            host: {url: 'https://h.example/p/', headers: {X-Key: hunter2}}
            link: 3g
            workload: {command: [curl, --header, 'X-Key: hunter2', '{manifest}']}
            """
        ).cells[0]
        Redaction.hold(["hunter2"])
        let bundle = try #require(
            ScenarioBundle(
                cell, playing: FaultSchedule(), fidelity: .packet, packs: .asNamed))
        #expect(bundle.leftOut.sorted() == ["host", "workload"])
        #expect(!bundle.files.values.contains { $0.contains("hunter2") })
    }

    private static let scenarioText = """
        scenario: T
        packs: ./packs/
        link: {profile: ./profiles/p.yaml, seed: 1, fidelity: any}
        workload: [{request: {tags: [a.bin]}}]
        schedule: ./schedule.txt
        """

    @Test(arguments: [
        ("./profiles/p.yaml", "/etc/p.yaml", "'profile' of 'link' must be ./profiles/NAME.yaml in a bundle"),
        ("./profiles/p.yaml", "./profiles/../../p.yaml", "'profile' of 'link' must be"),
        ("./profiles/p.yaml", "3g", "'profile' of 'link' must be"),
        ("./profiles/p.yaml", "./profiles/p", "'profile' of 'link' must be"),
        ("./schedule.txt", "../schedule.txt", "'schedule' must be ./schedule.txt in a bundle"),
        ("./packs/", "../packs/", "packs must be in ./packs/ or at an absolute path"),
        ("./packs/", "/tmp/../etc", "packs must be in ./packs/ or at an absolute path"),
        ("workload", "faults: [{after: 1 s, link: ../x.yaml}]\nworkload", "'faults' is not allowed in a bundle"),
        ("workload", "matrix: {attempts: [1, 2]}\nworkload", "'matrix' is not allowed in a bundle"),
        ("seed: 1", "trace: {downlink: x}", "'trace' must be in the profile's file"),
        ("packs: ./packs/", "host: {url: 'http://h/', headers-file: /etc/shadow}", "'headers-file' is not allowed"),
        ("packs: ./packs/", "catalog: {folder: ../c, tags: by-folder}", "packs must be in ./packs/"),
    ])
    func pathsOutOfTheBundleAreRefused(from: String, to: String, message: String) throws {
        let folder = try TemporaryFolder()
        try folder.write("packs/a.bin", "a")
        try folder.write("profiles/p.yaml", "profile: p\nsource: a test\n")
        try folder.write("profiles/p", "profile: p\nsource: a test\nextends: /etc/shadow\n")
        try folder.write("schedule.txt", "schedule version=1\n")
        try folder.write("scenario.yaml", Self.scenarioText)
        _ = try ScenarioBundle.read(folder.path, named: "good")
        try folder.write("scenario.yaml", Self.scenarioText.replacing(from, with: to))
        let error = #expect(throws: InvalidFiles.self) { try ScenarioBundle.read(folder.path, named: "bad") }
        #expect(error?.description.contains(message) == true, "\(error?.description ?? "")")
    }

    @Test(arguments: [
        (
            "profiles/p.yaml", "profile: p\nsource: s\nextends: ../../q.yaml\n",
            "a profile in a bundle cannot extend another"
        ),
        (
            "schedule.txt", "link profile=../q.yaml after=1s\n",
            "is a path, but the schedule of a bundle must use profile names"
        ),
    ])
    func pathsOutOfTheBundleInOtherFilesAreRefused(name: String, text: String, message: String) throws {
        let folder = try TemporaryFolder()
        try folder.write("packs/a.bin", "a")
        try folder.write("profiles/p.yaml", "profile: p\nsource: a test\n")
        try folder.write("schedule.txt", "schedule version=1\n")
        try folder.write("scenario.yaml", Self.scenarioText)
        try folder.write(name, text)
        let error = #expect(throws: InvalidFiles.self) { try ScenarioBundle.read(folder.path, named: "bad") }
        #expect(error?.description.contains(message) == true, "\(error?.description ?? "")")
    }
}
