import ArgumentParser
import FoundationEssentials
import LinuxSupport
import Reports
import ResultFiles
import Results
import SystemPackage
import Wording

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

/// `headwind report show`: shows one result in any format.
struct ReportShowCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show a result as text, JSON, JUnit XML, Markdown, HTML, OpenMetrics or annotations.",
        discussion: """
            The exit status is 0 when the result could be shown, whatever its verdict is. Of a run that has not come to its \
            end, or was ended early, it is the run's own: 75, 130 or 143, or 99 where a cell failed before.

              headwind report show results/today
              headwind report show results/today/result.json --format junit > junit.xml
              headwind report show results/today --format markdown >> "$GITHUB_STEP_SUMMARY"
            """
    )

    @Argument(
        help: "A run's folder, or its result.json.",
        completion: .file(extensions: ["json"]), transform: { FilePath($0) })
    var result: FilePath

    @Option(help: "The format on stdout: text, json, junit, markdown, html, openmetrics or github.")
    var format: ReportFormat = .text

    @Flag(help: "Show every check and the measurements of every link.")
    var verbose = false

    func run() async throws {
        if format == .html {
            let (run, page) = try await ResultPlace(result).page()
            Console.out(TerminalText(document: String(decoding: page.dropLast(), as: UTF8.self)))
            if !run.isWhole { throw ExitCode(run.exitCode) }
            return
        }
        let run = try Self.read(result)
        var text =
            switch format {
            case .github: GitHubAnnotations.render(run, path: GitHubJob.repositoryPath)
            case .text: TextReport(palette: Console.palette, isVerbose: verbose).render(run)
            default: try format.render(run, folder: ProjectFolder.name(of: folder))
            }
        // The console adds the newline itself.
        if text.hasSuffix("\n") { text.removeLast() }
        if !text.isEmpty { Console.out(format == .json ? TerminalText(json: text) : TerminalText(report: text)) }
        // A script that uses the status must not take a part for the whole.
        if !run.isWhole { throw ExitCode(run.exitCode) }
    }

    /// The folder with the result.
    private var folder: FilePath {
        result.lastComponent?.string == ReportFormat.json.fileName ? result.removingLastComponent() : result
    }

    /// Reads a result from its file, or from the file in a run's folder.
    static func read(_ path: FilePath) throws -> RunResult {
        try reading(path, isWhole: true) { descriptor in
            var data = Data()
            try descriptor.readBlocks(most: mostBytes) { data.append(contentsOf: $0) }
            return try RunResult(json: data)
        }
    }

    /// Reads a result in blocks, converts each cell with `part`, and passes it to `body` in order.
    ///
    /// Returns the run without its cells.
    static func stream<Part: Sendable>(
        _ path: FilePath, part: @Sendable (CellResult) -> Part, _ body: (Part) -> Void
    ) throws -> RunResult {
        try reading(path) { descriptor in
            var stream = ResultStream()
            try descriptor.readBlocks(most: mostBytes) { stream.add($0, part: { cell, _ in part(cell) }, body) }
            return try stream.finish()
        }
    }

    /// Reads a result to be merged with others, and keeps only summaries of its cells.
    static func shard(_ path: FilePath) throws -> ResultMerge.Shard {
        let place = ResultPlace(path)
        return try reading(path) { descriptor in
            try ResultMerge.Shard(
                folder: place.folder, fileName: place.file.lastComponent?.string ?? "", descriptor: descriptor)
        }
    }

    /// Opens a result for `body`, which keeps the whole of it if `isWhole` is true (default: false).
    private static func reading<Value>(
        _ path: FilePath, isWhole: Bool = false, _ body: (FileDescriptor) throws -> Value
    ) throws -> Value {
        var file = path.appending(ReportFormat.json.fileName ?? "")
        do {
            let descriptor = try {
                do {
                    return try FileDescriptor.open(file, .readOnly)
                } catch Errno.notDirectory {
                    file = path
                    return try FileDescriptor.open(file, .readOnly)
                }
            }()
            return try descriptor.closeAfter { try body(descriptor) }
        } catch let error as Errno {
            throw CommandFailure.invalidInput(
                "could not read the result '\(file)': \(error). Give the folder that 'headwind run --output' made, or "
                    + "the result.json in it.")
        } catch let error as ResultError {
            // Reading the whole file reports the line and the cell of the error.
            if !isWhole { _ = try read(path) }
            throw CommandFailure.invalidInput("\(file): \(error)")
        }
    }

    private static let mostBytes = Int64(RunResult.mostFileBytes)
}

extension ReportFormat: ExpressibleByArgument {}
