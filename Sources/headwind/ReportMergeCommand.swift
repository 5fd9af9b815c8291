import ArgumentParser
import Redaction
import Reports
import ResultFiles
import Results
import SystemPackage
import Wording

/// `headwind report merge`: merges the results of the parts of a run.
struct ReportMergeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "merge",
        abstract: "Merge the results of several runs.",
        discussion: """
            The output folder has everything that a run's folder has: reports, events, schedules, captures and \
            bundles. A cell can be in two results only if it is the same in both. A cell without a verdict in one \
            result comes from another.

            Shards of 'headwind run --shard' record their number: if one is missing, the merged run is unfinished, \
            also beside other results. For other results give --require.

            The exit status is that of the whole run: 0 if everything held, otherwise the largest of its cells; at \
            least 75 if results are missing. 65 means that a result cannot be read, or that two results conflict.

              headwind report merge shard-1 shard-2 --output results --require 2
              headwind report merge artifacts/* --output results --require 8
            """
    )

    @Argument(
        help: ArgumentHelp("The folders of the runs.", valueName: "folder"), completion: .directory,
        transform: { FilePath($0) }
    )
    var results: [FilePath]

    @Option(
        name: .shortAndLong, help: ArgumentHelp("The folder of the merged result.", valueName: "folder"),
        completion: .directory, transform: { FilePath($0) })
    var output: FilePath

    @Option(
        help: ArgumentHelp(
            "The expected number of results. With fewer, the merged run is unfinished, with status 75 "
                + "or more. (default: all shards that the results record)",
            valueName: "count"))
    var require: Int?

    @OptionGroup var format: OutputOptions

    func validate() throws {
        try ValidationError.check(require, in: 1...10_000, "--require is between 1 and 10000.")
    }

    func run() async throws {
        let shards = try results.stretches(of: 8).flatMap { stretch in
            try stretch.concurrentMap { path in Result { try ReportShowCommand.shard(path) } }.map { try $0.get() }
        }
        let run = try merged(shards)
        switch format.format {
        case .json: try run.printJSON(in: output)
        case .text:
            Console.out(TerminalText(report: TextReport(palette: Console.palette).render(run)))
            Console.note("The merged result of \(shards.count) is in \(output).")
        }
        guard run.exitCode == 0 else { throw ExitCode(run.exitCode) }
    }

    /// Writes the merged result; the input is at fault if that is not possible.
    private func merged(_ shards: [ResultMerge.Shard]) throws -> RunResult {
        do {
            let merge = try ResultMerge(shards, required: require)
            for remark in merge.remarks { Console.note("\(remark)") }
            let (run, missing, _) = try merge.write(
                to: output, commandLine: Redaction.arguments(CommandLine.arguments), toolVersion: Headwind.version)
            if let remark = ResultMerge.remark(onMissing: missing) { Console.note("\(remark)") }
            return run
        } catch let error as MergeError {
            switch error {
            case .intoItself, .tooMany: throw CommandFailure.usage(error.description)
            default: throw CommandFailure.invalidInput(error.description)
            }
        }
    }
}
