import Foundation
import SystemPackage
import Testing

@testable import LinuxSupport

/// What the first line of a script names, and what the system says about it, by a table.
@Suite struct MissingInterpreterTests {
    @Test(
        arguments: [
            // As Linux reads it, a carriage return belongs to the name.
            ("#!/bin/sh\r\nexit 0\r\n", "its first line names '/bin/sh\\r': No such file or directory", "dos2unix"),
            ("#! /no/such/sh -e\n", "its first line names '/no/such/sh': No such file or directory", "install"),
            ("#!/no/such/sh", "its first line names '/no/such/sh': No such file or directory", "install"),
            ("#!/etc/passwd\n", "its first line names '/etc/passwd': Permission denied", "install"),
            ("#!/usr\n", "its first line names '/usr': Permission denied", "install"),
            ("#!/bin/sh/x\n", "its first line names '/bin/sh/x': Not a directory", "install"),
            (
                "#!/usr/bin/env sh\r\n", "its first line names 'sh\\r': No such file or directory in PATH", "dos2unix"
            ),
            (
                "#!/usr/bin/env  no-such-program \n",
                "its first line names 'no-such-program': No such file or directory in PATH", "install"
            ),
            // Linux hands env(1) the rest of the line as one word.
            ("#!/usr/bin/env sh -e\n", "its first line names 'sh -e': No such file or directory in PATH", "install"),
        ])
    func whatIsMissing(_ script: String, _ problem: String, _ remedy: String) throws {
        let missing = try #require(try Self.missing(script))
        #expect(missing.problem == problem && missing.remedy.contains(remedy), "\(missing)")
    }

    @Test(arguments: [
        "#!/bin/sh\nexit 0\r\n", "#!\t/bin/sh \t-e\n", "#!/bin/sh", "#!/usr/bin/env sh\n", "#!/usr/bin/env -S sh -e\n",
        "#!/usr/bin/env A=1\n", "#!/usr/bin/env\n",
        // These are no scripts with an interpreter, or depend on the client's folder.
        "#!/usr/bin/env ./no-such-program\n", "", "#!", "#!\n/no/such/sh\n", "exit 0\n", "\u{7F}ELF\n#!/no/such/sh\n",
        "#!no/such/sh\n",
        // Linux reads no more of a line.
        "#!/" + String(repeating: "x", count: 300) + "\n",
    ])
    func nothingIsMissing(_ script: String) throws {
        #expect(try Self.missing(script) == nil)
    }

    @Test func aFileThatIsMissingIsNoScript() {
        #expect(MissingInterpreter(of: "/no/such/file") == nil)
    }

    private static func missing(_ script: String) throws -> MissingInterpreter? {
        let file = FileManager.default.temporaryDirectory.appending(path: "script-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: file) }
        try Data(script.utf8).write(to: file)
        return MissingInterpreter(of: FilePath(file.path))
    }
}
