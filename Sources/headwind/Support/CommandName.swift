import ArgumentParser
import Scenarios
import Wording

/// The names of commands on a command line.
enum CommandName {
    /// Throws if a word in the place of a command's name is none; the error suggests the nearest name.
    ///
    /// The parser itself would only report an unexpected argument.
    static func check(_ arguments: [String], of root: any ParsableCommand.Type) throws(CommandFailure) {
        var command = root
        var path = name(of: root)
        for word in arguments {
            let commands = command.configuration.subcommands
            guard !commands.isEmpty, !word.hasPrefix("-") else { return }
            if command == root, word == "help" { continue }
            guard let next = commands.first(where: { name(of: $0) == word }) else {
                // With a default subcommand, any other word is an argument of that.
                guard command.configuration.defaultSubcommand == nil else { return }
                let names = commands.map(name)
                let hint = NearestName.hint(for: word, in: names) ?? "there are \(names.joined(separator: ", "))."
                throw CommandFailure(
                    .usage, "there is no command '\(word)' of '\(path)'; \(hint) See '\(path) --help'.")
            }
            command = next
            path += " \(word)"
        }
    }

    private static func name(of command: any ParsableCommand.Type) -> String { command.configuration.commandName ?? "" }
}
