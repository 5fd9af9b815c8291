import ArgumentParser

/// How results are printed.
enum OutputFormat: String, ExpressibleByArgument, CaseIterable {
    case text
    case json
}

/// The option that all commands with a result share.
struct OutputOptions: ParsableArguments {
    @Option(help: "The format on stdout: text or json.")
    var format: OutputFormat = .text
}
