import Glibc
package import SystemPackage

extension FilePath {
    /// What is at the path by itself, such as S_IFREG, no link followed; 0 for nothing.
    package var fileKind: UInt32 {
        var status = Glibc.stat()
        return lstat(string, &status) == 0 ? status.st_mode & S_IFMT : 0
    }

    /// Whether a folder is there, and no link to one.
    package var isFolder: Bool { fileKind == S_IFDIR }
}
