import ArgumentParser
import LinkModel
import Scenarios
import SystemPackage

/// `headwind profile check`: whether files describe profiles.
struct ProfileCheckCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Check profile files, and say what is wrong and where.",
        discussion: """
            Every problem of every file is told as file:line:column. The exit status is 65 if there is one.

              headwind profile check ./train.yaml
              headwind profile check profiles/*.yaml
            """
    )

    @Argument(help: "The files to check.")
    var files: [String]

    func run() async throws {
        let library = try ProfileCommand.library()
        try ProfileCommand.tellingProblems {
            var diagnostics: [Diagnostic] = []
            for file in files {
                do throws(InvalidFiles) {
                    let profile = try library.profile(file: FilePath(file))
                    Console.out("\(file): \(profile.name) is a profile")
                } catch {
                    diagnostics += error.diagnostics
                }
            }
            if !diagnostics.isEmpty { throw InvalidFiles(diagnostics) }
        }
    }
}
