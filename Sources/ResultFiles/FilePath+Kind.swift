import Glibc
package import SystemPackage

extension FilePath {
    /// The type of the file at the path, such as S_IFREG, without following a link; 0 if there is none.
    package var fileKind: UInt32 {
        var status = Glibc.stat()
        return lstat(string, &status) == 0 ? status.st_mode & S_IFMT : 0
    }

    /// Whether there is a folder at the path, and not a link to one.
    package var isFolder: Bool { fileKind == S_IFDIR }
}
