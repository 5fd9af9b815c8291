import Documents
import PackFormat

/// A selector of files for a pack of Background Assets, in one of its six forms.
enum FileSelector: Hashable, Sendable {
    /// A file, which keeps its path.
    case file(String)
    /// All files in a folder, at any depth, which keep their paths.
    case directory(String)
    /// All files that match a pattern, which keep their paths.
    case filePattern(String)
    /// A file, under another path.
    case fileCopy(source: String, destination: String)
    /// All files in a folder, under another folder.
    case directoryCopy(source: String, destination: String)
    /// Files that are excluded again: a path, or a pattern.
    case fileExclusion(String)

    private static let shapes: [(keys: [String], make: @Sendable ([String]) -> FileSelector)] = [
        (["file"], { .file($0[0]) }), (["directory"], { .directory($0[0]) }),
        (["filePattern"], { .filePattern($0[0]) }),
        (["fileSource", "fileDestination"], { .fileCopy(source: $0[0], destination: $0[1]) }),
        (["directorySource", "directoryDestination"], { .directoryCopy(source: $0[0], destination: $0[1]) }),
        (["fileExclusion"], { .fileExclusion($0[0]) }),
    ]

    /// Reads a selector; throws for an unknown form, and for a path that is not relative or leads out of its folder.
    init(_ node: JSONNode) throws(JSONProblem) {
        let members = try node.members("a file selector")
        let keys = members.map(\.key)
        guard let shape = Self.shapes.first(where: { $0.keys.sorted() == keys.sorted() }) else {
            let known = Self.shapes.map { $0.keys.joined(separator: " and ") }.joined(separator: ", ")
            let found = keys.isEmpty ? "no key" : keys.map(\.jsonQuoted).joined(separator: ", ")
            throw JSONProblem(
                node.mark, "a file selector has one of these sets of keys: \(known); this one has \(found)")
        }
        var texts: [String] = []
        for key in shape.keys { texts.append(try Self.path(try node.required(key))) }
        self = shape.make(texts)
    }

    /// A relative path without empty parts, `..` or a slash at its end; `.` alone is the folder itself.
    static func path(_ node: JSONNode) throws(JSONProblem) -> String {
        var text = try node.text()
        if text.hasPrefix("./"), text != "./" { text.removeFirst(2) }
        if text.hasSuffix("/") { text.removeLast() }
        if text == "." { return text }
        let parts = PackPath.parts(text)
        guard parts.allSatisfy({ !$0.isEmpty && $0 != "." && $0 != ".." }), !text.utf8.contains(0) else {
            throw JSONProblem(
                node.mark,
                "\(node.kind) is not a path below its folder: write a relative path without '..'")
        }
        return text
    }
}
