import ArgumentParser
import LinkModel
import Scenarios

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
