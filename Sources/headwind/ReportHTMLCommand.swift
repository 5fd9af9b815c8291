import ArgumentParser
import FoundationEssentials
import LinuxSupport
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
        try FileReplacement.check(page, of: "--output")
        let hold = try hold(of: page, in: place)
        defer { withExtendedLifetime(hold) {} }
        let (run, bytes) = try await place.page()
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

/// The place of a result: its file, and the folder with its other files.
struct ResultPlace: Sendable {
    let file: FilePath
    let folder: FilePath

    /// Takes the folder of a run, or the result.json in it.
    init(_ path: FilePath) {
        let name = ReportFormat.json.fileName ?? ""
        let isFile = path.extension == "json"
        file = isFile ? path : path.appending(name)
        let parent = path.removingLastComponent()
        folder = isFile ? (parent.isEmpty ? "." : parent) : path
    }
}

extension ResultPlace {
    /// 16 MiB: a larger report of a check is not from Headwind.
    private static let mostCheckBytes = 16 << 20

    /// The report of a check in the folder; nil if there is none, or if the file is another program's.
    private var check: ClientReport? {
        let bytes = try? BoundedFile.read(folder.appending(ClientReport.fileName), most: Self.mostCheckBytes)
        guard let bytes, bytes.count <= Self.mostCheckBytes else { return nil }
        return try? JSONDecoder().decode(ClientReport.self, from: Data(bytes))
    }

    /// Makes the HTML page of the result; also returns the run, without its cells.
    ///
    /// The page has the report of `check`; nil (default) reads that from the file in the same folder. Throws
    /// ``CommandFailure`` if the result cannot be read.
    func page(of check: ClientReport? = nil) async throws -> (run: RunResult, bytes: [UInt8]) {
        // Read both at the same time, as each may take seconds.
        async let indexed = events()
        var report = HTMLReport()
        report.check = check ?? self.check
        let run = try ReportShowCommand.stream(file, part: { HTMLCell($0) }, { report.add($0) })
        let charts = ChartLibrary.installed
        if charts == nil { Console.note("The page has no charts: install libjs-dygraphs for \(ChartLibrary.folder).") }
        return (run, report.render(run, events: try await indexed, charts: charts))
    }

    /// The events of the run; nil if there is no file of events.
    private func events() async throws -> EventFile? {
        let file = folder.appending(ReportFormat.eventsFileName)
        do {
            return try EventFile(file)
        } catch Errno.noSuchFileOrDirectory {
            return nil
        } catch {
            throw CommandFailure.invalidInput(
                "Could not read the events '\(file)': \(error). Make the file readable, or move it away: the page then "
                    + "has no timelines.")
        }
    }
}
