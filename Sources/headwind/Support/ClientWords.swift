import FoundationEssentials
import LinuxSupport
import Scenarios
import Wording

/// The words of a client after `--`, checked before anything starts.
enum ClientWords {
    /// Checks the words of a client; `command` is the command that takes them, such as `headwind check`.
    ///
    /// Throws ``CommandFailure`` with a remedy: status 64 for a command in one word, 65 for a program that is missing, or
    /// whose interpreter is. If no word has `{url}`, it only prints a note, as a client may read HEADWIND_URL.
    static func check(_ words: [String], of command: String, takesURL: Bool = true) throws {
        guard let program = words.first else { return }
        let file = Environment.program(program)
        if let missing = file.flatMap({ MissingInterpreter(of: $0) }) {
            throw CommandFailure.invalidInput(
                "Could not execute '\(program)', because \(missing.problem); \(missing.remedy).")
        }
        if !program.contains("{") || words.count == 1, file == nil {
            let parts = program.split(whereSeparator: \.isWhitespace).map { ShellWords.quoted(String($0)) }
            guard words.count > 1 || parts.count < 2 else {
                throw CommandFailure.usage(
                    "There is no program '\(program)'. Give each word as a separate argument: \(command) -- "
                        + "\(parts.joined(separator: " "))")
            }
            throw CommandFailure.invalidInput("There is no program '\(program)'\(reason(program))")
        }
        guard takesURL, words.allSatisfy({ !$0.contains("{url}") }) else { return }
        Console.note(
            "No word of the command has '{url}'. Unless your client reads HEADWIND_URL, write '{url}' where the address belongs."
        )
    }

    private static func reason(_ program: String) -> String {
        let isThere = FileManager.default.fileExists(atPath: program)
        if program.contains("/") {
            return isThere
                ? ": the file is not executable. Run 'chmod +x \(program)', or put its interpreter before it."
                : ": there is no such file."
        }
        return isThere ? " in PATH. Did you mean './\(program)'?" : " in PATH."
    }
}
