import Foundation

/// An event as a row of `docs/reference/events.md` documents it; all events of a client are compared with it.
struct DocumentedEvent: Sendable {
    var required: Set<String> = []
    /// Members that the page lists with an `if`: they may be absent.
    var optional: Set<String> = []

    /// The events by their names.
    static let all: [String: DocumentedEvent] = {
        let root = "/" + #filePath.split(separator: "/").dropLast(4).joined(separator: "/")
        let text = (try? String(contentsOfFile: "\(root)/docs/reference/events.md", encoding: .utf8)) ?? ""
        let tables = text.components(separatedBy: "\n## Members")[0]
        return tables.split(separator: "\n").reduce(into: [:]) { events, line in
            guard let row = line.wholeMatch(of: /\| `(\w+)` \| ([^|]*) ?\| [^|]+ \|/) else { return }
            var event = DocumentedEvent()
            for part in row.2.split(separator: ", ") {
                guard let name = part.firstMatch(of: /`(\w+)`/) else { continue }
                if part.contains(" if ") {
                    event.optional.insert(String(name.1))
                } else {
                    event.required.insert(String(name.1))
                }
            }
            events[String(row.1)] = event
        }
    }()

    /// Whether an event may have these members, and no others.
    func fits(_ members: Set<String>) -> Bool {
        required.isSubset(of: members) && members.isSubset(of: required.union(optional))
    }
}
