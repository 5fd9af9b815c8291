import Glibc
import SystemPackage

/// Removes a folder with all that is in it, without following links.
enum FolderRemoval {
    /// What cannot be removed stays: the caller has a better error to tell of.
    static func remove(_ folder: FilePath) {
        guard let entries = try? FileTree.entries(of: folder) else { return }
        // What is in a folder is sorted behind it.
        for entry in entries.reversed() {
            let path = folder.appending(entry.path).string
            _ = unsafe entry.kind == .folder ? rmdir(path) : unlink(path)
        }
        unsafe rmdir(folder.string)
    }
}
