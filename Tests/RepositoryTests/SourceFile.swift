import Foundation

/// What a source file imports.
enum SourceFile {
    /// Modules that come with Swift and that any target may import: they are declared nowhere.
    static let toolchain: Set = ["Dispatch", "FoundationEssentials", "Glibc", "Swift", "Synchronization", "Testing"]

    /// The modules that a file of Swift imports, but for those of ``toolchain``.
    static func imports(_ text: String) -> Set<String> {
        // With attributes, access level, and the kind of what is imported.
        let declaration =
            /\s*(?:@\w+(?:\([^)]*\))?\s+)*(?:\w+\s+)?import\s+(?:(?:struct|class|enum|protocol|typealias|func|var|let)\s+)?(\w+)/
        var found: Set<String> = []
        var isInLiteral = false
        for line in text.split(separator: "\n") {
            if !isInLiteral, let match = line.prefixMatch(of: declaration) { found.insert(String(match.output.1)) }
            // A script in a literal of several lines imports modules of its own language.
            if !line.ranges(of: "\"\"\"").count.isMultiple(of: 2) { isInLiteral.toggle() }
        }
        return found.subtracting(toolchain)
    }

    /// The targets whose public headers a file of C includes, each header by its name.
    static func includes(_ text: String, of headers: [String: String]) -> Set<String> {
        Set(text.matches(of: /(?m)^\s*#\s*include\s*["<]([^">]+)[">]/).compactMap { headers[String($0.output.1)] })
    }

    /// The public headers of targets of C, by their names as they are included: each with its target.
    static func headers(of folders: [(folder: String, target: String)]) -> [String: String] {
        folders.reduce(into: [:]) { found, place in
            let folder = place.folder + "/include"
            for path in Repository.files(in: folder, endings: ["h"]) {
                found[String(path.dropFirst(folder.count + 1))] = place.target
            }
        }
    }
}
