import Reports
import ResultFiles
import SystemPackage

/// The GitHub Actions job that runs this process, if any.
enum GitHubJob {
    static var isHere: Bool { Console.environment("GITHUB_ACTIONS") == "true" }

    /// The path of a file in the job's repository; nil for other files.
    static func repositoryPath(_ file: String) -> String? {
        ProjectFolder.name(of: FilePath(file), below: FilePath(Console.environment("GITHUB_WORKSPACE") ?? "."))
    }

    /// Adds a text to the summary of the job, if it has one; `text` gets the number of bytes that it may have.
    ///
    /// A failure to write is only reported.
    static func addToSummary(_ text: (_ room: Int) -> String) {
        guard let path = Console.environment("GITHUB_STEP_SUMMARY"), !path.isEmpty else { return }
        do {
            let file = try FileDescriptor.open(
                FilePath(path), .writeOnly, options: [.append, .create, .closeOnExec, .nonBlocking],
                permissions: [.ownerReadWrite, .groupRead, .otherRead])
            try file.closeAfter {
                let size = try file.stat().size
                let room = MarkdownReport.mostBytes - Int(clamping: size) - 1
                guard room >= leastSummary else {
                    return Console.note("The summary of this job is already full, so it does not show this run.")
                }
                _ = try file.writeAll(((size > 0 ? "\n" : "") + text(room)).utf8)
            }
        } catch {
            Console.note("Could not add to the summary of this job, GITHUB_STEP_SUMMARY '\(path)': \(error).")
        }
    }

    /// The least room for a text, in bytes; below that it adds none.
    private static let leastSummary = 1000
}
