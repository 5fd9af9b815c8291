import Foundation

/// The drawing of docs/architecture.md: groups of targets, from the top down, with their arrows.
///
/// ```targets
/// [Group]
/// target: what it is for
///     -> targets that it depends on
///     => libraries that it depends on
/// ```
struct Drawing: Equatable {
    struct Entry: Equatable {
        var name: String
        var purpose: String
        var targets: [String] = []
        var libraries: [String] = []
    }

    struct Group: Equatable {
        var title: String
        var entries: [Entry]
    }

    /// The line at which a drawing's text is malformed.
    struct SyntaxError: Error, Equatable {
        var line: String
    }

    var groups: [Group] = []

    /// Reads the text between the fences.
    init(parsing text: String) throws(SyntaxError) {
        var arrow: WritableKeyPath<Entry, [String]>?
        for line in text.split(separator: "\n").map(String.init) {
            if let title = line.wholeMatch(of: /\[(.+)\]/)?.output.1 {
                groups.append(Group(title: String(title), entries: []))
                arrow = nil
            } else if let entry = line.wholeMatch(of: /([\w-]+): (.+)/)?.output, !groups.isEmpty {
                groups[groups.count - 1].entries.append(Entry(name: String(entry.1), purpose: String(entry.2)))
                arrow = nil
            } else if let part = line.wholeMatch(of: /\s{4}(->|=>|\s\s) ([\w, -]+)/)?.output,
                let last = groups.last?.entries.count, last > 0
            {
                arrow = part.1 == "->" ? \.targets : part.1 == "=>" ? \.libraries : arrow
                guard let arrow else { throw SyntaxError(line: line) }
                let names = part.2.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
                groups[groups.count - 1].entries[last - 1][keyPath: arrow] += names
            } else {
                throw SyntaxError(line: line)
            }
        }
    }

    /// The text between the fences, wrapped at 120 columns.
    var text: String {
        groups.map { group in
            "[\(group.title)]\n" + group.entries.map(Self.text).joined()
        }.joined(separator: "\n")
    }

    private static func text(_ entry: Entry) -> String {
        "\(entry.name): \(entry.purpose)\n" + lines("->", entry.targets) + lines("=>", entry.libraries)
    }

    private static func lines(_ arrow: String, _ names: [String]) -> String {
        var lines: [String] = []
        for (index, name) in names.enumerated() {
            let word = name + (index == names.count - 1 ? "" : ",")
            if let last = lines.last, last.count + word.count < 120 {
                lines[lines.count - 1] = last + " " + word
            } else {
                lines.append("    \(lines.isEmpty ? arrow : "  ") \(word)")
            }
        }
        return lines.map { $0 + "\n" }.joined()
    }

    /// The same drawing with the package's arrows.
    func redrawn(for package: [PackageTarget]) -> Drawing {
        var drawing = self
        for group in groups.indices {
            for entry in groups[group].entries.indices {
                guard let target = package.first(where: { $0.name == groups[group].entries[entry].name }) else {
                    continue
                }
                drawing.groups[group].entries[entry].targets = target.targets.sorted()
                drawing.groups[group].entries[entry].libraries = target.libraries.sorted()
            }
        }
        return drawing
    }
}
