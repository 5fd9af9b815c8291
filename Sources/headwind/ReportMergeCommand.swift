import ArgumentParser
import Glibc
import Redaction
import Reports
import ResultFiles
import Results
import SystemPackage
import Wording

/// `headwind report merge`: results of parts of a run, as one.
struct ReportMergeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "merge",
        abstract: "Put the results of several runs together into one.",
        discussion: """
            For a run that was divided among machines or jobs. The folder has all that a run's has: every report, the events, \
            schedules, captures and bundles. A cell that is in two results is refused, unless it is the same in both. A cell that \
            one run left without a verdict is made up for by another's.

            Shards of 'headwind run --shard' know how many they are: one that is missing makes the whole unfinished. For other \
            results say by --require how many there are to be, wherever the exit status decides.

            The exit status is that of the whole: 0 when all held, and otherwise the largest of the cells' and runs', which is at \
            least 75 where results that are required are missing. 65 means that a result cannot be read, or that two contradict \
            each other.

              headwind report merge shard-1 shard-2 --output results --require 2
              headwind report merge artifacts/* --output results --require 8
            """
    )

    @Argument(
        help: ArgumentHelp("Folders of runs.", valueName: "folder"), completion: .directory, transform: { FilePath($0) }
    )
    var results: [FilePath]

    @Option(
        name: .shortAndLong, help: ArgumentHelp("Where the whole result is written.", valueName: "folder"),
        completion: .directory, transform: { FilePath($0) })
    var output: FilePath

    @Option(
        help: ArgumentHelp(
            "How many results there are to be; with fewer the whole is unfinished, and its status at least 75. By default, as "
                + "many as the shards say.",
            valueName: "count"))
    var require: Int?

    @OptionGroup var format: OutputOptions

    func validate() throws {
        if let require, !(1...10_000).contains(require) { throw ValidationError("--require is between 1 and 10000.") }
    }

    func run() async throws {
        let shards = try results.map { path in
            ResultMerge.Shard(folder: ResultPlace(path).folder, run: try ReportShowCommand.read(path))
        }
        let run = try Self.tellingFailures {
            let merge = try ResultMerge(shards, required: require)
            for remark in merge.remarks { Console.note("\(remark)") }
            let (run, missing, _) = try merge.write(
                to: output, commandLine: Redaction.arguments(CommandLine.arguments), toolVersion: Headwind.version)
            if !missing.isEmpty {
                Console.note("Files that cells name were not there: \(Self.list(missing)).")
            }
            return run
        }
        switch format.format {
        case .json: Console.out(TerminalText(json: try ReportFormat.json.render(run)))
        case .text:
            let palette: Palette = Console.isColoured(STDOUT_FILENO) ? .ansi : .plain
            Console.out(TerminalText(report: TextReport(palette: palette).render(run)))
            Console.note("The whole result of \(shards.count) is in \(output).")
        }
        guard run.exitCode == 0 else { throw ExitCode(run.exitCode) }
    }

    private static func list(_ names: [String]) -> String {
        names.prefix(3).map { "'\($0)'" }.joined(separator: ", ")
            + (names.count > 3 ? " and \(names.count - 3) more" : "")
    }

    private static func tellingFailures<Value>(_ body: () throws -> Value) throws -> Value {
        do {
            return try body()
        } catch let error as MergeError {
            switch error {
            case .intoItself, .tooMany: throw CommandFailure(status: .usage, description: error.description)
            default: throw CommandFailure(status: .invalidInput, description: error.description)
            }
        } catch let error as ResultFileError {
            throw CommandFailure(error)
        }
    }
}
