import LinuxSupport
package import SystemPackage

/// Where the guard's program is.
package enum GuardLocation {
    /// `headwind-guard` in the directory of the running program.
    package static func besideThisProgram() throws(GuardError) -> FilePath {
        do {
            return try RunningProgram.path.removingLastComponent().appending("headwind-guard")
        } catch {
            throw .noGuard(path: RunningProgram.link, error)
        }
    }
}
