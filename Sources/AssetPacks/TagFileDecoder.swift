import Documents
import PackFormat
import SystemPackage
import Wording

/// The content of a tag file, before its patterns are matched.
struct TagFileDecoder {
    /// A text, and its place in the file.
    typealias Text = (text: String, mark: Mark)

    private static let keys = ["bundle", "initialInstall", "prefetch", "preservation", "tags"]

    let document: CatalogDocument
    private(set) var bundle = ""
    private(set) var initialInstall: [Text] = []
    private(set) var prefetch: [Text] = []
    private(set) var preservation: [String: Double] = [:]
    private(set) var tags: [(tag: String, patterns: [Text])] = []

    init(_ path: FilePath) throws(CatalogError) {
        let document = CatalogDocument(file: path)
        self.document = document
        try document.read { try read($0) }
    }

    private mutating func read(_ root: JSONNode) throws {
        try CatalogDocument.check(root.members(), have: Self.keys)
        let bundle = try root.required("bundle")
        let tags = try root.required("tags")
        self.bundle = try bundle.text()
        do { try TagRule.check(bundleID: self.bundle) } catch {
            throw document.wrong(bundle.mark, Self.sentence(error))
        }
        try readTags(tags)
        initialInstall = try known(root.member("initialInstall"))
        prefetch = try known(root.member("prefetch"))
        preservation = try priorities(root.member("preservation"))
    }

    private mutating func readTags(_ node: JSONNode) throws {
        var names = NameLedger()
        for member in try node.members("an object of tags") {
            if case .twin(let twin) = names.enter(member.key) {
                throw JSONProblem(member.mark, "the keys \(NameLedger.reason(member.key, twin))")
            }
            do { try TagRule.check(member.key) } catch { throw document.wrong(member.mark, Self.sentence(error)) }
            let patterns = try Self.texts(member.value)
            guard !patterns.isEmpty else {
                throw JSONProblem(member.value.mark, "the tag '\(member.key)' has no pattern")
            }
            for pattern in patterns {
                let parts = PackPath.parts(pattern.text)
                guard parts.allSatisfy({ !$0.isEmpty && $0 != ".." && $0 != "." }) else {
                    throw JSONProblem(
                        pattern.mark,
                        "'\(pattern.text)' is not a pattern: write a path relative to the tag file's folder, "
                            + "without '.', '..' or empty parts")
                }
            }
            tags.append((member.key, patterns))
        }
    }

    /// The tags of a list, which the file must define.
    private func known(_ node: JSONNode?) throws -> [Text] {
        guard let node else { return [] }
        let list = try Self.texts(node)
        var seen: Set<String> = []
        for tag in list {
            try check(tag.text, at: tag.mark)
            guard seen.insert(tag.text).inserted else {
                throw JSONProblem(tag.mark, "the tag \"\(tag.text)\" is listed twice")
            }
        }
        return list
    }

    /// The priorities of an object whose keys are tags that the file defines.
    private func priorities(_ node: JSONNode?) throws -> [String: Double] {
        guard let node else { return [:] }
        var priorities: [String: Double] = [:]
        for member in try node.members("an object of tags") {
            try check(member.key, at: member.mark)
            guard case .literal(let text) = member.value.content, let value = Double(text), (0...1).contains(value)
            else {
                throw JSONProblem(
                    member.value.mark,
                    "a preservation priority is a number from 0 to 1, not \(member.value.kind)")
            }
            guard priorities.updateValue(value, forKey: member.key) == nil else {
                throw JSONProblem(member.mark, "the tag \"\(member.key)\" is listed twice")
            }
        }
        return priorities
    }

    /// Throws for a tag that the file does not define.
    private func check(_ tag: String, at mark: Mark) throws(JSONProblem) {
        let names = tags.map(\.tag)
        guard !names.contains(tag) else { return }
        let nearest = NearestName.of(tag, in: names).map { "; did you mean \"\($0)\"?" } ?? ""
        throw JSONProblem(mark, "no file has the tag \"\(tag)\"\(nearest)")
    }

    private static func texts(_ node: JSONNode) throws(JSONProblem) -> [Text] {
        var texts: [Text] = []
        for element in try node.elements() { texts.append((try element.text(), element.mark)) }
        return texts
    }

    /// The text of an error without its full stop, because the error with the place adds one.
    private static func sentence(_ error: any Error) -> String {
        let text = "\(error)"
        return text.hasSuffix(".") ? String(text.dropLast()) : text
    }
}
