import Foundation
import Testing

/// The checkout that these tests are of.
enum Repository {
    static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    /// Whether the tests write anew what they can derive, as `HEADWIND_RECORD=1 swift test` asks for.
    static let isRecording = ProcessInfo.processInfo.environment["HEADWIND_RECORD"] == "1"

    /// The text of a file; throws where it cannot be read.
    static func text(_ path: String) throws -> String {
        try String(contentsOf: root.appending(path: path), encoding: .utf8)
    }

    /// The files in a folder and its own folders with one of these endings, as paths from the root, in order.
    static func files(in folder: String, endings: Set<String>) -> [String] {
        let found = FileManager.default.enumerator(atPath: root.appending(path: folder).path())
        return (found?.compactMap { $0 as? String } ?? []).filter { path in
            endings.contains(URL(filePath: path).pathExtension)
        }.map { folder + "/" + $0 }.sorted()
    }
}
