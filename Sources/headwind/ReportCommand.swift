import ArgumentParser

/// `headwind report`: results of earlier runs, once more.
struct ReportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "report",
        abstract: "Show the result of an earlier run in another form.",
        discussion: """
            A run with --output leaves a folder with result.json, of which every report is made.

              headwind run --output results/today
              headwind report show results/today
            """,
        subcommands: [ReportShowCommand.self]
    )
}
