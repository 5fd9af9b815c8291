import Glibc
import LinuxSupport
import Reports
import ResultFiles
import SystemPackage

/// A job of GitHub Actions, where this is one.
enum GitHubJob {
    static var isHere: Bool { Console.environment("GITHUB_ACTIONS") == "true" }

    /// The path of a file in the repository that a job of GitHub's has; nil for other files.
    static func repositoryPath(_ file: String) -> String? {
        ProjectFolder.name(of: FilePath(file), below: FilePath(Console.environment("GITHUB_WORKSPACE") ?? "."))
    }

    /// Adds a text to the summary of the job, where there is one; `text` is told how many bytes it may have.
    ///
    /// That it cannot be written is said, and changes nothing else.
    static func addToSummary(_ text: (_ room: Int) -> String) {
        guard let path = Console.environment("GITHUB_STEP_SUMMARY"), !path.isEmpty else { return }
        do {
            let file = try FileDescriptor.open(
                FilePath(path), .writeOnly, options: [.append, .create, .closeOnExec, .nonBlocking],
                permissions: [.ownerReadWrite, .groupRead, .otherRead])
            try file.closeAfter {
                var status = stat()
                guard fstat(file.rawValue, &status) == 0 else { throw Errno(rawValue: errno) }
                let room = MarkdownReport.mostBytes - Int(clamping: status.st_size) - 1
                guard room >= leastSummary else {
                    return Console.note("The summary of this job is already full, so it does not show this run.")
                }
                _ = try file.writeAll(((status.st_size > 0 ? "\n" : "") + text(room)).utf8)
            }
        } catch {
            Console.note("Could not add to the summary of this job, GITHUB_STEP_SUMMARY '\(path)': \(error).")
        }
    }

    /// Less room than this is not worth a heading.
    private static let leastSummary = 1000
}
