import ArgumentParser

/// `headwind report`: shows, merges and compares the results of earlier runs.
struct ReportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "report",
        abstract: "Show, convert, merge and compare the results of earlier runs.",
        discussion: """
            A run with --output writes a folder with result.json. All reports are made from it.

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
