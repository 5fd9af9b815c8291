import ArgumentParser

/// `headwind pack`: builds, shows and checks packs.
struct PackCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pack",
        abstract: "Build, show and check asset packs.",
        discussion: """
            Packs, manifest and tag table have Xcode's format.

              headwind pack build ./levels --by-folder --output packs
              headwind pack show packs
              headwind pack check packs
            """,
        subcommands: [PackBuildCommand.self, PackShowCommand.self, PackCheckCommand.self]
    )
}
