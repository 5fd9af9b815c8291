import Foundation
import Testing

/// Third-party readers in Python for files that Headwind writes.
enum SecondOpinion {
    /// Runs a script with `input` on its standard input, and returns its output.
    ///
    /// Fails with the script's errors if its status is not 0. It uses the first Python that has the module: `python3`,
    /// or the system's, into which Scripts/setup installs.
    static func python(importing module: String, _ script: String, input: String) throws -> String {
        let python = try #require(
            ["python3", "/usr/bin/python3"].first { (try? run([$0, "-c", "import \(module)"], "").status) == 0 },
            "no Python here has \(module): Scripts/setup --for test")
        let answer = try run([python, "-c", script], input)
        #expect(answer.status == 0, "\(answer.errors)")
        return answer.output
    }

    private static func run(_ words: [String], _ input: String) throws -> (
        status: Int32, output: String, errors: String
    ) {
        let folder = FileManager.default.temporaryDirectory.appending(path: "headwind-opinion-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        // Files, so that neither side blocks on a full pipe.
        func file(_ name: String, _ text: String = "") throws -> FileHandle {
            let url = folder.appending(path: name)
            try Data(text.utf8).write(to: url)
            return try FileHandle(forUpdating: url)
        }
        let (output, errors) = (try file("output"), try file("errors"))
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = words
        process.standardInput = try file("input", input)
        (process.standardOutput, process.standardError) = (output, errors)
        try process.run()
        process.waitUntilExit()
        func text(_ name: String) throws -> String {
            String(decoding: try Data(contentsOf: folder.appending(path: name)), as: UTF8.self)
        }
        return (process.terminationStatus, try text("output"), try text("errors"))
    }
}
