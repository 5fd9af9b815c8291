import Evidence
import Foundation
import PackFormat
import Scenarios
import SystemPackage

/// Setups of attempts that never run.
enum Scratch {
    private static let profiles = ProfileLibrary(
        folder: FilePath(#filePath).appending("../../../../profiles").lexicallyNormalized())

    /// The setup of an attempt of a scenario, whose host serves packs of these sizes in bytes.
    ///
    /// If the text leaves them out, it has `packs`, a link of 20 Mbit/s and 10 ms, and a request for `level.bin`.
    static func setup(_ text: String = "", packs: [String: Int] = ["level.bin": 200_000]) throws -> AttemptSetup {
        let folder = FileManager.default.temporaryDirectory.appending(path: "evidence-tests-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        try FileManager.default.createDirectory(
            at: folder.appending(path: "packs"), withIntermediateDirectories: true)
        for (name, size) in packs { try Data(count: size).write(to: folder.appending(path: "packs/\(name)")) }
        let conditions = "{rate: 20 Mbit/s, delay: 10 ms}"
        let defaults = [
            ("packs", "./packs/"), ("link", "{downlink: \(conditions), uplink: \(conditions)}"),
            ("workload", "[{request: {tags: [level.bin]}}]"),
        ]
        let missing = defaults.filter { key, _ in !text.split(separator: "\n").contains { $0.hasPrefix(key + ":") } }
        let lines = ["scenario: A test"] + missing.map { "\($0): \($1)" } + [text]
        let file = folder.appending(path: "test.yaml")
        try Data((lines.joined(separator: "\n") + "\n").utf8).write(to: file)
        let cell = try ScenarioLoader(profiles: profiles).load(FilePath(file.path))[0].cells[0]
        let site = try Site.files(directory: FilePath(folder.path).appending("packs"))
        return AttemptSetup(cell, content: try PreparedContent(site: site, scheme: "http"))
    }
}
