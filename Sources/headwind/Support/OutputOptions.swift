import ArgumentParser

/// How results are printed, and how `headwind run` shows its progress.
enum OutputFormat: String, ExpressibleByArgument, CaseIterable {
    case text
    case json
}

/// The option that all commands with a result share.
struct OutputOptions: ParsableArguments {
    @Option(help: "The format on stdout: text or json.")
    var format: OutputFormat = .text

    /// Prints a value as JSON, or its lines.
    func print(_ value: some Encodable, lines: @autoclosure () throws -> [String]) throws {
        switch format {
        case .json: try Console.json(value)
        case .text: Console.out(lines: try lines())
        }
    }
}
