import Foundation
import LinkModel
import Scenarios
import SystemPackage

/// A problem in the form of the tests' tables: `3:5 message | hint`.
func line(_ diagnostic: Diagnostic) -> String {
    "\(diagnostic.line):\(diagnostic.column) \(diagnostic.message)" + (diagnostic.hint.map { " | \($0)" } ?? "")
}

/// Reads a scenario from a text.
///
/// Its folder has the files that the tests' scenarios name, such as `packs/` and `catalog/tags.json`.
func scenario(_ text: some Sequence<UInt8>) throws -> Scenario {
    let folder = try TemporaryFolder()
    try folder.write("packs/a.bin", "a")
    try folder.write("catalog/tags.json", "{}")
    try folder.write("headers.txt", "X-Team: games\nX-Key: secret\n")
    let file = try folder.write("test.yaml", text)
    return try ScenarioLoader(profiles: Repository.profiles).load(file)[0]
}

func scenario(_ text: String) throws -> Scenario {
    try scenario(text.utf8)
}

/// The problems of the scenario in a text.
func problems(inScenario text: some Sequence<UInt8>) throws -> [String] {
    do {
        _ = try scenario(text)
        return []
    } catch let error as InvalidFiles {
        return error.diagnostics.map(line)
    }
}

/// Reads a profile from a text.
func profile(_ text: some Sequence<UInt8>) throws -> Profile {
    let folder = try TemporaryFolder()
    try folder.write("traces/up.trace", "1\n2\n3\n")
    try folder.write("bad.trace", "1\n5\n3\n")
    try folder.write("secret.trace", "root:x:0:0:root:/root:/bin/bash\n")
    for (name, target) in [("out", "/etc/passwd"), ("in", "up.trace")] {
        let link = folder.path.appending("traces/\(name).trace").string
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: target)
    }
    let file = try folder.write("test.yaml", text)
    return try Repository.profiles.profile(file: file)
}

/// The problems of the profile in a text.
func problems(inProfile text: some Sequence<UInt8>) throws -> [String] {
    do {
        _ = try profile(text)
        return []
    } catch let error as InvalidFiles {
        return error.diagnostics.map(line)
    }
}
