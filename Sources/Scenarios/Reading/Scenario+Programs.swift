import LinuxSupport
import SystemPackage

extension Scenario {
    /// The problem that the program of a command, or its interpreter, does not exist, or cannot be executed.
    package func programProblems(of cell: Cell) -> [Diagnostic] {
        guard let command = cell.workload.command else { return [] }
        guard let program = command.call.program else { return scriptProblems(of: command, in: cell) }
        if let file = Environment.program(program) {
            return MissingInterpreter(of: file).map {
                [diagnostic("'\(program)' cannot be executed: \($0.problem)", for: program, hint: $0.remedy)]
            } ?? []
        }
        let path = Environment.value("PATH") ?? ""
        let hint =
            program.contains("/") ? "check its path, and that it is executable" : "it is not in PATH: \(path)"
        return [diagnostic("there is no program '\(program)'", for: program, hint: hint)]
    }

    /// The problem that a script begins with a program that does not exist, unless status 127 is expected.
    private func scriptProblems(of command: Command, in cell: Cell) -> [Diagnostic] {
        guard let program = command.call.scriptProgram,
            !cell.expectations.requests.contains(where: { $0.expects(exit: 127) })
        else { return [] }
        guard program.contains("/"), !program.hasPrefix("/") else {
            guard Environment.program(program) == nil else { return [] }
            return [
                diagnostic("the script starts with '\(program)', and there is no such program", for: program, hint: nil)
            ]
        }
        let found = command.directory.flatMap { Environment.program($0.pushing(FilePath(program)).string) }
        guard found == nil else { return [] }
        let hint = "to use one beside the scenario, write a list: command: [\(program), …]"
        guard let directory = command.directory else {
            let message = "a script runs in an empty folder, which has no '\(program)'"
            return [diagnostic(message, for: program, hint: hint)]
        }
        return [diagnostic("there is no program '\(program)' in '\(directory)'", for: program, hint: hint)]
    }
}

extension Command.Call {
    /// Throws `InvalidFiles`, without a file, if the program of a command line does not exist.
    package func checkProgram() throws {
        guard let program, Environment.program(program) == nil else { return }
        let isBeside = !program.contains("/") && Environment.program("./\(program)") != nil
        let hint = isBeside ? "it is in this folder, and not in PATH: write ./\(program)" : "check its path, and PATH"
        let message = "there is no program '\(program)'"
        throw InvalidFiles([Diagnostic(file: "", mark: .start, message: message, hint: hint)])
    }
}
