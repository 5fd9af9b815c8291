import ArgumentParser

/// The program that Benchmarks/packets measures.
@main
struct PacketLoopProgram: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "packet-loop", subcommands: [Run.self, Shares.self], defaultSubcommand: Run.self)
}
