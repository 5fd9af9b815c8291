import Glibc
import SystemPackage

/// What is at a path.
enum FolderKind {
    /// Whether it is a folder, and no link to one.
    static func isFolder(_ path: FilePath) -> Bool {
        var status = stat()
        return lstat(path.string, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }
}

extension StringProtocol {
    /// The text without blanks and line ends around it.
    var trimmed: String {
        let end = lastIndex { !$0.isWhitespace }.map { index(after: $0) } ?? startIndex
        return String(self[..<end].drop(while: \.isWhitespace))
    }
}
