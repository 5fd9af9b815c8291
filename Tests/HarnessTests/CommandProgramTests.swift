import Foundation
import Results
import Scenarios
import SystemPackage
import Testing

@testable import Harness

/// Where the program of a command is searched, and what it is given.
@Suite(.serialized, .timeLimit(.minutes(2)))
struct CommandProgramTests {
    /// A missing program is an error in the scenario, found before anything is measured.
    @Test(arguments: ["no-such-program", "./no-such-program", "./not-executable"])
    func aMissingProgramIsRefused(program: String) async throws {
        let bench = try Bench()
        let file = bench.folder.appending("not-executable").string
        try "#!/bin/sh\n".write(toFile: file, atomically: true, encoding: .utf8)
        #expect(chmod(file, 0o644) == 0)
        do {
            _ = try await bench.run("workload: {command: [\(program), \"{url}\"], pack: level.bin}")
            Issue.record("it was run")
        } catch let error as InvalidFiles {
            let path = program.hasPrefix("./") ? bench.folder.appending(String(program.dropFirst(2))).string : program
            #expect(error.description.contains("there is no program '\(path)'"), "\(error)")
        }
    }

    /// A script that the system cannot execute is refused, too, before anything is measured.
    @Test(
        arguments: [
            ("#!/bin/sh\r\nexit 0\r\n", "'/bin/sh\\r': No such file or directory; remove the carriage returns"),
            ("#!/no/such/sh\n", "'/no/such/sh': No such file or directory; install that program"),
            ("#!/usr/bin/env no-such-program\n", "'no-such-program': No such file or directory in PATH; install"),
        ])
    func aProgramWithoutItsInterpreterIsRefused(_ script: String, _ reason: String) async throws {
        let bench = try Bench()
        let program = bench.folder.appending("client.sh").string
        try script.write(toFile: program, atomically: true, encoding: .utf8)
        #expect(chmod(program, 0o755) == 0)
        do {
            _ = try await bench.run("workload: {command: [./client.sh, \"{url}\"], pack: level.bin}")
            Issue.record("it was run")
        } catch let error as InvalidFiles {
            let expected = "'\(program)' cannot be executed: its first line names \(reason)"
            #expect(error.description.contains(expected), "\(error)")
        }
        var programs = Programs(beside: FilePath("/"))
        let refusal = #expect(throws: HarnessError.self) { try programs.use(client: program) }
        #expect(refusal?.description.contains("its first line names '") == true, "\(String(describing: refusal))")
    }

    /// A relative path begins at the folder of the scenario's file.
    @Test func aProgramBesideTheScenarioIsFound() async throws {
        let bench = try Bench()
        let program = bench.folder.appending("client.sh")
        try "#!/bin/sh\nexec curl -fsS -o \"$1\" \"$2\"\n".write(
            toFile: program.string, atomically: true, encoding: .utf8)
        #expect(chmod(program.string, 0o755) == 0)
        let result = try await bench.run(
            "workload: {command: [./client.sh, \"{output}\", \"{url}\"], pack: level.bin}")
        #expect(result.exitCode == 0, "\(result.text)")
    }

    /// The headers for a foreign host are in a file, and not on a command line.
    @Test func headersAreInAFile() async throws {
        let bench = try Bench()
        let seen = bench.folder.appending("seen")
        _ = try await bench.run(
            """
            host: {url: 'http://127.0.0.1:9/', headers: {X-Team: games, Accept-Language: de}}
            workload: {command: 'cat {headers} "$HEADWIND_HEADERS" > \(seen)'}
            """)
        let text = try String(contentsOfFile: seen.string, encoding: .utf8)
        #expect(
            text.split(separator: "\n").sorted() == [
                "Accept-Language: de", "Accept-Language: de", "X-Team: games", "X-Team: games",
            ])
    }
}
