import ArgumentParser

/// Measures what the kernel's queues do to packets, from socket to socket; prints a line of JSON for each figure.
@main
struct KernelFiguresProgram: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "kernel-figures",
        abstract: "Measure links by the kernel's queues, from socket to socket.",
        discussion: """
            swift build && .build/debug/kernel-figures rates
            swift build && .build/debug/kernel-figures load
            swift build && Scripts/netem-test .build/debug/kernel-figures rtt
            swift build && Scripts/netem-test .build/debug/kernel-figures loss
            """,
        subcommands: [Rates.self, Load.self, RoundTrips.self, Losses.self])
}
