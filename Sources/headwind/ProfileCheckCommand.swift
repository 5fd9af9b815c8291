import ArgumentParser
import LinkModel
import Scenarios
import SystemPackage

/// `headwind profile check`: whether files describe profiles.
struct ProfileCheckCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Check profile files.",
        discussion: """
            It reports every problem as file:line:column, and the exit status is 65 if there is one. Otherwise it \
            prints one line.

              headwind profile check ./train.yaml
              headwind profile check profiles/*.yaml
            """
    )

    @Argument(help: "The files to check.", completion: .file(extensions: ["yaml", "yml"]))
    var files: [String]

    /// The message that these files are valid, with the names of their profiles.
    static func summary(_ files: [String], _ names: [String]) -> String {
        files.count == 1 ? "\(files[0]): the profile '\(names[0])' is valid" : "\(files.count) profiles are valid"
    }

    func run() async throws {
        let library = try ProfileCommand.library()
        let names = try files.readingEach { file throws(InvalidFiles) in
            try library.profile(file: FilePath(file)).name
        }
        Console.out("\(Self.summary(files, names))")
    }
}
