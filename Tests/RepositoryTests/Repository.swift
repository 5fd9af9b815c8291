import Foundation
import Testing

/// The checkout that is tested.
enum Repository {
    static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    /// Whether the tests write derived files again, as with `HEADWIND_RECORD=1 swift test`.
    static let isRecording = ProcessInfo.processInfo.environment["HEADWIND_RECORD"] == "1"

    /// The text of a file; throws if it cannot be read.
    static func text(_ path: String) throws -> String {
        try String(contentsOf: root.appending(path: path), encoding: .utf8)
    }

    /// The files below a folder with one of these endings, as sorted paths from the root.
    static func files(in folder: String, endings: Set<String>) -> [String] {
        let found = FileManager.default.enumerator(atPath: root.appending(path: folder).path())
        return (found?.compactMap { $0 as? String } ?? []).filter { path in
            endings.contains(URL(filePath: path).pathExtension)
        }.map { folder + "/" + $0 }.sorted()
    }
}
