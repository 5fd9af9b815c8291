import Foundation

/// A Markdown page: its links, and its anchors.
struct Page {
    /// The page without its fenced blocks.
    let prose: String
    /// The targets of its links, in order.
    let links: [String]
    /// The anchors of its headings, as GitHub makes them.
    let anchors: Set<String>

    init(_ text: String) {
        prose = text.replacing(/(?ms)^```.*?^```/, with: "")
        links = prose.matches(of: /\]\(([^)\s]+)\)/).map { String($0.output.1) }
        anchors = prose.matches(of: /(?m)^#+ (.+)$/).reduce(into: []) { anchors, heading in
            let words = heading.output.1.replacing(/\[([^\]]*)\]\([^)]*\)/) { $0.output.1 }.lowercased()
            let anchor = String(words.filter { $0.isLetter || $0.isNumber || "-_ ".contains($0) }).replacing(
                " ", with: "-")
            let taken = (1...).lazy.map { "\(anchor)-\($0)" }
            anchors.insert(
                anchors.contains(anchor) ? taken.first { [anchors] in !anchors.contains($0) } ?? anchor : anchor)
        }
    }

    /// The path from the root of the target of a link in a page in `folder`.
    static func path(_ link: String, from folder: String) -> String {
        URL(filePath: "/" + folder + "/" + link).standardized.path().dropFirst().description
    }
}
