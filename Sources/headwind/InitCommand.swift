import ArgumentParser
import FoundationEssentials
import Glibc
import Reports
import Scenarios
import SystemPackage

/// `headwind init`: a first scenario.
struct InitCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "init",
        abstract: "Write a first scenario, for a folder or an address.",
        discussion: """
            For a folder of resources with tags.json, of folders that are the tags, of packs with their manifest, or of plain files, each \
            of which is then a pack; for the address of a manifest (.plist), or of any file, which curl then fetches. Without any of \
            them the catalog is one that comes with Headwind. The scenario is read back before it is written.

            Examples:

              headwind init
              headwind init packs --output scenarios/packs.yaml
              headwind init https://cdn.example/pack.zip
            """)

    @Argument(help: ArgumentHelp("What is to be downloaded.", valueName: "folder or url"), completion: .directory)
    var source: String?

    @Option(
        name: .shortAndLong, help: ArgumentHelp("The file to write (scenario.yaml unless told).", valueName: "file"),
        completion: .file(extensions: ["yaml"]), transform: { FilePath($0) })
    var output: FilePath = "scenario.yaml"

    @Flag(help: "Replace the file, if there is one.")
    var force = false

    func validate() throws {
        let name = output.lastComponent?.string ?? ""
        guard name.hasSuffix(".yaml") || name.hasSuffix(".yml") else {
            throw ValidationError("--output is a file whose name ends in .yaml.")
        }
    }

    func run() throws {
        var status = stat()
        guard force || lstat(output.string, &status) != 0 else { throw Self.exists(output) }
        let subject = try StarterSource(source, besides: output.removingLastComponent())
        let starter = StarterScenario(title: subject.title, source: subject.source)
        try write(starter.text)
        Console.out("\(output)")
        for warning in subject.warnings { Console.note("warning: \(warning)") }
        let file = output.string.shellQuoted
        let next =
            subject.steps + [
                "Run it: headwind run \(file) --output results",
                "Have numbers of your own for budgets: headwind run \(file) --suggest-budgets",
                "Have an editor complete it: headwind schema --help",
            ]
        Console.note("What to do next:")
        for step in next { Console.note("- \(step)") }
    }

    /// Writes the text beside its place, reads it as a scenario, and only then has it take that place.
    private func write(_ text: String) throws {
        let stem = output.stem ?? "scenario"
        let draft = output.removingLastComponent().appending(".\(stem).\(getpid()).yaml")
        defer { unlink(draft.string) }
        try FileReplacement.write(text, to: draft)
        _ = try ProfileCommand.tellingProblems {
            try ScenarioLoader(profiles: ProfileCommand.library()).load([draft])
        }
        // A link, unlike a rename, never replaces a file.
        guard force ? rename(draft.string, output.string) == 0 : link(draft.string, output.string) == 0 else {
            let error = Errno(rawValue: errno)
            if error == .fileExists { throw Self.exists(output) }
            throw CommandFailure(
                status: ExitStatus(cannotWrite: error),
                description: "Could not write '\(output)': \(error). Choose another --output.")
        }
    }

    private static func exists(_ file: FilePath) -> CommandFailure {
        CommandFailure(
            status: .usage,
            description: "'\(file)' is there already. Choose another --output, or replace it with --force.")
    }
}
