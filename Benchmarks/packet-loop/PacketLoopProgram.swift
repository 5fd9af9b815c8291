import ArgumentParser

/// What Benchmarks/packets has measured.
@main
struct PacketLoopProgram: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "packet-loop", subcommands: [Run.self, Shares.self], defaultSubcommand: Run.self)
}
