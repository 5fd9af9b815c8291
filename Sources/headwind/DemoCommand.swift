import ArgumentParser
import FoundationEssentials
import Links
import LinuxSupport
import Reports
import Results
import Scenarios
import SystemPackage

/// `headwind demo`: catches a client with bugs.
struct DemoCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "demo",
        abstract: "Catch a client with bugs, in ten seconds.",
        discussion: """
            Checks a bundled script with two bugs, as 'headwind check' checks your client: it saves a 404 page as the \
            pack, and accepts an incomplete pack. At the end it prints the path of the report, and the command for \
            your own client. The script needs bash.

            The exit status is 0 if both bugs are found, 1 if one is missed, and 75 if the demo could not be measured.

            Examples:

              headwind demo
              headwind demo --output /tmp/demo
            """)

    @Option(
        name: .shortAndLong,
        help: ArgumentHelp(
            "Write report.html and the other results to this folder. Replaces those of an earlier demo.",
            valueName: "folder"),
        completion: .directory)
    var output = "headwind-demo"

    @Option(help: ArgumentHelp("The backend of the links: packet, kernel, proxy, or auto.", valueName: "backend"))
    var backend = OrAuto<LinkBackend>.auto

    /// The check of an undisturbed download.
    private static let control = "good-link"
    /// The checks that the client fails.
    static let bugs = ["status-404", "body-short"]

    func run() async throws {
        guard let folder = BundledFiles.folder("scenarios") else {
            throw CommandFailure(missing: "The client of the demo is", "Set")
        }
        let client = folder.appending("demo/careless.sh")
        Console.note(
            "\(client) downloads a pack: over a good link, from a host without it, and from one that hangs up early.")
        let check = try CheckCommand.parse([
            "--output=\(output)", "--backend=\(backend.defaultValueDescription)", "--", "bash",
            Template.escaping(client.string), "{url}", "{output}",
        ])
        try await check.ask([Self.control] + Self.bugs) { Self.status(of: $0) }
        let page = FilePath(output).absolute
            .appending(ReportFormat.html.fileName ?? "")
        Console.out(lines: [
            "", "Report: \(page)",
            "Test your own client: headwind check -- YOUR CLIENT '{url}' '{output}'",
        ])
    }

    /// The exit status of the demo, with its reason.
    static func status(of report: ClientReport) -> ProcessStatus {
        let missed = report.rows.filter { bugs.contains($0.name) && $0.answer != .fails }
        if missed.isEmpty, report.rows(.fails).count == bugs.count {
            return ProcessStatus(code: ExitStatus.held.rawValue, reason: "the demo found both bugs.")
        }
        if missed.contains(where: { $0.answer == .notMeasured }) {
            return ProcessStatus(
                code: ExitStatus.infrastructure.rawValue, reason: "the demo could not be measured: try again.")
        }
        return ProcessStatus(code: ExitStatus.failed.rawValue, reason: "the demo missed a bug.")
    }
}
