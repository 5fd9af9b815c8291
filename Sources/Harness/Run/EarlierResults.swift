import FoundationEssentials
import Glibc
import Reports
import Results
import Scenarios
import SystemPackage

/// What an earlier run has left in a folder of results, beside the reports that a new one replaces.
///
/// Only files that its `result.json` names are touched, and only where they are what it says: all others are somebody's.
struct EarlierResults {
    private static let mostBytes = 256 << 20

    let folder: FilePath

    /// Removes bundles, captures and schedules, which would be taken for the new run's; does nothing without a result.
    func remove() {
        let file = folder.appending(ReportFormat.json.fileName ?? "")
        guard let bytes = try? BoundedFile.read(file, most: Self.mostBytes), bytes.count <= Self.mostBytes,
            let result = try? RunResult(json: Data(bytes))
        else { return }
        for cell in result.cells {
            if let bundle = place(cell.bundle, in: ResultsFolder.bundlesFolder), isFolder(bundle),
                BundlePlace(bundle).obstacle == nil
            {
                try? FileManager.default.removeItem(atPath: bundle.string)
            }
            for attempt in cell.attempts {
                removeFile(attempt.schedule?.file, in: ScheduleFacts.folder)
                let capture = "\(RunCapture.folder)/" + AttemptCapture.fileName(cell.name, attempt: attempt.number)
                for ending in ["", ".keys", ".part"] { removeFile(capture + ending, in: RunCapture.folder) }
            }
        }
        for name in [ResultsFolder.bundlesFolder, RunCapture.folder, ScheduleFacts.folder] {
            // Fails where somebody else's files are in it, or where it is a link.
            rmdir(folder.appending(name).string)
        }
    }

    /// A path of the result, where it leads right into that folder of its; a result may be from anywhere.
    private func place(_ path: String?, in name: String) -> FilePath? {
        guard let path, case let path = FilePath(path), path.components.count == 2, path.root == nil,
            path.components.first?.string == name, path.components.last?.kind == .regular,
            isFolder(folder.appending(name))
        else { return nil }
        return folder.pushing(path)
    }

    private func removeFile(_ path: String?, in name: String) {
        guard let file = place(path, in: name) else { return }
        unlink(file.string)
    }

    /// Whether it is a folder itself, and no link to one.
    private func isFolder(_ path: FilePath) -> Bool {
        var status = stat()
        return lstat(path.string, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }
}
