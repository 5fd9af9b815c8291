package import SystemPackage

/// Finds the folders that come with Headwind: `profiles`, `scenarios`, and so on.
package enum BundledFiles {
    /// The environment variable that names the folder which holds them.
    package static let variable = "HEADWIND_SHARE"

    /// The folder `name`, or nil where it is nowhere.
    ///
    /// Looked for in the folder that HEADWIND_SHARE names, if it is set, and else in `share/headwind` beside the folder of
    /// `executable` and in each folder above the executable, which is where a build tree has it.
    package static func folder(_ name: String, executable: FilePath, environment: [String: String]) -> FilePath? {
        if let share = environment[variable], !share.isEmpty {
            return existing(FilePath(share).appending(name))
        }
        var above = executable.removingLastComponent()
        if let found = existing(above.removingLastComponent().appending("share/headwind").appending(name)) {
            return found
        }
        for _ in 0..<8 {
            if let found = existing(above.appending(name)) { return found }
            above = above.removingLastComponent()
        }
        return nil
    }

    private static func existing(_ folder: FilePath) -> FilePath? {
        FolderListing.isFolder(folder) ? folder : nil
    }
}
