import FoundationEssentials
import Glibc
package import SystemPackage

/// The environment of this process.
package enum Environment {
    package static var all: [String: String] { ProcessInfo.processInfo.environment }

    package static func value(_ name: String) -> String? { all[name] }

    /// Whether a variable names a proxy for programs or an exception from it, such as `https_proxy` or `NO_PROXY`, in
    /// upper or lower case.
    package static func isProxyVariable(_ name: String) -> Bool {
        let lowercased = name.lowercased()
        return lowercased.hasSuffix("_proxy") || lowercased == "proxy" || isProxyException(name)
    }

    /// Whether a variable lists what programs reach without their proxy, such as `no_proxy`, in upper or lower case.
    package static func isProxyException(_ name: String) -> Bool {
        ["no_proxy", "npm_config_noproxy"].contains(name.lowercased())
    }

    /// Finds a program as a shell does, in PATH and then in `others`.
    ///
    /// nil if it is not there, or may not be executed.
    package static func program(
        _ name: String, others: [FilePath] = [], where fits: (FilePath) -> Bool = { _ in true }
    ) -> FilePath? {
        if name.contains("/") { return isProgram(FilePath(name)) ? FilePath(name) : nil }
        let folders = (value("PATH") ?? "").split(separator: ":").map { FilePath(String($0)) } + others
        return folders.lazy.map { $0.appending(name) }.first { fits($0) && isProgram($0) }
    }

    private static func isProgram(_ path: FilePath) -> Bool {
        guard (try? path.stat())?.type == .regular else { return false }
        return unsafe access(path.string, X_OK) == 0
    }
}

extension FilePath {
    /// The path as an absolute one; a relative path begins in the current folder.
    package var absolute: FilePath { FilePath(FileManager.default.currentDirectoryPath).pushing(self) }

    /// The absolute path without `.` and `..`, whatever links it has.
    package var whole: FilePath { absolute.lexicallyNormalized() }
}
