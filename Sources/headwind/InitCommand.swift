import ArgumentParser
import Glibc
import Harness
import LinkModel
import Reports
import Scenarios
import SystemPackage

/// `headwind init`: writes a first scenario.
struct InitCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "init",
        abstract: "Write a first scenario, for a folder or an address.",
        discussion: """
            A folder can hold resources with tags.json, manifests of Background Assets (Manifest.json), a folder for \
            each tag, packs with their manifest, or plain files (each becomes a pack). An address is that of a \
            manifest (.plist), or of any file; curl then fetches it. Without either, the scenario uses a bundled \
            catalog. Headwind checks the scenario before it writes it. The deadline follows from the time of a perfect \
            client over the link: 3G, or LTE if 3G takes over an hour. With --command your client fetches a pack from \
            a host that is busy at the first try.

            Examples:

              headwind init
              headwind init packs --output scenarios/packs.yaml
              headwind init --command './fetch.py {url} {output}'
              headwind init https://cdn.example/pack.zip
            """)

    @Argument(help: ArgumentHelp("What to download.", valueName: "folder or url"), completion: .directory)
    var source: String?

    @Option(
        help: ArgumentHelp(
            "Your client: a program and its arguments, with {url} for the address and {output} for "
                + "the file to write. (default: the built-in client)", valueName: "words"))
    var command: String?

    @Option(
        name: .shortAndLong, help: ArgumentHelp("The file to write. (default: scenario.yaml)", valueName: "file"),
        completion: .file(extensions: ["yaml"]), transform: { FilePath($0) })
    var output: FilePath = "scenario.yaml"

    @Flag(help: "Replace the file if it exists.")
    var force = false

    func validate() throws {
        let name = output.lastComponent?.string ?? ""
        guard name.hasSuffix(".yaml") || name.hasSuffix(".yml") else {
            throw ValidationError("--output is a file whose name ends in .yaml.")
        }
        guard let command else { return }
        _ = try StarterScenario.Client.words(of: command)
        if source?.contains("://") == true {
            throw ValidationError(
                "--command takes a folder, or no source. For an address leave --command out, and add your command to the new scenario."
            )
        }
    }

    func run() async throws {
        guard force || (try? output.stat(followTargetSymlink: false)) == nil else { throw Self.exists(output) }
        let folder = output.removingLastComponent()
        let subject = try StarterSource(source, besides: folder, isOnePack: command != nil)
        var starter = StarterScenario(title: subject.title, source: subject.source)
        starter.client = try command.map { try StarterScenario.Client(command: $0, besides: folder) }
        try await write(starter)
        Console.out("\(output)")
        for warning in subject.warnings { Console.note("warning: \(warning)") }
        let file = output.string.shellQuoted
        let next =
            subject.steps + [
                "Run it: headwind run \(file) --output results",
                "Measure numbers for budgets: headwind run \(file) --suggest-budgets",
                "Complete it in an editor: headwind schema --help",
            ]
        Console.note("What to do next:")
        for step in next { Console.note("- \(step)") }
    }

    /// Writes the scenario to a draft file, reads that back, and only then moves it to its place.
    private func write(_ starter: StarterScenario) async throws {
        let stem = output.stem ?? "scenario"
        let draft = output.removingLastComponent().appending(".\(stem).\(getpid()).yaml")
        defer { unlink(draft.string) }
        var starter = starter
        for network in StarterScenario.Network.allCases where starter.ideal == nil {
            starter.network = network
            starter.ideal = try await ideal(of: try read(starter, at: draft), isForeign: starter.isForeign)
        }
        let scenarios = try read(starter, at: draft)
        if starter.client != nil { try await check(scenarios) }
        guard move(draft) else {
            let error = Errno(rawValue: errno)
            if error == .fileExists { throw Self.exists(output) }
            throw FileReplacement.failure(output, error, "another --output")
        }
    }

    /// Gives the draft its name; returns false, and sets `errno`, if that fails.
    private func move(_ draft: FilePath) -> Bool {
        guard !force else { return rename(draft.string, output.string) == 0 }
        // A link, unlike a rename, never replaces a file. File systems without links, such as vfat, refuse it.
        if link(draft.string, output.string) == 0 { return true }
        guard [EPERM, EOPNOTSUPP].contains(errno), access(output.string, F_OK) != 0 else { return false }
        return rename(draft.string, output.string) == 0
    }

    /// Throws if a run would refuse the command, because there is no such program.
    private func check(_ scenarios: [Scenario]) async throws {
        do { try await Run(scenarios).check() } catch let invalid as InvalidFiles {
            throw CommandFailure.invalidInput("Could not write a scenario for --command: \(invalid.sentences).")
        }
    }

    /// Writes a scenario to a file, and reads it.
    private func read(_ starter: StarterScenario, at draft: FilePath) throws -> [Scenario] {
        try FileReplacement.write(starter.text, to: draft)
        return try ScenarioLoader(profiles: ProfileCommand.library()).load([draft])
    }

    /// How long a perfect client takes; nil if that is over an hour.
    ///
    /// For a foreign host it assumes the size of an example.
    private func ideal(of scenarios: [Scenario], isForeign: Bool) async throws -> Duration? {
        guard isForeign else { return try await Run(scenarios).idealTimes().first ?? nil }
        let sample = IdealTransfer(bodies: [StarterScenario.sampleBytes])
        return scenarios.first?.cells.first.flatMap { sample.times(over: $0.link.profile)?.complete }
    }

    private static func exists(_ file: FilePath) -> CommandFailure {
        CommandFailure.usage("'\(file)' already exists. Choose another --output, or replace it with --force.")
    }
}
