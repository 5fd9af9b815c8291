import Foundation
import Testing

/// The links and paths in the repository's pages lead to existing files.
@Suite("Pages of the repository")
struct PageTests {
    /// All pages but recorded ones.
    static let pages =
        (["README.md", "CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md"]
            + ["docs", "Benchmarks"].flatMap { Repository.files(in: $0, endings: ["md"]) })

    @Test(arguments: pages)
    func links(page: String) throws {
        let folder = URL(filePath: page).deletingLastPathComponent().relativePath
        for link in Page(try Repository.text(page)).links where !link.contains(":") {
            let parts = link.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            let path = parts[0].isEmpty ? page : Page.path(parts[0], from: folder)
            let file = Repository.root.appending(path: path).path()
            #expect(FileManager.default.fileExists(atPath: file), "\(link) leads nowhere")
            if parts.count == 2 {
                let anchors = path.hasSuffix(".md") ? Page(try Repository.text(path)).anchors : []
                #expect(anchors.contains(parts[1]), "\(link) leads to no heading")
            }
        }
    }

    @Test(arguments: ["CONTRIBUTING.md", "docs/architecture.md"])
    func placesInCode(page: String) throws {
        let places = Page(try Repository.text(page)).prose
            .matches(of: /`((?:Sources|Tests|Scripts|Benchmarks|Fuzz|docs)\/[\w+.\/-]*)/)
        #expect(!places.isEmpty)
        for place in places {
            let file = Repository.root.appending(path: place.output.1).path()
            #expect(FileManager.default.fileExists(atPath: file), "there is no \(place.output.1)")
        }
    }

    /// The lists of a datum's way link each type to the file that declares it.
    @Test func listedTypesAreInTheirFiles() throws {
        let places = try Repository.text("docs/architecture.md").matches(of: /\[`(\w+)`\]\(\.\.\/(Sources\/[^)]+)\)/)
        #expect(places.count > 20)
        for place in places {
            let (type, path) = (String(place.output.1), String(place.output.2))
            let declaration = try Regex("\\b(struct|class|enum|actor|protocol|typealias) \(type)\\b")
            #expect(try Repository.text(path).contains(declaration), "\(path) declares no \(type)")
        }
    }

    @Test(arguments: [
        ("[a](b.md) and [c](../d.md#e)", ["b.md", "../d.md#e"]), ("```\n[a](b.md)\n```", []), ("a](", []),
        ("[a](https://example.com)", ["https://example.com"]),
    ])
    func linksOfAText(text: String, links: [String]) {
        #expect(Page(text).links == links)
    }

    @Test(arguments: [("b.md", "docs", "docs/b.md"), ("../b.md", "docs", "b.md"), ("b.md", ".", "b.md")])
    func paths(link: String, folder: String, path: String) {
        #expect(Page.path(link, from: folder) == path)
    }
}
