/// Why a command ends: a sentence for people and a status for programs.
struct CommandFailure: Error, CustomStringConvertible {
    let status: ExitStatus
    let description: String

    init(status: ExitStatus, description: String) {
        self.status = status
        self.description = description
    }
}
