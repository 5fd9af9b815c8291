import ArgumentParser
import Glibc
import SystemPackage

/// What puts a program behind a link.
enum ExecBackend: String, ExpressibleByArgument, CaseIterable {
    /// A cell, whose every packet crosses the link.
    case packet
    /// A proxy, for programs that heed the variables for one.
    case proxy

    /// The program that joins a cell to this machine's networks; `nil` where it is in no folder of PATH, nor where Debian
    /// puts it.
    static func pasta() -> FilePath? {
        let folders = (Console.environment("PATH") ?? "").split(separator: ":").map(String.init) + ["/usr/bin"]
        return folders.map { FilePath($0).appending("pasta") }.first { $0.isAbsolute && access($0.string, X_OK) == 0 }
    }

    static let pastaMissing =
        "There is no program pasta(1) on this machine, which joins a cell to its networks. Install it: "
        + "'sudo apt-get install passt'."
}
