import Glibc
import LinuxSupport
package import SystemPackage

/// Finds the folders that come with Headwind: `profiles`, `scenarios`, and so on.
package enum BundledFiles {
    /// The environment variable that names the folder which holds them.
    package static let variable = "HEADWIND_SHARE"

    /// The folder `name`, or nil where it is nowhere.
    ///
    /// Looked for in `share` alone, where that is given and not empty; else in `share/headwind` beside the folder of
    /// `executable`, and in each folder above the executable, which is where a build tree has it. By default these are
    /// what HEADWIND_SHARE says, and this program.
    package static func folder(
        _ name: String, executable: FilePath = executable, share: String? = share
    ) -> FilePath? {
        if let share, !share.isEmpty { return existing(FilePath(share).appending(name)) }
        var above = executable.removingLastComponent()
        let installed = above.removingLastComponent().appending("share/headwind").appending(name)
        if let found = existing(installed) { return found }
        for _ in 0..<8 {
            if let found = existing(above.appending(name)) { return found }
            above = above.removingLastComponent()
        }
        return nil
    }

    /// The program that runs, or an empty path where /proc does not tell; see proc(5).
    package static var executable: FilePath {
        (try? RunningProgram.path) ?? FilePath()
    }

    /// What HEADWIND_SHARE says; nil where it is not set.
    package static var share: String? {
        getenv(variable).map { String(cString: $0) }
    }

    private static func existing(_ folder: FilePath) -> FilePath? {
        FolderListing.isFolder(folder) ? folder : nil
    }
}
