import Foundation

/// The imports and includes of source files.
enum SourceFile {
    /// Modules that come with Swift, which any target may import without declaring them.
    static let toolchain: Set = ["Dispatch", "FoundationEssentials", "Glibc", "Swift", "Synchronization", "Testing"]

    /// The modules that a Swift file imports, without those of ``toolchain``.
    static func imports(_ text: String) -> Set<String> {
        // An import with optional attributes, access level and kind.
        let declaration =
            /\s*(?:@\w+(?:\([^)]*\))?\s+)*(?:\w+\s+)?import\s+(?:(?:struct|class|enum|protocol|typealias|func|var|let)\s+)?(\w+)/
        var found: Set<String> = []
        var isInLiteral = false
        for line in text.split(separator: "\n") {
            if !isInLiteral, let match = line.prefixMatch(of: declaration) { found.insert(String(match.output.1)) }
            // A script in a multi-line string literal imports modules of its own language.
            if !line.ranges(of: "\"\"\"").count.isMultiple(of: 2) { isInLiteral.toggle() }
        }
        return found.subtracting(toolchain)
    }

    /// The targets whose public headers a C file includes.
    ///
    /// `headers` has the target of each header.
    static func includes(_ text: String, of headers: [String: String]) -> Set<String> {
        Set(text.matches(of: /(?m)^\s*#\s*include\s*["<]([^">]+)[">]/).compactMap { headers[String($0.output.1)] })
    }

    /// The public headers of C targets, by the names that are included, with their targets.
    static func headers(of folders: [(folder: String, target: String)]) -> [String: String] {
        folders.reduce(into: [:]) { found, place in
            let folder = place.folder + "/include"
            for path in Repository.files(in: folder, endings: ["h"]) {
                found[String(path.dropFirst(folder.count + 1))] = place.target
            }
        }
    }
}
