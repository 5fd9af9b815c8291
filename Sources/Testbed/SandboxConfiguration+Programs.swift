import LinuxSupport
import SystemPackage

extension SandboxConfiguration.Programs {
    /// The programs in the directory of the running program.
    static func besideThisProgram() throws(SandboxError) -> Self {
        do {
            let directory = try RunningProgram.path.removingLastComponent()
            return Self(
                initializer: directory.appending("headwind-init"), sandbox: directory.appending("headwind-sandbox"))
        } catch {
            throw .noProgram(path: RunningProgram.link, error)
        }
    }
}
