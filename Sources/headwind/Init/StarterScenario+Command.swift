import ArgumentParser
import FoundationEssentials
import Scenarios
import SystemPackage
import Wording

extension StarterScenario.Client {
    /// The client of `--command`, which runs in the current folder; `folder` is the scenario's.
    ///
    /// Throws `ValidationError`.
    init(command: String, besides folder: FilePath) throws {
        let current = FilePath(FileManager.default.currentDirectoryPath)
        self.init(
            words: try Self.words(of: command), directory: StarterSource.name(of: current, from: folder.whole))
    }

    /// The words of a command that takes an address and a file.
    ///
    /// Throws `ValidationError`.
    static func words(of text: String) throws -> [String] {
        guard let words = ShellWords.split(text), !words.isEmpty else {
            throw ValidationError("--command '\(text)' is not a command: it is empty, or a quote is not closed.")
        }
        // A word with blanks was quoted, so its signs are not the shell's.
        if let sign = words.first(where: { $0.wholeMatch(of: /[&;]+|[0-9]*&?[|<>].*|\S*}[&;|<>]\S*/) != nil }) {
            throw ValidationError(
                "--command runs without a shell, and '\(sign)' needs one. Put the line into a script, and write: "
                    + "--command './SCRIPT {url} {output}'")
        }
        let call: Command.Call
        do { call = try Command.Call(words: words) } catch let error as InvalidFiles {
            throw ValidationError("--command: \(error.sentences).")
        }
        let needed: [(Placeholder, String)] = [(.url, "the address of the pack"), (.output, "the file to write")]
        let missing = needed.filter { !call.placeholders.contains($0.0) }
        guard missing.isEmpty else {
            let names = missing.map { "{\($0.0.rawValue)}, \($0.1)" }.joined(separator: ", and ")
            throw ValidationError("--command lacks \(names). Write: --command './fetch.py {url} {output}'")
        }
        return words
    }
}
