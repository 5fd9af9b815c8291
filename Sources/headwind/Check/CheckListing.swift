import Documents
import FoundationEssentials
import Scenarios
import SystemPackage
import Wording

extension CheckCommand {
    /// Prints the name and the purpose of each check that would run, also of those that others need; runs nothing.
    func printList() throws {
        // The names and purposes of checks do not depend on the client.
        let nothing = CheckedCommand(
            words: ["true"], directory: FilePath(FileManager.default.currentDirectoryPath), patience: patience,
            within: patience * 6)
        let asked = try questions(nothing)
        let json = JSONTree.object([
            "schema_version": .whole(1),
            "checks": .list(asked.map { .object(["name": .text($0.name), "says": .text($0.check.says)]) }),
        ])
        try format.print(json, lines: TextTable.lines(asked.map { [$0.name.singleLine, $0.check.says.singleLine] }))
    }
}
