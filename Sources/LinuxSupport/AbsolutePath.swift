import FoundationEssentials
package import SystemPackage

extension FilePath {
    /// The path as an absolute one; a relative path begins in the current folder.
    package var absolute: FilePath { FilePath(FileManager.default.currentDirectoryPath).pushing(self) }

    /// The absolute path without `.` and `..`, whatever links it has.
    package var whole: FilePath { absolute.lexicallyNormalized() }
}
