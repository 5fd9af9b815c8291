import FoundationEssentials
import PackFormat
import SystemPackage
import Wording

/// What a tag file says, before its patterns have been looked for.
struct TagFileDecoder {
    /// A text, and where it stands.
    struct Text {
        let text: String
        let place: JSONNode.Place
    }

    private static let keys = ["bundle", "initialInstall", "prefetch", "preservation", "tags"]
    private static let mostBytes = 4 << 20

    let path: FilePath
    private(set) var bundle = ""
    private(set) var initialInstall: [Text] = []
    private(set) var prefetch: [Text] = []
    private(set) var preservation: [String: Double] = [:]
    private(set) var tags: [(tag: String, patterns: [Text])] = []

    init(_ path: FilePath) throws(CatalogError) {
        self.path = path
        do {
            let root = try JSONReader.read(try Self.contents(of: path))
            try read(root)
        } catch let problem as JSONProblem {
            throw wrong(problem.place, problem.reason)
        } catch let error as CatalogError {
            throw error
        } catch {
            throw .notRead(path, reason: "\(error)")
        }
    }

    /// An error at a place of the file.
    func wrong(_ place: JSONNode.Place, _ reason: String) -> CatalogError {
        .wrongTagFile(path, line: place.line, column: place.column, reason: reason)
    }

    private static func contents(of path: FilePath) throws(CatalogError) -> String {
        let data: Data
        do { data = try Data(contentsOf: URL(filePath: path.string)) } catch {
            throw .notRead(path, reason: "there is no such file, or it may not be read")
        }
        guard data.count <= mostBytes else {
            throw .notRead(path, reason: "it has \(data.count) bytes, and at most \(mostBytes) are read")
        }
        guard let text = String(validating: data, as: UTF8.self) else {
            throw .notRead(path, reason: "it is not UTF-8")
        }
        return text
    }

    private mutating func read(_ root: JSONNode) throws {
        guard case .object(let members) = root.content else {
            throw JSONProblem(place: root.place, reason: "there should be an object, and there is \(root.kind)")
        }
        for member in members where !Self.keys.contains(member.key) {
            let nearest = NearestName.of(member.key, in: Self.keys).map { "; did you mean \"\($0)\"?" }
            let known = "; known are " + Self.keys.map { "\"\($0)\"" }.joined(separator: ", ")
            throw JSONProblem(
                place: member.place,
                reason:
                    "the key \"\(NameText.visible(String(member.key.prefix(40))))\" means nothing here\(nearest ?? known)"
            )
        }
        func value(_ key: String) -> JSONNode? { members.first { $0.key == key }?.value }
        guard let bundle = value("bundle"), let tags = value("tags") else {
            let key = value("bundle") == nil ? "bundle" : "tags"
            throw JSONProblem(place: root.place, reason: "the key \"\(key)\" is missing")
        }
        self.bundle = try bundle.text()
        do { try TagRule.check(bundleID: self.bundle) } catch { throw wrong(bundle.place, Self.sentence(error)) }
        try readTags(tags)
        initialInstall = try known(value("initialInstall"))
        prefetch = try known(value("prefetch"))
        preservation = try priorities(value("preservation"))
    }

    private mutating func readTags(_ node: JSONNode) throws {
        guard case .object(let members) = node.content else {
            throw JSONProblem(place: node.place, reason: "there should be an object of tags, and there is \(node.kind)")
        }
        for member in members {
            do { try TagRule.check(member.key) } catch { throw wrong(member.place, Self.sentence(error)) }
            let patterns = try Self.texts(member.value)
            guard !patterns.isEmpty else {
                throw JSONProblem(place: member.value.place, reason: "the tag '\(member.key)' has no pattern")
            }
            for pattern in patterns {
                let parts = PackPath.parts(pattern.text)
                guard parts.allSatisfy({ !$0.isEmpty && $0 != ".." && $0 != "." }) else {
                    throw JSONProblem(
                        place: pattern.place,
                        reason: "'\(pattern.text)' is no pattern: it begins at the tag file's folder, stays below it, "
                            + "and has a name between slashes")
                }
            }
            tags.append((member.key, patterns))
        }
    }

    /// The tags of a list, which must be ones that the file gives.
    private func known(_ node: JSONNode?) throws -> [Text] {
        guard let node else { return [] }
        let list = try Self.texts(node)
        var seen: Set<String> = []
        for tag in list {
            try check(tag.text, at: tag.place)
            guard seen.insert(tag.text).inserted else {
                throw JSONProblem(place: tag.place, reason: "the tag \"\(tag.text)\" stands here a second time")
            }
        }
        return list
    }

    /// The priorities of an object whose keys are tags that the file gives.
    private func priorities(_ node: JSONNode?) throws -> [String: Double] {
        guard let node else { return [:] }
        guard case .object(let members) = node.content else {
            throw JSONProblem(place: node.place, reason: "there should be an object of tags, and there is \(node.kind)")
        }
        var priorities: [String: Double] = [:]
        for member in members {
            try check(member.key, at: member.place)
            guard case .literal(let text) = member.value.content, let value = Double(text), (0...1).contains(value)
            else {
                throw JSONProblem(
                    place: member.value.place,
                    reason: "a preservation priority is a number from 0 to 1, and there is \(member.value.kind)")
            }
            priorities[member.key] = value
        }
        return priorities
    }

    /// Throws for a tag that the file does not give.
    private func check(_ tag: String, at place: JSONNode.Place) throws(JSONProblem) {
        let names = tags.map(\.tag)
        guard !names.contains(tag) else { return }
        let nearest = NearestName.of(tag, in: names).map { "; did you mean \"\($0)\"?" } ?? ""
        throw JSONProblem(place: place, reason: "no file has the tag \"\(tag)\"\(nearest)")
    }

    private static func texts(_ node: JSONNode) throws(JSONProblem) -> [Text] {
        var texts: [Text] = []
        for element in try node.elements() { texts.append(Text(text: try element.text(), place: element.place)) }
        return texts
    }

    /// An error's words without the full stop, which the place's own adds.
    private static func sentence(_ error: any Error) -> String {
        let text = "\(error)"
        return text.hasSuffix(".") ? String(text.dropLast()) : text
    }
}
