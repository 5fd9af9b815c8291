import LinkModel
import PackFormat
import Results
import Testing

@testable import Scenarios

/// Steps of an app's life: how they are read, and the problems of wrong or misplaced ones.
@Suite struct LifeStepTests {
    private static let base: String = "scenario: Test\ncatalog: adventure\nlink: 3g\n"

    @Test func steps() throws {
        let text = """
            bought: [bonus]
            workload:
              - install
              - launch: {bundle: com.example.one}
              - request: {id: a, tags: [level-1], background: true}
              - use: a
              - think: 2 s
              - preserve: {tags: [level-1], priority: 0.8}
              - fill: 200 MB
              - purge: {free: 1 B}
              - radio: cellular
              - buy: [bonus]
              - quit
              - update: adventure-2
              - launch: {bundle: com.example.one}
              - request: {tags: [level-2]}
            expect: {install: available, update: available, a: available}
            budgets: {wait_at_use: max <= 1 s, wasted_bytes: max <= 1 kB, bytes_on_cellular: max <= 0}
            """
        let cell = try scenario(Self.base + text).cells[0]
        #expect(
            cell.workload.steps == [
                .install, .launch(bundle: "com.example.one"),
                .request(.init(id: "a", tags: ["level-1"], priority: .value(0.5), isBackground: true)), .use("a"),
                .sleep(.seconds(2)), .preserve(["level-1"], priority: 0.8),
                .fill(ByteCount(200_000_000)), .purge(free: ByteCount(1)), .radio(.cellular), .buy(["bonus"]), .quit,
                .update(.builtIn("adventure-2")), .launch(bundle: "com.example.one"),
                .request(.init(id: "r2", tags: ["level-2"], priority: .value(0.5), isBackground: false)),
            ])
        #expect(cell.bought == ["bonus"] && cell.workload.pressures == 2 && cell.workload.hasFill)
        #expect(cell.workload.names == ["install", "a", "update", "r2"])
        #expect(cell.workload.bundles == ["com.example.one", "com.example.one"])
    }

    @Test func everyBuiltInCatalogIsReadByName() throws {
        for name in Content.Catalog.builtInNames {
            let text = Self.base.replacing("adventure", with: name) + "workload: [install]\n"
            #expect(try scenario(text).cells[0].content == .catalog(.builtIn(name)))
        }
    }

    /// A bundle may be in any folder and still finds its updates.
    @Test func aBundleFindsItsUpdatesFromAnyFolder() throws {
        let text = """
            scenario: Test
            catalog: {folder: ./packs, tags: by-folder}
            link: 3g
            workload: [{request: {tags: [a]}}, quit, {update: {folder: ./packs, tags: by-folder}}, launch]
            """
        let own = try TemporaryFolder()
        let other = try TemporaryFolder()
        try own.write("packs/a/x.bin", "a")
        try own.write("test.yaml", text)
        let loader = ScenarioLoader(profiles: Repository.profiles)
        let cell = try loader.load(own.path.appending("test.yaml"))[0].cells[0]
        let bundle = try #require(
            ScenarioBundle(cell, playing: FaultSchedule(), fidelity: .modelled, packs: .asNamed))
        for (name, text) in bundle.files { try other.write(name, text) }
        let again = try ScenarioBundle.read(other.path, named: "again").cells[0]
        #expect(again.workload == cell.workload && own.path != other.path)
    }

    private static func taking(_ steps: String) -> String { base + "workload:\n" + steps }

    static let wrong: [Case] = [
        Case(
            "an unknown word", taking("  - instal\n  - launch\n"),
            "5:5 'instal' is not a step | did you mean 'install'?"),
        Case(
            "a verb without what it is about", taking("  - request\n"),
            "5:5 'request' is not a step | write 'request: …'"),
        Case(
            "an unknown verb", taking("  - request: {tags: [a]}\n  - thnk: 2 s\n"),
            "6:5 there is no key 'thnk' in a step | did you mean 'think'?"),
        Case(
            "an install that comes late", taking("  - request: {tags: [a]}\n  - install\n"),
            "6:5 'install' must be the first step | move it to the top"),
        Case(
            "a request before the launch", taking("  - install\n  - request: {tags: [a]}\n"),
            "6:5 the app is not running here | 'launch' it first"),
        Case(
            "two launches", taking("  - launch\n  - launch\n  - request: {tags: [a]}\n"),
            "6:5 the app is already running | 'quit' it first"),
        Case(
            "two quits", taking("  - request: {tags: [a]}\n  - quit\n  - quit\n"),
            "7:5 the app is not running here | 'launch' it first"),
        Case(
            "a request of an earlier launch",
            taking("  - request: {id: a, tags: [a]}\n  - quit\n  - launch\n  - use: a\n"),
            "8:10 'a' ended with the app before this step | begin another request after the launch"),
        Case(
            "a use of nothing", taking("  - request: {id: a, tags: [a]}\n  - use: b\n"),
            "6:10 no earlier step begins a request 'b' | did you mean 'a'?"),
        Case(
            "a use after the end", taking("  - request: {id: a, tags: [a]}\n  - end: a\n  - use: a\n"),
            "7:5 'a' ended before this step | its packs may be purged after 'end': use it before"),
        Case(
            "a name of the system's own", taking("  - request: {id: install, tags: [a]}\n"),
            "5:15 'install' is a reserved name | give it another one"),
        Case(
            "nothing that is filled", taking("  - request: {tags: [a]}\n  - fill: 0 B\n"),
            "6:11 '0 B' is out of range: the least is 1 B"),
        Case(
            "a fill of no size", taking("  - request: {tags: [a]}\n  - fill: much\n"),
            "6:11 'much' is not a size such as 64 MiB or 2 GB"),
        Case(
            "a purge of a size alone", taking("  - request: {tags: [a]}\n  - purge: 1 MB\n"), "6:12 "),
        Case(
            "a purge of nothing", taking("  - request: {tags: [a]}\n  - purge: {fre: 1 MB}\n"),
            "6:13 there is no key 'fre' in a purge | did you mean 'free'?"),
        Case(
            "a radio that there is not", taking("  - request: {tags: [a]}\n  - radio: wify\n"),
            "6:12 'wify' is not a radio: wifi, cellular, none | did you mean 'wifi'?"),
        Case(
            "too high a preservation priority",
            taking("  - request: {tags: [a]}\n  - preserve: {tags: [a], priority: 1.5}\n"),
            "6:37 '1.5' is not a priority from 0 to 1"),
        Case(
            "a launch with a bundle after one without",
            taking("  - request: {tags: [a]}\n  - quit\n  - launch: {bundle: com.b}\n"),
            "7:5 one launch names a bundle, but another does not | name a bundle in every launch, including the first"),
        Case(
            "an update to nothing", taking("  - request: {tags: [a]}\n  - update: adventur-2\n"),
            "6:13 there is no catalog 'adventur-2' | did you mean 'adventure-2'?"),
        Case(
            "an update of packs that are no catalog",
            "scenario: Test\npacks: ./packs\nlink: 3g\nworkload: [{request: {tags: [a]}}, {update: adventure-2}]\n",
            "4:1 an update needs a catalog to start from | write 'catalog:' instead of 'packs'"
        ),
        Case(
            "a purchase of what is not sold", base + "workload: [{request: {tags: [a]}}, {buy: [bonus]}]\n",
            "4:1 a step buys 'bonus', which is not in 'bought' | add it: 'bought: [bonus]'"),
        Case(
            "a wait where nothing is used",
            base + "workload: [{request: {tags: [a]}}]\nbudgets: {wait_at_use: max <= 1 s}\n",
            "5:1 'wait_at_use' measures uses, but no step uses anything | add a step such as 'use: r1'"),
        Case(
            "a command's radio",
            "scenario: Test\npacks: ./packs\nlink: 3g\nworkload: {command: [curl, '{url}'], pack: a}\n"
                + "budgets: {bytes_on_cellular: max <= 0}\n",
            "5:1 the radio of a command's bytes is unknown, so 'bytes_on_cellular' is too"
                + " | budget 'bytes_on_wire'"),
        Case(
            "a multiple of ideal of a life",
            base + "workload: [install]\nbudgets: {time_to_available: max <= 2 x ideal}\n",
            "5:1 the ideal time is unknown here: the workload has steps other than downloads | write a fixed limit"),
    ]

    @Test(arguments: wrong) func refusesWithPlaceAndHint(_ example: Case) throws {
        let found = try problems(inScenario: example.text.utf8)
        #expect(found.count == example.problems.count, "\(found)")
        for (problem, expected) in zip(found, example.problems) { #expect(problem.hasPrefix(expected), "\(problem)") }
    }
}
