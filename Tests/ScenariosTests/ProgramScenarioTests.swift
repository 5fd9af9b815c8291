import LinkModel
import SystemPackage
import Testing

@testable import Scenarios

/// A program that was run by hand, turned into a scenario.
struct ProgramScenarioTests {
    @Test(arguments: [
        ["curl", "-o", "{url}", "{{url}}", "{{{output}}}", "${proxy}", "$${manifest}", "{Url}", "{", "}}{{"],
        ["sh", "-c", "a=1\nwhile true; do\techo \"${a}\"; done # 'x' \\ ü", "", " ", "-", "~", "null", "0x1"],
        ["printf", "\u{1}\u{7F}\u{85}", "*", "&a", "!b", "[c]", "{d: e}", "%", "@", "| >", "# f", "g: h"],
    ])
    func wordsReadBackUnchanged(words: [String]) throws {
        var scenario = ProgramScenario(words: words, directory: "/tmp", profile: "3g")
        scenario.seed = .max
        let cell = try scenario.cell(Repository.profiles)
        guard case .command(let command) = cell.workload else {
            Issue.record("no command")
            return
        }
        #expect(command.arguments { "<\($0)>" } == words)
        #expect(command.directory == "/tmp" && cell.link.seed == .max && cell.link.profile.name == "3g")
        #expect(cell.content == .network(forwards: []) && cell.deadline == .seconds(86_400))
    }

    @Test func allOptionsReadBack() throws {
        var scenario = ProgramScenario(words: ["true"], directory: "/tmp", profile: "lte")
        scenario.fidelity = .packet
        scenario.forwards = [8080, 1]
        scenario.faults = [
            .init(after: .seconds(10), link: "silent", duration: .seconds(5)),
            .init(after: .milliseconds(20_500), link: "edge"),
        ]
        scenario.status = 3
        scenario.attempts = 50
        scenario.deadline = .milliseconds(1500)
        let cell = try scenario.cell(Repository.profiles)
        #expect(cell.content == .network(forwards: [8080, 1]) && cell.link.fidelity == .packet)
        let edge = try Repository.profiles.profile("edge")
        #expect(
            cell.linkFaults == [
                LinkFault(trigger: .time(.seconds(10)), effect: .offline(.silent), duration: .seconds(5)),
                LinkFault(trigger: .time(.milliseconds(20_500)), effect: .profile(edge)),
            ])
        #expect(cell.attempts == Attempts(50) && cell.deadline == .milliseconds(1500))
        #expect("\(cell.expectations.requests)".contains("exit"))
    }

    /// In a file of the project, paths hold in any checkout; elsewhere they are absolute.
    @Test(arguments: [
        ("/project", "./", "./slow.yaml", "./list"), ("/project/ci/bugs", "../..", "../../slow.yaml", "../../list"),
        ("/elsewhere", "/project", "/project/slow.yaml", "/project/list"),
        (nil, "/project", "/project/slow.yaml", "/project/list"),
    ])
    func pathsBeginAtTheFile(folder: FilePath?, directory: String, profile: String, schedule: String) {
        var scenario = ProgramScenario(words: ["true"], directory: "/project", profile: "slow.yaml")
        scenario.schedule = "list"
        scenario.folder = folder
        let lines = scenario.text.replacing("\"", with: "").split(separator: "\n").map { String($0.drop { $0 == " " }) }
        for line in ["directory: \(directory)", "profile: \(profile)", "schedule: \(schedule)"] {
            #expect(lines.contains(line), "\(scenario.text)")
        }
    }

    @Test(arguments: [
        ("L1 GET /a from=0 try=1 cut@5", "list:2:1: only the built-in host plays faults"),
        ("client killed after=1s", "list:2:1: only a scenario kills its client or fills a device"),
        ("device full after=1s", "list:2:1: only a scenario kills its client or fills a device"),
        ("link cut after=pack:a:1", "list:2:1: packs are unknown here"),
        ("link outage after=down:1 until=callback+1", "list:2:1: a program reports no progress and no callbacks here"),
    ])
    func linesThatDoNotSuitAProgramAreRefused(line: String, message: String) throws {
        let folder = try TemporaryFolder()
        try folder.write("list", "link cut after=1s\n\(line)\n")
        var scenario = ProgramScenario(words: ["true"], directory: folder.path, profile: "3g")
        scenario.schedule = "list"
        do throws(InvalidFiles) {
            _ = try scenario.cell(Repository.profiles)
            Issue.record("it was accepted")
        } catch { #expect("\(error)".contains(message), "\(error)") }
    }

    @Test func aCommandTooLongForAScenarioIsRefused() {
        let long = ProgramScenario(
            words: ["true", String(repeating: "x", count: 140_000)], directory: "/", profile: "3g")
        #expect(throws: InvalidFiles.self) { try long.cell(Repository.profiles) }
        let many = ProgramScenario(
            words: Array(repeating: String(repeating: "x", count: 100_000), count: 20), directory: "/", profile: "3g")
        #expect(throws: InvalidFiles.self) { try many.cell(Repository.profiles) }
    }

    @Test(arguments: [
        ("network: machine\nworkload: [{request: {tags: [a]}}]", "the built-in client downloads packs"),
        ("network: machine\nworkload: {command: [curl, '{url}'], pack: a}", "need a host"),
        ("network: machine\nworkload: {command: [curl, '{manifest}']}", "need a host"),
        ("network: moon\nworkload: {command: ['true']}", "machine"),
        ("network: {forward: [0]}\nworkload: {command: ['true']}", "1 to 65535"),
        ("network: {}\nworkload: {command: ['true']}", "forward"),
        ("network: machine\ncatalog: shapes\nworkload: {command: ['true']}", "network"),
        ("network: machine\ntls: true\nworkload: {command: ['true']}", "tls"),
        ("network: machine\nfaults: [{pack: any, status: 404}]\nworkload: {command: ['true']}", "built-in host"),
        (
            "network: machine\nworkload: {command: ['true'], directory: /tmp}\n"
                + "expect: {files: {a: " + String(repeating: "0", count: 64) + "}}", "the attempt's own folder"
        ),
    ])
    func keysThatDoNotFitTheMachinesNetworkAreRefused(text: String, message: String) throws {
        let folder = try TemporaryFolder()
        let file = try folder.write("a.yaml", "scenario: A\nlink: 3g\n\(text)\n")
        let error = #expect(throws: InvalidFiles.self) { try ScenarioLoader(profiles: Repository.profiles).load(file) }
        #expect(error?.description.contains(message) == true, "\(error?.description ?? "")")
    }
}
