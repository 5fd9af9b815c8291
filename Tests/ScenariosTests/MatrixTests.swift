import Foundation
import LinkModel
import Results
import SystemPackage
import Testing

@testable import Scenarios

/// How one scenario becomes many cells, and many files become many scenarios.
@Suite struct MatrixTests {
    private static let minimal =
        "scenario: Test\npacks: ./packs\nlink: {profile: 3g}\nworkload: [{request: {tags: [a]}}]\n"

    @Test func lastAxisVariesFastest() throws {
        let scenario = try scenario(Self.minimal + "matrix: {link.profile: [3g, lte], attempts: [5, 7]}\n")
        #expect(scenario.cells.map(\.id) == ["test-3g-5", "test-3g-7", "test-lte-5", "test-lte-7"])
        #expect(scenario.cells.map(\.attempts.min) == [5, 7, 5, 7])
        #expect(scenario.cells.map(\.link.profile.name) == ["3g", "3g", "lte", "lte"])
    }

    @Test func valuesMayBeMappingsAndKeysMayBeNew() throws {
        let text =
            "matrix: {link.downlink.loss: [1 %, {good-to-bad: 1 %, bad-to-good: 9 %}], device: [{radio: none}]}\n"
        let cells = try scenario(Self.minimal + text).cells
        #expect(cells.map(\.id) == ["test-1-1", "test-2-1"])
        #expect(cells[0].point.map(\.value) == ["1 %", "1"] && cells[0].device.radio == .none)
        #expect(cells[0].link.profile.conditions.downlink.loss?.mean == 0.01)
        #expect(cells[1].link.profile.conditions.downlink.loss?.mean == 0.1)
    }

    @Test(
        "a range yields evenly spaced values",
        arguments: [
            ("{from: 0 %, to: 100 %, steps: 5}", ["0 %", "25 %", "50 %", "75 %", "100 %"]),
            ("{from: 1 s, to: 2 s, steps: 4}", ["1 s", "1.333 s", "1.667 s", "2 s"]),
            ("{from: 0.5 kB, to: 1 kB, steps: 2}", ["0.5 kB", "1 kB"]),
            ("{from: 1, to: 4, steps: 4}", ["1", "2", "3", "4"]),
        ])
    func sweeps(_ text: String, _ values: [String]) throws {
        let root = "scenario: Test\nworkload: []\nx: {y: [{z: 1}]}\nmatrix: {x.y.0.z: \(text)}\n"
        let problems = Problems(file: "test.yaml")
        let node = try #require(YAMLReader.read(Array(root.utf8), problems))
        let points = MatrixDecoder(problems: problems).read(node).points(of: node, problems)
        #expect(problems.found.isEmpty)
        #expect(points.map { $0.settings[0].value } == values)
        #expect(points.map { $0.root["x"]?.flowText } == values.map { "{y: [{z: \($0)}]}" })
    }

    @Test("random values depend on the seed alone") func draws() throws {
        func seeds(_ seed: Int) throws -> [UInt64] {
            let sweep = "{from: 1, to: 1000000, random: 6, seed: \(seed)}"
            return try scenario(Self.minimal + "matrix: {link.seed: \(sweep)}\n").cells.map(\.link.seed)
        }
        #expect(try seeds(7) == seeds(7) && seeds(7) != seeds(8))
        #expect(try seeds(7).count == 6)
    }

    @Test func cellsHaveDistinctNames() throws {
        let cells = try scenario(
            Self.minimal + "matrix: {scenario.x: [a]}\n".replacing("scenario.x: [a]", with: "patience: [1 s, 1  s]")
        ).cells
        #expect(cells.map(\.id) == ["test-1-s", "test-1-s-2"])
    }

    @Test func cellsOverrideKeys() throws {
        let text = """
            budgets: {longest_stall: max <= 1 s, throughput: min >= 1 kbit/s}
            matrix: {link.profile: [3g, lte, edge], tls: [false, true]}
            cells:
              - when: {link.profile: lte}
                budgets: {longest_stall: max <= 2 s}
                attempts: 3
              - when: {link.profile: [3g, edge], tls: true}
                expect: error -1009
            """
        let cells = try scenario(Self.minimal + text).cells
        #expect(cells.map { $0.budgets(over: .any).map(\.description) }[2] == ["max <= 2 s", "min >= 1 kbit/s"])
        #expect(
            cells.map { $0.budgets(over: .any)[0].description } == [
                "max <= 1 s", "max <= 1 s", "max <= 2 s", "max <= 2 s", "max <= 1 s", "max <= 1 s",
            ])
        #expect(cells.map(\.attempts.min) == [1, 1, 3, 3, 1, 1])
        #expect(
            cells.map { $0.expectations.requests[0].name } == [
                "available", "error", "available", "available", "available", "error",
            ])
    }

    static let refused = [
        Case("empty", minimal + "matrix: {}\n", "5:9 the matrix is empty | leave it out"),
        Case(
            "one value", minimal + "matrix: {attempts: 3}\n",
            "5:20 found '3', expected a list of values | write [a, b]"),
        Case(
            "other units", minimal + "matrix: {patience: {from: 1 s, to: 2 ms, steps: 3}}\n",
            "5:32 'to' has another unit than 'from' | write both in s"),
        Case(
            "backwards", minimal + "matrix: {attempts: {from: 3, to: 2, steps: 3}}\n",
            "5:30 'to' is not above 'from' | swap them"),
        Case(
            "no number", minimal + "matrix: {attempts: {from: few, to: 2, steps: 3}}\n",
            "5:21 this is not a number | write a number"),
        Case(
            "too many", minimal + "matrix: {attempts: {from: 1, to: 3, steps: 9}}\n",
            "5:37 only 3 of these numbers differ | ask for fewer"),
        Case(
            "not whole", minimal + "matrix: {attempts: {from: 0.5, to: 3, steps: 3}}\n",
            "5:21 a number without a unit must be whole | write a whole number"),
        Case(
            "no list there", minimal + "matrix: {workload.1.x: [3]}\n",
            "4:11 a list has no keys, so the matrix cannot set 'workload.1.x' | write a mapping"),
        Case("value twice", minimal + "matrix: {attempts: [3, 4, 3]}\n", "5:27 '3' is listed twice"),
        Case(
            "unknown key", minimal + "matrix: {link.profle: [3g, lte]}\n",
            "5:10 there is no key 'profle' in a link | did you mean 'profile'?"),
        Case(
            "unknown top key", minimal + "matrix: {atempts: [3]}\n",
            "5:10 there is no key 'atempts' in a scenario | did you mean 'attempts'?"),
        Case(
            "wrong value", minimal + "matrix: {link.profile: [3g, ltee]}\n",
            "5:29 there is no profile 'ltee' | did you mean 'lte'?"),
        Case(
            "through a text", minimal + "matrix: {packs.x: [3g]}\n",
            "2:8 './packs' has no keys, so the matrix cannot set 'packs.x' | write a mapping"),
        Case(
            "the title", minimal + "matrix: {scenario: [a]}\n",
            "5:10 'scenario' cannot vary | name a key of the scenario, such as link.profile"),
        Case(
            "empty part", minimal + "matrix: {link..x: [a]}\n",
            "5:10 'link..x' cannot vary | name a key of the scenario, such as link.profile"),
        Case(
            "the same twice", minimal + "matrix: {link.profile: [3g], link: [lte]}\n",
            "5:30 'link' and 'link.profile' set the same thing"),
        Case(
            "too many",
            minimal
                + "matrix: {attempts: [\((1...40).map(String.init).joined(separator: ", "))], link.seed: [\((1...40).map(String.init).joined(separator: ", "))]}\n",
            "5:173 the matrix makes more than 1000 cells"),
        Case(
            "point without axis",
            minimal + "matrix: {attempts: [3, 4]}\ncells: [{when: {attemps: 3}, patience: 1 s}]\n",
            "6:17 there is no key 'attemps' in a point of the matrix | did you mean 'attempts'?"),
        Case(
            "point without value",
            minimal + "matrix: {attempts: [3, 4]}\ncells: [{when: {attempts: 5}, patience: 1 s}]\n",
            "6:27 '5' is not a value of attempts in the matrix | "),
        Case(
            "nothing different", minimal + "matrix: {attempts: [3, 4]}\ncells: [{when: {attempts: 3}}]\n",
            "6:10 this cell overrides nothing | add one of budgets, expect, attempts, patience, deadline"),
        Case(
            "what may not differ", minimal + "matrix: {attempts: [3, 4]}\ncells: [{when: {attempts: 3}, link: lte}]\n",
            "6:31 there is no key 'link' in a cell | its keys are when, budgets, expect, attempts, patience, deadline"),
        Case(
            "wrong budget of a point",
            minimal + "matrix: {attempts: [3, 4]}\ncells: [{when: {attempts: 3}, budgets: {longest_stall: 3}}]\n",
            "6:56 a statistic is expected"),
    ]

    @Test(arguments: refused) func refusesWithPlaceAndHint(_ example: Case) throws {
        let found = try problems(inScenario: example.text.utf8)
        #expect(found.count == example.problems.count, "\(found)")
        for (problem, expected) in zip(found, example.problems) { #expect(problem.hasPrefix(expected)) }
    }

    @Test func foldersAreLoadedByName() throws {
        let folder = try TemporaryFolder()
        try folder.write("packs/a.bin", "a")
        try folder.write("b.yaml", Self.minimal)
        try folder.write("a.yaml", Self.minimal)
        try folder.write("notes.txt", "no scenario")
        try folder.write(".hidden.yaml", "no scenario")
        try folder.write("more/c.yml", Self.minimal.replacing("./packs", with: "../packs"))
        try folder.write("more/deeper/d.yaml", Self.minimal.replacing("./packs", with: "../../packs"))
        try FileManager.default.createSymbolicLink(
            atPath: folder.path.appending("more/loop").string, withDestinationPath: "..")
        let scenarios = try ScenarioLoader(profiles: Repository.profiles).load(folder.path)
        #expect(scenarios.map(\.name) == ["a", "b", "more/c", "more/deeper/d"])
        #expect(scenarios.flatMap(\.cells).map(\.id) == ["a", "b", "more-c", "more-deeper-d"])
    }

    @Test func allProblemsOfAllFilesAreReportedTogether() throws {
        let folder = try TemporaryFolder()
        try folder.write("packs/a.bin", "a")
        try folder.write("a.yaml", Self.minimal + "atempts: 3\n")
        try folder.write("b.yaml", Self.minimal + "patience: 3\n")
        let error = #expect(throws: InvalidFiles.self) {
            try ScenarioLoader(profiles: Repository.profiles).load(folder.path)
        }
        #expect(error?.diagnostics.map { FilePath($0.file).lastComponent?.string } == ["a.yaml", "b.yaml"])
        #expect(
            error?.description.split(separator: "\n").first?.hasSuffix(
                "a.yaml:5:1: there is no key 'atempts' in a scenario; did you mean 'attempts'?") == true)
    }

    @Test func cellsOfTwoFilesMayNotShareAName() throws {
        let folder = try TemporaryFolder()
        try folder.write("packs/a.bin", "a")
        try folder.write("a.yaml", Self.minimal + "matrix: {attempts: [3]}\n")
        try folder.write("a-3.yaml", Self.minimal)
        let error = #expect(throws: InvalidFiles.self) {
            try ScenarioLoader(profiles: Repository.profiles).load(folder.path)
        }
        #expect(error?.diagnostics.first?.hint == "rename one of the files")
    }

    @Test func anEmptyFolderAndAMissingFileAreRefused() throws {
        let folder = try TemporaryFolder()
        let loader = ScenarioLoader(profiles: Repository.profiles)
        for path in [folder.path, folder.path.appending("none.yaml")] {
            #expect(throws: InvalidFiles.self) { try loader.load(path) }
        }
    }
}
