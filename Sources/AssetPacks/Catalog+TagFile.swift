import FoundationEssentials
import PackFormat
package import SystemPackage

extension Catalog {
    /// The catalog that a tag file describes; its patterns begin at the file's folder.
    ///
    /// ```json
    /// {"bundle": "com.example.game", "prefetch": ["level-1"], "tags": {"level-1": ["levels/1/**", "music/1.ogg"]}}
    /// ```
    /// Throws for a key that means nothing, a pattern that finds no file, and a list that names a tag nobody has.
    package init(tagFile: FilePath) throws {
        let form = try TagFileForm.read(tagFile)
        let root = tagFile.removingLastComponent()
        let folder = root.isEmpty ? FilePath(".") : root
        try TagRule.check(bundleID: form.bundle)
        let own = tagFile.lastComponent?.string
        let paths = try Self.files(in: folder).filter { $0 != own }
        var tags: [String: Set<String>] = [:]
        for (tag, patterns) in form.tags.sorted(by: { $0.key < $1.key }) {
            try TagRule.check(tag)
            for pattern in patterns {
                guard !pattern.hasPrefix("/"), !pattern.split(separator: "/").contains("..") else {
                    throw CatalogError.outside(folder, path: pattern, reason: "patterns begin at the tag file's folder")
                }
                let matcher = PathPattern(pattern)
                let found = paths.filter(matcher.matches)
                guard !found.isEmpty else { throw CatalogError.emptyPattern(tagFile, tag: tag, pattern: pattern) }
                for path in found { tags[path, default: []].insert(tag) }
            }
        }
        self.init(
            bundleID: form.bundle, root: folder, resources: paths.map { Resource(path: $0, tags: tags[$0] ?? []) },
            initialInstall: Set(form.initialInstall ?? []), prefetch: form.prefetch ?? [])
        guard !self.tags.isEmpty else { throw CatalogError.noTags(folder) }
        for (list, names) in [("initialInstall", form.initialInstall ?? []), ("prefetch", form.prefetch ?? [])] {
            for tag in names where !self.tags.contains(tag) {
                throw CatalogError.unknownTag(tagFile, list: list, tag: tag, known: self.tags)
            }
        }
    }
}

private struct TagFileForm: Decodable {
    var bundle: String
    var initialInstall: [String]?
    var prefetch: [String]?
    var tags: [String: [String]]

    private enum CodingKeys: String, CodingKey, CaseIterable {
        case bundle, initialInstall, prefetch, tags
    }

    private struct AnyKey: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }
        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    private struct UnknownKey: Error {
        let key: String
    }

    private static let mostBytes = 4 << 20

    init(from decoder: any Decoder) throws {
        let known = CodingKeys.allCases.map(\.rawValue)
        for key in try decoder.container(keyedBy: AnyKey.self).allKeys where !known.contains(key.stringValue) {
            throw UnknownKey(key: key.stringValue)
        }
        let container = try decoder.container(keyedBy: CodingKeys.self)
        bundle = try container.decode(String.self, forKey: .bundle)
        initialInstall = try container.decodeIfPresent([String].self, forKey: .initialInstall)
        prefetch = try container.decodeIfPresent([String].self, forKey: .prefetch)
        tags = try container.decode([String: [String]].self, forKey: .tags)
    }

    static func read(_ path: FilePath) throws(CatalogError) -> TagFileForm {
        do {
            let bytes = try Data(contentsOf: URL(filePath: path.string))
            guard bytes.count <= mostBytes else {
                throw CatalogError.unreadable(
                    path, reason: "it has \(bytes.count) bytes, and at most \(mostBytes) are read")
            }
            return try JSONDecoder().decode(TagFileForm.self, from: bytes)
        } catch let error as CatalogError {
            throw error
        } catch let error as UnknownKey {
            throw .unknownKey(path, key: error.key, known: CodingKeys.allCases.map(\.rawValue))
        } catch let error as DecodingError {
            throw .unreadable(path, reason: reason(error))
        } catch {
            throw .unreadable(path, reason: "\(error)")
        }
    }

    private static func reason(_ error: DecodingError) -> String {
        switch error {
        case .keyNotFound(let key, _): "the key '\(key.stringValue)' is missing"
        case .typeMismatch(_, let context), .valueNotFound(_, let context):
            "'\(context.codingPath.map(\.stringValue).joined(separator: "."))' has the wrong form (\(context.debugDescription))"
        case .dataCorrupted(let context): "it is no JSON (\(context.debugDescription))"
        @unknown default: "\(error)"
        }
    }
}
