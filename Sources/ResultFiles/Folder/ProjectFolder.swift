import FoundationEssentials
import Glibc
import LinuxSupport
package import SystemPackage

/// The folder of the project, from which CI systems take the names of files in reports.
package enum ProjectFolder {
    /// Where GitLab, Jenkins and GitHub say that it is.
    private static let variables = ["CI_PROJECT_DIR", "WORKSPACE", "GITHUB_WORKSPACE"]

    /// A folder's path from that of the project, which is the current one where no variable says otherwise; its whole path
    /// where it is not below.
    package static func name(of folder: FilePath) -> String {
        let current = FilePath(FileManager.default.currentDirectoryPath)
        let given = variables.compactMap { name in Environment.value(name).map { FilePath($0) } }
        let roots = given.filter(\.isAbsolute) + [current]
        return name(of: current.pushing(folder).lexicallyNormalized(), below: roots)
    }

    /// The path of a file below one folder; nil where it is not there.
    package static func name(of file: FilePath, below root: FilePath) -> String? {
        let current = FilePath(FileManager.default.currentDirectoryPath)
        var whole = current.pushing(file).lexicallyNormalized()
        let root = current.pushing(root).lexicallyNormalized()
        guard whole.removePrefix(root), !whole.isEmpty else { return nil }
        return whole.string
    }

    static func name(of whole: FilePath, below roots: [FilePath]) -> String {
        for root in roots {
            if let name = name(of: whole, below: root) { return name }
            // A system may name its folders by way of a link.
            if let name = name(of: real(whole), below: real(root)) { return name }
        }
        return whole.string
    }

    private static func real(_ path: FilePath) -> FilePath {
        guard let text = realpath(path.string, nil) else { return path }
        defer { free(text) }
        return FilePath(String(cString: text))
    }
}
