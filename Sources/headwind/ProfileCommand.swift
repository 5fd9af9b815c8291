import ArgumentParser
import LinkModel
import Scenarios
import SystemPackage

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
            .failed,
            "could not find the folder 'profiles' from '\(place)'; set \(BundledFiles.variable) to the folder that "
                + "holds it")
    }

    /// The profile with a name, or from a file at a path.
    static func named(_ reference: String) throws -> Profile { try library().profile(reference) }
}

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
