import Foundation
import SystemPackage

@testable import ResourceLoading

extension PackStore {
    /// Puts a plain pack into the store, as a download would.
    @discardableResult
    func fill(
        _ name: String, _ text: String = "12345", tags: [String] = ["t"], edition: PackEdition = .init()
    ) async throws -> StoredPack {
        let file = layout.temporary.appending("download")
        try Data(text.utf8).write(to: URL(fileURLWithPath: file.string))
        let pack = CatalogPack(
            identifier: name, url: "http://host/\(name)", tags: tags, edition: edition,
            storedSize: Int64(text.utf8.count), downloadSize: Int64(text.utf8.count), fileName: "file")
        let stored = try await publish(unpack(file, as: pack))
        try FileSystem.remove(file)
        return stored
    }

    /// The content of a plain pack's file; nil if there is none.
    func text(of pack: String) -> String? {
        FileManager.default.contents(atPath: folder(of: pack).appending("file").string)
            .map { String(decoding: $0, as: UTF8.self) }
    }
}

extension FilePath {
    /// Writes a text to the file.
    func fill(_ text: String) throws { try Data(text.utf8).write(to: URL(fileURLWithPath: string)) }
}
