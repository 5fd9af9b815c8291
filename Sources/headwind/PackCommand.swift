import ArgumentParser

/// `headwind pack`: packs from files, and a look at packs.
struct PackCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pack",
        abstract: "Build, show and check asset packs.",
        discussion: """
            Packs, manifest and tag table have the form that Xcode gives them, so that each can read the other's.

              headwind pack build ./levels --by-folder --output packs
              headwind pack show packs
              headwind pack check packs
            """,
        subcommands: [PackBuildCommand.self, PackShowCommand.self, PackCheckCommand.self]
    )
}
