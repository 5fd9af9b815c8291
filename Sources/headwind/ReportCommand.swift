import ArgumentParser

/// `headwind report`: results of earlier runs, once more.
struct ReportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "report",
        abstract: "Show results of earlier runs in another format, together, compared, or over time.",
        discussion: """
            A run with --output leaves a folder with result.json, of which every report is made.

              headwind run --output results/today
              headwind report show results/today
              headwind report html results/today
              headwind report merge shard-1 shard-2 --output results
              headwind report compare results/main results/today
              headwind report history
            """,
        subcommands: [
            ReportShowCommand.self, ReportHTMLCommand.self, ReportMergeCommand.self, ReportCompareCommand.self,
            ReportHistoryCommand.self,
        ]
    )
}
