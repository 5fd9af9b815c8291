import LinuxSupport
import SystemPackage

extension CellConfiguration.Programs {
    /// The programs in the directory of the running program.
    static func besideThisProgram() throws(CellError) -> Self {
        do {
            let directory = try RunningProgram.path.removingLastComponent()
            return Self(
                initializer: directory.appending("headwind-init"), cell: directory.appending("headwind-cell"))
        } catch {
            throw .noProgram(path: RunningProgram.link, error)
        }
    }
}
