import Foundation
import Scenarios
import SystemPackage
import Testing

/// Files of the repository that the tests read.
enum Repository {
    static let root = FilePath(#filePath).removingLastComponent().removingLastComponent().removingLastComponent()
        .removingLastComponent()
    static let profiles = ProfileLibrary(folder: root.appending("profiles"))
    static let scenarios = yamlFiles(root.appending("scenarios"))

    /// All scenarios, but of the error paths, which resemble each other, only every eighth.
    static let variedScenarios = scenarios.enumerated().filter { index, file in
        index % 8 == 0 || file.removingLastComponent().lastComponent?.string != "error-paths"
    }.map(\.element)

    /// The text of a file.
    static func text(_ path: FilePath) throws -> String {
        try String(contentsOfFile: path.string, encoding: .utf8)
    }

    /// Checks that the part of a file between `<!-- name -->` and `<!-- end -->` is this text.
    ///
    /// With `HEADWIND_RECORD=1`, it writes the text there instead.
    static func check(_ path: String, _ name: String, _ expected: String) throws {
        let file = root.appending(path)
        let text = try text(file)
        let open = try #require(text.firstRange(of: "<!-- \(name) -->\n"))
        let close = try #require(text[open.upperBound...].firstRange(of: "<!-- end -->"))
        let part = "\n\(expected)\n\n"
        if ProcessInfo.processInfo.environment["HEADWIND_RECORD"] == "1" {
            let new = text[..<open.upperBound] + part + text[close.lowerBound...]
            try Data(new.utf8).write(to: URL(filePath: file.string))
        } else {
            #expect(text[open.upperBound..<close.lowerBound] == part, "\(path) is not in step")
        }
    }

    /// The YAML files in a folder and its subfolders; empty if there is no folder.
    private static func yamlFiles(_ folder: FilePath) -> [FilePath] {
        let names = FileManager.default.enumerator(atPath: folder.string)?.compactMap { $0 as? String } ?? []
        return names.filter { $0.hasSuffix(".yaml") }.sorted().map { folder.appending($0) }
    }
}
