import ArgumentParser
import LinkModel
import Scenarios
import SystemPackage
import Wording

/// `headwind profile`: which links there are, what one is, and whether a file describes one.
struct ProfileCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "profile",
        abstract: "Show, check, import and record profiles of links.",
        discussion: """
            A profile is a link: a rate, a one-way delay, a loss and more for each direction.

              headwind profile list
              headwind profile show lte
              headwind profile check ./train.yaml
              headwind profile import nlc.plist --profile 'My 3G' > my-3g.yaml
              headwind profile record http://203.0.113.7:18400/ --output commute.yaml
            """,
        subcommands: [
            ProfileListCommand.self, ProfileShowCommand.self, ProfileCheckCommand.self, ProfileImportCommand.self,
            ProfileRecordCommand.self,
        ]
    )

    /// Completes the names of bundled profiles.
    static let names = CompletionKind.custom { _, _, _ in ProfileLibrary.bundled?.names ?? [] }

    /// The bundled profiles.
    ///
    /// Throws where their folder is nowhere.
    static func library() throws -> ProfileLibrary {
        if let library = ProfileLibrary.bundled { return library }
        let place = BundledFiles.share ?? BundledFiles.executable.string
        throw CommandFailure(
            status: .failed,
            description: "could not find the folder 'profiles' from '\(place)'; "
                + "set \(BundledFiles.variable) to the folder that holds it")
    }

    /// Runs `body`; where files are wrong, tells every problem on stderr as `file:line:column: message`.
    static func tellingProblems<Value>(_ body: () throws -> Value) throws -> Value {
        do {
            return try body()
        } catch let error as InvalidFiles {
            throw tell(error)
        }
    }

    /// Prints what is wrong, a line each, and returns what ends the command.
    static func tell(_ error: InvalidFiles) -> CommandFailure {
        Console.note(TerminalText(lines: lines(error)))
        let count = error.diagnostics.count
        return CommandFailure(status: .invalidInput, description: count == 1 ? "" : "found \(count) problems")
    }

    /// What is wrong: `file:line:column: message`, or `headwind: message` where it is in no file.
    static func lines(_ error: InvalidFiles) -> [String] {
        error.diagnostics.map { ($0.file.isEmpty ? "headwind: " : "") + $0.description }
    }
}

extension ProfileCommand {
    /// The profile that a user calls by name or by path.
    ///
    /// Tells on stderr what is wrong with its file, and throws.
    static func named(_ reference: String) throws -> Profile {
        try tellingProblems { try library().profile(reference) }
    }
}
