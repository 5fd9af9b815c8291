import ArgumentParser
import LinkModel
import Scenarios
import SystemPackage
import Wording

/// `headwind profile`: lists, shows, checks, imports and records profiles.
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
    /// Throws ``CommandFailure`` if their folder is not found.
    static func library() throws -> ProfileLibrary {
        if let library = ProfileLibrary.bundled { return library }
        let place = BundledFiles.share ?? BundledFiles.executable.string
        throw CommandFailure(
            status: .failed,
            description: "could not find the folder 'profiles' from '\(place)'; "
                + "set \(BundledFiles.variable) to the folder that holds it")
    }

    /// Runs `body`; if it throws `InvalidFiles`, prints every problem on stderr as `file:line:column: message`.
    static func tellingProblems<Value>(_ body: () throws -> Value) throws -> Value {
        do {
            return try body()
        } catch let error as InvalidFiles {
            throw tell(error)
        }
    }

    /// Prints the problems on stderr, a line each, and returns the failure that ends the command.
    static func tell(_ error: InvalidFiles) -> CommandFailure {
        Console.note(TerminalText(lines: lines(error)))
        let count = error.diagnostics.count
        return CommandFailure(status: .invalidInput, description: count == 1 ? "" : "found \(count) problems")
    }

    /// The problems: `file:line:column: message`, or `headwind: message` if a problem is in no file.
    static func lines(_ error: InvalidFiles) -> [String] {
        error.diagnostics.map { ($0.file.isEmpty ? "headwind: " : "") + $0.description }
    }
}

extension ProfileCommand {
    /// The profile with a name, or from a file at a path.
    ///
    /// If its file is wrong, it prints the problems on stderr, and throws.
    static func named(_ reference: String) throws -> Profile {
        try tellingProblems { try library().profile(reference) }
    }
}
