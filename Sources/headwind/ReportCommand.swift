import ArgumentParser

/// `headwind report`: results of earlier runs, once more.
struct ReportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "report",
        abstract: "Show the results of earlier runs in another form, and put several together.",
        discussion: """
            A run with --output leaves a folder with result.json, of which every report is made.

              headwind run --output results/today
              headwind report show results/today
              headwind report html results/today
              headwind report merge shard-1 shard-2 --output results
            """,
        subcommands: [ReportShowCommand.self, ReportHTMLCommand.self, ReportMergeCommand.self]
    )
}
