import ArgumentParser
import FoundationEssentials
import Reports
import Results
import Scenarios
import SystemPackage

/// `headwind demo`: a client with bugs, and how it is caught.
struct DemoCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "demo",
        abstract: "Catch a client with bugs, in ten seconds.",
        discussion: """
            Checks a client that comes with Headwind, a script with two bugs, as 'headwind check' checks yours: it takes a \
            page that says 404 for the pack, and a part for the whole. At the end it names the page that shows what \
            happened, and the command for a client of yours. The script needs bash.

            The exit status is 0 where both bugs are found, 1 where one is not, and 75 where that could not be measured.

            Examples:

              headwind demo
              headwind demo --output /tmp/demo
            """)

    @Option(
        name: .shortAndLong,
        help: ArgumentHelp(
            "Write report.html and the other results to this folder. An earlier demo's are replaced.",
            valueName: "folder"),
        completion: .directory)
    var output = "headwind-demo"

    @Option(help: ArgumentHelp("The backend of the links: packet, kernel, proxy, or auto.", valueName: "backend"))
    var backend = BackendOption.auto

    /// The check of a download that nothing disturbs.
    private static let control = "good-link"
    /// The checks that the client fails.
    static let bugs = ["status-404", "body-short"]

    func run() async throws {
        guard let folder = BundledFiles.folder("scenarios") else {
            throw CommandFailure(
                status: .failed,
                description: "The client of the demo is not beside this program. Set \(BundledFiles.variable) to the "
                    + "folder that holds 'scenarios' and 'profiles'.")
        }
        let client = folder.appending("demo/careless.sh")
        Console.note(
            "\(client) downloads a pack: over a good link, from a host that lacks it, and from one that breaks off.")
        let check = try CheckCommand.parse([
            "--output=\(output)", "--backend=\(backend.defaultValueDescription)", "--", "bash",
            Template.escaping(client.string), "{url}", "{output}",
        ])
        try await check.ask([Self.control] + Self.bugs) { Self.status(of: $0) }
        let page = FilePath(FileManager.default.currentDirectoryPath).pushing(FilePath(output))
            .appending(ReportFormat.html.fileName ?? "")
        Console.out(lines: [
            "", "The page that shows it: \(page)",
            "A client of yours: headwind check -- YOUR CLIENT '{url}' '{output}'",
        ])
    }

    /// What the demo ends with.
    static func status(of report: ClientReport) -> ProcessStatus {
        let missed = report.rows.filter { bugs.contains($0.name) && $0.answer != .fails }
        if missed.isEmpty, report.rows(.fails).count == bugs.count {
            return ProcessStatus(code: ExitStatus.held.rawValue, reason: "the demo has caught its client.")
        }
        if missed.contains(where: { $0.answer == .notMeasured }) {
            return ProcessStatus(
                code: ExitStatus.infrastructure.rawValue, reason: "the demo could not be measured: try again.")
        }
        return ProcessStatus(code: ExitStatus.failed.rawValue, reason: "the demo has not caught its client.")
    }
}
