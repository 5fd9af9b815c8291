import ArgumentParser

/// `headwind report`: results of earlier runs, once more.
struct ReportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "report",
        abstract: "Show results of earlier runs in another form, compared, or over time.",
        discussion: """
            A run with --output leaves a folder with result.json, of which every report is made.

              headwind run --output results/today
              headwind report show results/today
              headwind report compare results/main results/today
              headwind report history
            """,
        subcommands: [ReportShowCommand.self, ReportCompareCommand.self, ReportHistoryCommand.self]
    )
}
