import ArgumentParser
import Scenarios
import Wording

/// The names of commands on a command line.
enum CommandName {
    /// Throws for a word that stands where the name of a command belongs and is none, with the nearest that is.
    ///
    /// The parser alone calls it an unexpected argument.
    static func check(_ arguments: [String], of root: any ParsableCommand.Type) throws(CommandFailure) {
        var command = root
        var path = name(of: root)
        for word in arguments {
            let commands = command.configuration.subcommands
            guard !commands.isEmpty, !word.hasPrefix("-") else { return }
            if command == root, word == "help" { continue }
            guard let next = commands.first(where: { name(of: $0) == word }) else {
                // What is no command's name is an argument of the one that may be left out.
                guard command.configuration.defaultSubcommand == nil else { return }
                let names = commands.map(name)
                let hint = NearestName.hint(for: word, in: names) ?? "there are \(names.joined(separator: ", "))."
                throw CommandFailure(
                    status: .usage,
                    description: "there is no command '\(word)' of '\(path)'; \(hint) See '\(path) --help'.")
            }
            command = next
            path += " \(word)"
        }
    }

    private static func name(of command: any ParsableCommand.Type) -> String { command.configuration.commandName ?? "" }
}
