import Glibc
package import SystemPackage

/// The program that joins a cell to this machine's networks: pasta(1) of passt.
package enum OutsideProgram {
    /// Where it is: in a folder of PATH, or where Debian puts it; `nil` where it is in none.
    package static func find() -> FilePath? {
        let folders = (Environment.value("PATH") ?? "").split(separator: ":").map(String.init) + ["/usr/bin"]
        return folders.map { FilePath($0).appending("pasta") }.first { $0.isAbsolute && access($0.string, X_OK) == 0 }
    }

    /// What to say where it is not there.
    package static let missing =
        "There is no program pasta(1) on this machine, which joins a cell to its networks. Install it: "
        + "'sudo apt-get install passt'."
}
