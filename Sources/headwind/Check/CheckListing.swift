import FoundationEssentials
import Scenarios
import SystemPackage
import Wording

/// What `headwind check --list` prints: the name and the purpose of each check.
struct CheckListing: Encodable {
    /// A check of the list.
    struct Row: Encodable {
        var name: String
        var says: String
    }

    private(set) var schema = 1
    var checks: [Row]

    private enum CodingKeys: String, CodingKey {
        case checks
        case schema = "schema_version"
    }

    /// Lists the checks, including those that other checks need.
    init(_ asked: [AskedScenario]) { checks = asked.map { Row(name: $0.name, says: $0.check.says) } }

    /// The list as text.
    var lines: [String] { TextTable.lines(checks.map { [$0.name.singleLine, $0.says.singleLine] }) }
}

extension CheckCommand {
    /// Prints the checks that would run, and runs nothing.
    func printList() throws {
        // The names and purposes of checks do not depend on the client.
        let nothing = CheckedCommand(
            words: ["true"], directory: FilePath(FileManager.default.currentDirectoryPath), patience: patience,
            within: patience * 6)
        let listing = CheckListing(try questions(nothing))
        try format.print(listing, lines: listing.lines)
    }
}
