import Glibc
import LinuxSupport
package import SystemPackage

/// The folder of the project, to which CI systems expect file names in reports to be relative.
package enum ProjectFolder {
    /// The variables in which GitLab, Jenkins and GitHub give the project's folder.
    private static let variables = ["CI_PROJECT_DIR", "WORKSPACE", "GITHUB_WORKSPACE"]

    /// The path of a folder relative to the project's; an absolute path if it is not below that.
    ///
    /// The project's folder is that of the CI variables, or else the current one.
    package static func name(of folder: FilePath) -> String {
        let given = variables.compactMap { name in Environment.value(name).map { FilePath($0) } }
        let roots = given.filter(\.isAbsolute) + [FilePath(".").absolute]
        return name(of: folder.whole, below: roots)
    }

    /// The path of a file relative to a folder; nil if it is not below that.
    package static func name(of file: FilePath, below root: FilePath) -> String? {
        var whole = file.whole
        let root = root.whole
        guard whole.removePrefix(root), !whole.isEmpty else { return nil }
        return whole.string
    }

    static func name(of whole: FilePath, below roots: [FilePath]) -> String {
        for root in roots {
            if let name = name(of: whole, below: root) { return name }
            // A CI system may name its folders through a link.
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
