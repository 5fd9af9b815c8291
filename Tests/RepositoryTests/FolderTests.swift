import Testing

/// The folders of the harness are layers: the types that each folder uses show which layer is above which.
@Suite("Folders of the harness")
struct FolderTests {
    /// The folders whose types each folder uses, by the text of its files.
    private static func uses(in files: [(folder: String, text: String)]) -> [String: Set<String>] {
        let code = files.map { (folder: $0.folder, text: $0.text.replacing(/\/\/[^\n]*/, with: "")) }
        var owners: [Substring: String] = [:]
        for (folder, text) in code {
            let declared = /(?m)^(?:package |final )*(?:struct|class|enum|actor|protocol|typealias) (\w+)/
            for match in text.matches(of: declared) { owners[match.output.1] = folder }
        }
        var uses: [String: Set<String>] = [:]
        for (folder, text) in code {
            let used = text.matches(of: /\b[A-Z]\w+/).compactMap { owners[$0.output] }
            uses[folder, default: []].formUnion(Set(used).subtracting([folder]))
        }
        return uses
    }

    /// The folders that depend on themselves through other folders.
    private static func inCycles(_ uses: [String: Set<String>]) -> [String] {
        uses.keys.filter { start in
            var reached: Set<String> = []
            var rest = uses[start] ?? []
            while let next = rest.popFirst() {
                if reached.insert(next).inserted { rest.formUnion(uses[next] ?? []) }
            }
            return reached.contains(start)
        }.sorted()
    }

    @Test("have no cycle") func harness() throws {
        let files = Repository.files(in: "Sources/Harness", endings: ["swift"])
        let uses = Self.uses(
            in: try files.map { file in
                (String(file.split(separator: "/").dropLast().last ?? ""), try Repository.text(file))
            })
        #expect(uses.count > 5)
        #expect(Self.inCycles(uses) == [])
    }

    @Test("are found if they have a cycle") func found() {
        let files = [
            ("Run", "struct Run { var cell: Cell }"), ("Cells", "package struct Cell {} // Run"),
            ("Plan", "enum Plan { case of(Attempt) }"), ("Attempt", "final class Attempt { let plan: Plan? }"),
        ]
        #expect(Self.inCycles(Self.uses(in: files)) == ["Attempt", "Plan"])
    }
}
