import Documents
import FoundationEssentials
import PackFormat
import SystemPackage
import Wording

/// A JSON file of a catalog; its problems become errors of the catalog.
struct CatalogDocument {
    let file: FilePath
    /// The kind of file, for errors.
    var what = "the tag file"
    /// Whether it may have comments and trailing commas.
    var hasComments = false
    private static let mostBytes = 4 << 20

    /// Reads the file, and passes its root to `body`; throws with the line and the column of a mistake.
    func read(_ body: (JSONNode) throws -> Void) throws(CatalogError) {
        do {
            let data = try Data(contentsOf: URL(filePath: file.string))
            guard data.count <= Self.mostBytes, let text = String(validating: data, as: UTF8.self) else {
                throw CatalogError.notRead(
                    file, what: what, reason: "it is not UTF-8, or has more than \(Self.mostBytes) bytes")
            }
            try body(try JSONReader.read(hasComments ? JSONComments.blanked(text) : text))
        } catch let problem as JSONProblem {
            throw wrong(problem.mark, problem.reason)
        } catch let error as CatalogError {
            throw error
        } catch {
            throw .notRead(file, what: what, reason: error.systemReason)
        }
    }

    /// Throws for a member whose key is not among `keys`.
    static func check(_ members: [JSONNode.Member], have keys: [String]) throws(JSONProblem) {
        for member in members where !keys.contains(member.key) {
            let nearest = NearestName.of(member.key, in: keys).map { "; did you mean \"\($0)\"?" }
            let known = "; known are " + keys.map { "\"\($0)\"" }.joined(separator: ", ")
            let key = NameText.visible(String(member.key.prefix(40)))
            throw JSONProblem(member.mark, "the key \"\(key)\" is unknown here\(nearest ?? known)")
        }
    }

    /// An error at a place in the file.
    func wrong(_ mark: Mark, _ reason: String) -> CatalogError {
        .wrongTagFile(file, line: mark.line, column: mark.column, reason: reason)
    }
}
