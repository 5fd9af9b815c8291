import ArgumentParser
import Documents
import History
import PackHost
import ProxyLink
import ResultFiles
import Scenarios
import SystemPackage
import Testing

@testable import headwind

/// What all commands have in common.
struct CommandLineTests {
    private static let commands = all(Headwind.self)

    private static func all(_ command: any ParsableCommand.Type) -> [any ParsableCommand.Type] {
        [command] + command.configuration.subcommands.flatMap(all)
    }

    @Test(arguments: [
        (["rnu"], "there is no command 'rnu' of 'headwind'; did you mean 'run'?"),
        (["help", "exc"], "there is no command 'exc' of 'headwind'; did you mean 'exec'?"),
        (["profile", "lst", "x"], "there is no command 'lst' of 'headwind profile'; did you mean 'list'?"),
        (
            ["report", "foo"],
            "there is no command 'foo' of 'headwind report'; there are show, html, merge, compare, history. See "
                + "'headwind report --help'."
        ),
        (["frobnicate"], "there is no command 'frobnicate' of 'headwind'; there are run, check, hunt, "),
    ])
    func anUnknownCommandIsNamedWithTheNearest(arguments: [String], message: String) {
        let failure = #expect(throws: CommandFailure.self) { try CommandName.check(arguments, of: Headwind.self) }
        #expect(failure?.status == .usage)
        #expect(failure?.description.hasPrefix(message) == true)
    }

    @Test(arguments: [
        [], ["run"], ["run", "rnu"], ["--version"], ["help"], ["help", "run"], ["profile"], ["profile", "--help"],
        ["profile", "show", "lst"], ["exec", "--profile", "3g", "--", "rnu"], ["--generate-completion-script", "bash"],
    ])
    func validCommandsAndArgumentsPass(arguments: [String]) throws {
        try CommandName.check(arguments, of: Headwind.self)
    }

    /// Examples are copied into a shell, so the parser, which wraps text at 80 columns, must not break their lines.
    @Test func examplesStayOnTheirLines() {
        var examples = 0
        for command in Self.commands {
            for line in command.configuration.discussion.split(separator: "\n") where line.hasPrefix("  ") {
                #expect(line.count <= 80, "\(line)")
                examples += 1
                let help = Headwind.helpMessage(for: command, columns: 80)
                #expect(help.contains("\n\(line)\n") || help.hasSuffix("\n\(line)"), "\(line)")
            }
        }
        #expect(examples > 40)
    }

    /// The words that CONTRIBUTING.md tells writers to avoid.
    @Test(arguments: ["unless told", "be it", "whoever", "nobody", "what there is of", "comes to", "held against"])
    func helpAvoidsHardWords(words: String) {
        for command in Self.commands {
            let help = Headwind.helpMessage(for: command, columns: 10_000).lowercased()
            let spaced = help.split { !$0.isLetter && $0 != "'" }.joined(separator: " ")
            #expect(!" \(spaced) ".contains(" \(words) "), "\(command): \(words)")
        }
    }

    @Test func everyCommandHasExamples() {
        for command in Self.commands {
            #expect(
                command.configuration.discussion.contains("\n  headwind ")
                    || command.configuration.discussion.hasPrefix("  headwind "), "\(command)")
        }
    }

    @Test(
        arguments: [
            (.noSpace, .infrastructure), (.permissionDenied, .noPermission), (.readOnlyFileSystem, .noPermission),
            (.noSuchFileOrDirectory, .usage), (.fileExists, .usage),
        ] as [(Errno, headwind.ExitStatus)])
    func aResultsFolderThatCannotBeMadeHasTheStatusOfItsCause(error: Errno, status: headwind.ExitStatus) {
        let failure = CommandFailure(ResultFileError.noResultsFolder("/x", reason: "\(error)", error))
        #expect(failure.status == status)
        #expect(
            failure.description
                == "Could not make the folder for results '/x': \(error). Choose another place with --output.")
    }

    @Test(
        arguments: [
            (.permissionDenied, .noPermission), (.readOnlyFileSystem, .noPermission), (.notDirectory, .usage),
            (nil, .usage),
        ] as [(Errno?, headwind.ExitStatus)])
    func anUnusableHistoryHasTheStatusOfItsCause(error: Errno?, status: headwind.ExitStatus) {
        #expect(CommandFailure(telling: HistoryError.unusable("/x", reason: "no", error))?.status == status)
    }

    @Test(
        arguments: [
            (.addressInUse, .infrastructure), (.permissionDenied, .noPermission), (.addressNotAvailable, .usage),
        ] as [(Errno, headwind.ExitStatus)])
    func anAddressThatCannotBeListenedOnHasTheStatusOfItsCause(error: Errno, status: headwind.ExitStatus) {
        let endpoint = Endpoint(host: "127.0.0.1", port: 1)
        #expect(CommandFailure(HostError.cannotListen(on: "x", error)).status == status)
        #expect(CommandFailure(ProxyLinkError.listen(endpoint, "x", code: error.rawValue)).status == status)
    }

    @Test func aTakenPortIsReportedInASentence() async throws {
        try await withProxyLink(ProxyLinkConfiguration(profile: .init(name: "free"))) { link in
            let taken = try #require(link.forwardAddress)
            let error = await #expect(throws: ProxyLinkError.self) {
                try await withProxyLink(ProxyLinkConfiguration(profile: .init(name: "free"), forward: taken)) { _ in }
            }
            #expect(
                error?.description
                    == "Could not listen at \(taken): Address already in use. "
                    + "Choose an address of this machine and a free port, or port 0.")
            #expect(error.map { CommandFailure($0).status } == .infrastructure)
        }
    }

    @Test func onlySeveralProblemsAreCounted() {
        let place = Mark(line: 3, column: 5)
        let here = Diagnostic(file: "", mark: .start, message: "there is no profile '5g'", hint: "did you mean '3g'?")
        let there = Diagnostic(file: "a.yaml", mark: place, message: "no")
        let both = CommandFailure(InvalidFiles([here, there]))
        #expect(CommandFailure(InvalidFiles([here])).description.isEmpty)
        #expect(both.description == "found 2 problems")
        #expect(
            both.problems == ["headwind: there is no profile '5g'; did you mean '3g'?", "a.yaml:3:5: no"])
    }

    @Test func aCheckOfValidFilesPrintsOneLine() {
        #expect(ProfileCheckCommand.summary(["a.yaml"], ["train"]) == "a.yaml: the profile 'train' is valid")
        #expect(ProfileCheckCommand.summary(["a.yaml", "b.yaml"], ["a", "b"]) == "2 profiles are valid")
    }

    @Test(arguments: [
        ("high-latency-dns", "name lookups 3 s"), ("flaky-lte", "jitter 18 ms, stalls 900 ms every 18 s"),
        ("offline-silent", "silent"), ("3g", "-"),
    ])
    func theListOfProfilesShowsPropertiesWithoutAColumn(name: String, others: String) throws {
        let table = ProfileListCommand.table([try ProfileCommand.library().profile(name)])
        let rows = table.map { $0.split(separator: /\ {2,}/).map(String.init) }
        let column = try #require(rows[0].firstIndex(of: "ALSO"))
        #expect(rows[1][column] == others)
    }
}
