import ArgumentParser
import Redaction
import Reports
import ResultFiles
import Results
import SystemPackage

/// `headwind report html`: writes one result as an HTML page.
struct ReportHTMLCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "html",
        abstract: "Write a result as an HTML page with charts of every attempt.",
        discussion: """
            The page is one file, and needs no network. It is made from result.json and the events.jsonl beside it. \
            Without events it has no timelines; without Debian's package libjs-dygraphs it has no charts. 'headwind \
            run --output' writes the same page at its end.

            The exit status is 0 if the page was written, whatever the verdict, and 64 if it cannot be written there. \
            For an unfinished or stopped run it is the run's own status.

              headwind report html results/today
              headwind report html results/today --output /tmp/today.html
            """
    )

    @Argument(
        help: "A run's folder, or its result.json.",
        completion: .file(extensions: ["json"]), transform: { FilePath($0) })
    var result: FilePath

    @Option(
        name: .shortAndLong,
        help: ArgumentHelp("The file to write. (default: report.html beside the result)", valueName: "file"),
        completion: .file(extensions: ["html"]), transform: { FilePath($0) })
    var output: FilePath?

    func run() async throws {
        let place = ResultPlace(result)
        let page = output ?? place.folder.appending(ReportFormat.html.fileName ?? "")
        try OutputPlace(option: "--output", path: page).check()
        let hold = try hold(of: page, in: place)
        defer { withExtendedLifetime(hold) {} }
        let (run, bytes) = try await ResultPage(place).make()
        try FileReplacement.write(bytes, to: page, instead: "another --output")
        Console.note("The page is \(page).")
        if !run.isWhole { throw ExitCode(run.exitCode) }
    }

    /// Locks the folder of the result against runs while the page is made there; nil if the page goes elsewhere.
    private func hold(of page: FilePath, in place: ResultPlace) throws -> ResultsLock? {
        guard page.removingLastComponent() == place.folder else { return nil }
        return try ResultsLock(place.folder, command: Redaction.arguments(CommandLine.arguments))
    }
}
