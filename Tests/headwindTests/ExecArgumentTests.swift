import ArgumentParser
import Testing

@testable import headwind

struct ExecArgumentTests {
    @Test(arguments: [
        (["--profile", "3g", "--", "curl", "-v", "--seed", "1"], ["curl", "-v", "--seed", "1"]),
        (["--profile", "3g", "curl", "--", "x"], ["curl", "--", "x"]),
        (["--profile", "3g", "--", "--odd-name", "x"], ["--odd-name", "x"]),
    ])
    func argumentsAfterTheProgramBelongToIt(arguments: [String], words: [String]) throws {
        let command = try #require(try ExecCommand.parseAsRoot(arguments) as? ExecCommand)
        #expect(command.words == words)
        #expect(command.seed == 0)
    }

    @Test(arguments: [
        (
            ["--profile", "3g", "--sede", "3", "--", "true"],
            "no option '--sede' of 'headwind exec'; did you mean '--seed'?"
        ),
        (
            ["--profile", "3g", "--bandwidth=1mbit", "true"],
            "no option '--bandwidth' of 'headwind exec'; there are --profile, "
        ),
        (["--profile", "3g", "-s", "3", "true"], "no option '-s' of 'headwind exec'; "),
    ])
    func anUnknownOptionIsNotTakenForTheProgram(arguments: [String], message: String) {
        let error = #expect(throws: (any Error).self) { try ExecCommand.parseAsRoot(arguments) }
        #expect(error.map { ExecCommand.fullMessage(for: $0).contains(message) } == true)
        #expect(error.map(ExecCommand.exitCode) == .validationFailure)
    }

    @Test(arguments: [["--profile", "3g"], ["--profile", "3g", "--"], ["--", "true"]])
    func aProgramAndAProfileAreRequired(arguments: [String]) {
        #expect(throws: (any Error).self) { try ExecCommand.parseAsRoot(arguments) }
    }
}
