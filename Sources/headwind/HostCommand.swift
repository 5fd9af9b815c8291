import ArgumentParser

/// `headwind host`: serves packs, or checks other servers of packs.
struct HostCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "host",
        abstract: "Serve packs with faults that you choose, or check your own server.",
        discussion: """
            'headwind host DIR' serves only packs that 'headwind pack build' wrote or Xcode exported, until Ctrl-C. \
            You can omit 'serve'. Its options: headwind host serve --help. docs/reference/host.md lists the faults.

              headwind host packs
              headwind host packs --fault 'pack=level-2 try=1 cut@40%'
              headwind host packs --tls --ca-out ca.pem --ready-file ready.json
              headwind host check https://packs.example.com/
            """,
        subcommands: [HostServeCommand.self, HostCheckCommand.self],
        defaultSubcommand: HostServeCommand.self
    )
}
