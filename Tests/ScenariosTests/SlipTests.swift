import Scenarios
import SystemPackage
import Testing

/// Common slips, and the corrections that the problems suggest.
@Suite struct SlipTests {
    private static let base = "scenario: Test\npacks: ./packs\nlink: 3g\n"
    private static let minimal = base + "workload: [{request: {tags: [a]}}]\n"

    static let slips = [
        Case(
            "placeholder without quotes", base + "workload: {command: [curl, {proxy}, {urll}, x], pack: a}\n",
            "4:28 found a mapping, expected text | write \"{proxy}\", in quotes",
            "4:37 found a mapping, expected text | write \"{url}\", in quotes"),
        Case(
            "a command that is one", base + "workload: {command: {url}, pack: a}\n",
            "4:21 found a mapping, expected text | write \"{url}\", in quotes"),
        Case(
            "a mapping that is none", base + "workload: {command: [curl, {a: b}]}\n",
            "4:28 found a mapping, expected text"),
        Case(
            "cut without at", minimal + "faults: [{pack: a, cut: 40 %}]\n",
            "5:25 found '40 %', expected a cut | write 'cut: {at: 40 %}'"),
        Case(
            "cut by a word", minimal + "faults: [{pack: a, cut: rst}]\n",
            "5:25 found 'rst', expected a cut | write 'cut: {at: 40 %}'"),
        Case(
            "stall without at", minimal + "faults: [{pack: a, stall: 1 MiB}]\n",
            "5:27 found '1 MiB', expected a stall | write 'stall: {at: 1 MiB}'"),
        Case(
            "moment without unit", minimal + "faults: [{after: 5, link: offline}]\n",
            "5:18 '5' is not a moment, such as 3 s, 1 MiB, 40 % of level-2, progress + 3, or callback + 1 | it has no unit; write 5 s, 5 kB, or 5 % of a pack or tag"
        ),
        Case(
            "median of one", minimal + "budgets: {time_to_available: median <= 1 s}\n",
            "5:30 median needs at least 5 attempts, and the scenario asks for 1, at most 3 | write 'attempts: 5', or limit the max"
        ),
        Case(
            "keys of another file", minimal + "xxx: 1\nyyyy: 2\n",
            "5:1 there is no key 'xxx' in a scenario | its keys are version, scenario, ",
            "6:1 there is no key 'yyyy' in a scenario"
        ),
        Case(
            "a profile", "profile: train\nsource: Made up.\ndownlink: {rate: 1 Mbit/s}\n",
            "1:1 this is a profile, not a scenario | keep profiles in their own folder, beside the scenarios' folder"
        ),
    ]

    @Test(arguments: slips) func saysWhatToWrite(_ example: Case) throws {
        let found = try problems(inScenario: example.text.utf8)
        #expect(found.count == example.problems.count, "\(found)")
        for (problem, expected) in zip(found, example.problems) { #expect(problem.hasPrefix(expected)) }
        // The list of all keys is long, so it appears once at most.
        #expect(found.count { $0.contains("its keys are") } <= 1)
    }

    @Test func aMissingFileHasNoPlace() throws {
        let folder = try TemporaryFolder()
        try folder.write("tunnel.yaml", Self.minimal)
        try folder.write("empty/notes.txt", "")
        let loader = ScenarioLoader(profiles: Repository.profiles)
        for (name, message) in [
            ("tunel.yaml", "there is no file or folder 'PATH'; did you mean 'tunnel.yaml'?"),
            ("empty", "there is no scenario in the folder 'PATH'; scenarios are .yaml files"),
        ] {
            let path = folder.path.appending(name)
            let error = #expect(throws: InvalidFiles.self) { try loader.load(path) }
            #expect(error?.description == message.replacing("PATH", with: path.string))
        }
        let path = folder.path.appending("train.yaml")
        let error = #expect(throws: InvalidFiles.self) { try Repository.profiles.profile(file: path) }
        #expect(error?.description == "the file '\(path)' could not be read: No such file or directory")
    }
}
