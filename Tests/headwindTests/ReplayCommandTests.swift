import Foundation
import Testing

/// The built program: the exit statuses and the output of `replay`.
@Suite(.sideBySide, .serialized, .timeLimit(.minutes(2)))
struct ReplayCommandTests {
    private struct Ended {
        let status: Int32
        let output: String
        let errors: String
    }

    /// Runs headwind in a folder, and repeats it while the machine is too busy (status 75).
    private func headwind(_ arguments: [String], in folder: URL) throws -> Ended {
        for _ in 1..<4 {
            let ended = try headwindOnce(arguments, in: folder)
            if ended.status != 75 { return ended }
        }
        return try headwindOnce(arguments, in: folder)
    }

    private func headwindOnce(_ arguments: [String], in folder: URL) throws -> Ended {
        let executable = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        let process = Process()
        process.executableURL = URL(filePath: executable).deletingLastPathComponent().appending(path: "headwind")
        process.arguments = arguments
        process.currentDirectoryURL = folder
        process.standardInput = FileHandle.nullDevice
        let files = try ["out", "err"].map { name in
            let file = folder.appending(path: name)
            try Data().write(to: file)
            return file
        }
        process.standardOutput = try FileHandle(forWritingTo: files[0])
        process.standardError = try FileHandle(forWritingTo: files[1])
        try process.run()
        process.waitUntilExit()
        let texts = try files.map { try String(contentsOf: $0, encoding: .utf8) }
        return Ended(status: process.terminationStatus, output: texts[0], errors: texts[1])
    }

    @Test func statusesSuitShellsAndBisecting() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "replay-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        try FileManager.default.createDirectory(
            at: folder.appending(path: "packs"), withIntermediateDirectories: true)
        try Data("abc".utf8).write(to: folder.appending(path: "packs/a.bin"))
        let scenario = """
            scenario: Fails
            packs: ./packs/
            link: {}
            workload: {command: [sh, -c, "exit 4"], pack: a.bin}
            """
        try Data(scenario.utf8).write(to: folder.appending(path: "fails.yaml"))
        let client = folder.appending(path: "client")
        try Data("#!/bin/sh\nexec curl -sf -o \"$1\" \"$2\"\n".utf8).write(to: client)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: client.path)
        let failed = try headwind(["run", "fails.yaml", "--output", "results"], in: folder)
        #expect(failed.status == 99, "\(failed.output)\(failed.errors)")

        // The bundle has the attempt's number, and a disturbed attempt counts as well.
        let bundles = folder.appending(path: "results/bundles").path
        let name = try #require(try FileManager.default.contentsOfDirectory(atPath: bundles).first)
        let bundle = "results/bundles/\(name)"
        let replay = try headwind(["replay", bundle, "--times", "2"], in: folder)
        #expect(replay.status == 99, "\(replay.errors)")
        #expect(replay.output.hasPrefix("deterministic: the failure came back in 2 of 2 plays\n"))
        #expect(replay.output.contains("34 % to 100 %"))
        #expect(replay.errors.contains("headwind: the client is sh -c 'exit 4'"), "\(replay.errors)")
        let json = try headwind(["replay", bundle, "--times", "1", "--format", "json"], in: folder)
        #expect(json.status == 99 && json.output.contains("\"word\" : \"deterministic\""))

        for (arguments, status) in [
            (["./client", "{output}", "{url}"], 0), (["sh", "-c", "exit 4"], 1), (["sh", "-c", "exit 5"], 125),
            (["/no/such/program"], 125), (["sh", "{nothing}"], 125),
        ] as [([String], Int32)] {
            let ended = try headwind(["replay", bundle, "--times", "1", "--"] + arguments, in: folder)
            #expect(ended.status == status, "\(arguments): \(ended.output) \(ended.errors)")
        }
        #expect(try headwind(["replay", "packs"], in: folder).status == 65)
        #expect(try headwind(["replay", "packs", "--", "true"], in: folder).status == 125)
        #expect(try headwind(["replay", bundle, "--times", "0"], in: folder).status == 64)
        #expect(try headwind(["replay", bundle, "--times", "0", "--", "true"], in: folder).status == 125)

        let text = folder.appending(path: "\(bundle)/scenario.yaml")
        let changed = try String(contentsOf: text, encoding: .utf8).replacing(
            "exit 4", with: "touch \(folder.path)/ran")
        try Data(changed.utf8).write(to: text)
        let untrusted = try headwind(["replay", bundle, "--times", "1"], in: folder)
        #expect(untrusted.status == 64 && untrusted.errors.contains("touch"), "\(untrusted.errors)")
        #expect(!FileManager.default.fileExists(atPath: folder.appending(path: "ran").path))
        let trusted = try headwind(["replay", bundle, "--times", "1", "--trust"], in: folder)
        #expect(trusted.status == 97, "\(trusted.output) \(trusted.errors)")
    }
}
