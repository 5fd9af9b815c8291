import FoundationEssentials
import Glibc
import Results
import SystemPackage

/// The files of an earlier run in a folder of results, besides the reports that a new run replaces.
///
/// Only files that its `result.json` names are touched, and only if they are what it says: all others belong to the
/// user.
struct EarlierResults {
    let folder: FilePath

    /// Removes bundles, captures and schedules, which could be mistaken for the new run's; does nothing without a
    /// result.
    func remove() {
        guard let result = try? RunResult.read(in: folder) else { return }
        for cell in result.cells {
            if let bundle = place(cell.bundle, in: CellFiles.bundles), bundle.isFolder,
                BundlePlace(bundle).obstacle == nil
            {
                try? FileManager.default.removeItem(atPath: bundle.string)
            }
            for attempt in cell.attempts {
                removeFile(attempt.schedule?.file, in: CellFiles.schedules)
                let capture = "\(CellFiles.captures)/" + CellFiles.capture(cell.scenario, attempt: attempt.number)
                for ending in ["", ".keys", ".part"] { removeFile(capture + ending, in: CellFiles.captures) }
            }
        }
        for name in [CellFiles.bundles, CellFiles.captures, CellFiles.schedules] {
            // Fails if other files are in it, or if it is a link.
            rmdir(folder.appending(name).string)
        }
    }

    private func place(_ path: String?, in name: String) -> FilePath? {
        path.flatMap { CellFiles.place($0, in: name, of: folder) }
    }

    private func removeFile(_ path: String?, in name: String) {
        guard let file = place(path, in: name) else { return }
        unlink(file.string)
    }
}
