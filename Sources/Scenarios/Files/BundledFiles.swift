import Glibc
import LinuxSupport
package import SystemPackage

/// Finds the folders that come with Headwind: `profiles`, `scenarios`, and so on.
package enum BundledFiles {
    /// The environment variable with the path of the folder that holds them.
    package static let variable = "HEADWIND_SHARE"

    /// The folder `name` that comes with Headwind; nil if it is not found.
    ///
    /// With a `share` that is not empty, it looks there only. Otherwise it looks in `share/headwind` next to the folder
    /// of `executable`, then in each folder above the executable, up to eight: a build tree has it there. By default,
    /// `share` is HEADWIND_SHARE, and `executable` is this program.
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

    /// The path of the running program; empty if /proc does not show it (see proc(5)).
    package static var executable: FilePath { (try? RunningProgram.path) ?? FilePath() }

    /// The value of HEADWIND_SHARE; nil if it is not set.
    package static var share: String? { getenv(variable).map { String(cString: $0) } }

    private static func existing(_ folder: FilePath) -> FilePath? { FolderListing.isFolder(folder) ? folder : nil }
}
