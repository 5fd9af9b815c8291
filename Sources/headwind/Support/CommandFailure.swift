import Wording

/// Why a command ends: a sentence for people and a status for programs.
struct CommandFailure: Error, CustomStringConvertible {
    let status: ExitStatus
    /// One line, or several of ours.
    let text: TerminalText

    var description: String { text.description }

    init(status: ExitStatus, description: String) { self.init(status: status, lines: [description]) }

    init(status: ExitStatus, lines: [String]) {
        self.status = status
        text = TerminalText(lines: lines)
    }
}
