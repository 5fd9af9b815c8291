import LinuxSupport
package import SystemPackage

/// The program that joins a sandbox to this machine's networks: pasta(1) of passt.
package enum OutsideProgram {
    /// Where it is: in a folder of PATH that has a whole path, or where Debian puts it; `nil` where it is in none.
    package static func find() -> FilePath? {
        Environment.program("pasta", others: ["/usr/bin"]) { $0.isAbsolute }
    }

    /// What to say where it is not there.
    package static let missing =
        "There is no program pasta(1) on this machine, which joins a sandbox to its networks. Install it: "
        + "'sudo apt-get install passt'."
}
