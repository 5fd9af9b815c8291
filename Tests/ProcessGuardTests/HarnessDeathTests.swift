import Dispatch
import Glibc
import ProcessGuard
import SystemPackage
import Testing

@Suite(.timeLimit(.minutes(2))) struct HarnessDeathTests {
    @Test func endsEverythingWhenTheHarnessIsKilled() async throws {
        let token = Token()
        try await withScratchDirectory(in: temporaryDirectory) { directory in
            await #expect(processExitsWith: .signal(SIGKILL)) {
                [name = token.description as String, directory = directory.string as String] in
                try await withScratchDirectory(in: FilePath(directory)) { scratch in
                    var command = shell(
                        stubbornDaemon + "echo up; sleep 600", scratch.appending("held").string,
                        environment: Token(name).environment)
                    command.scratch = scratch
                    command.output = .streamed
                    _ = try await withGuardedProcess(command) { process in
                        for try await line in process.output.lines where line == "up" {
                            kill(getpid(), SIGKILL)
                        }
                    }
                }
            }
            #expect(await eventually { token.processes().isEmpty })
            #expect(await eventually { names(in: directory) == [".headwind-scratch"] })
        }
    }

    /// While no program and its guard run, the directory's own guard removes it.
    @Test func removesTheDirectoryWhileNoProgramRuns() async throws {
        try await withScratchDirectory(in: temporaryDirectory) { directory in
            await #expect(processExitsWith: .signal(SIGKILL)) { [directory = directory.string as String] in
                try await withScratchDirectory(in: FilePath(directory)) { scratch in
                    try write("left", to: scratch.appending("file"))
                    kill(getpid(), SIGKILL)
                }
            }
            #expect(await eventually { names(in: directory) == [".headwind-scratch"] })
        }
    }

    /// A program that still writes must not lose its directory, nor bring it back.
    @Test func keepsTheDirectoryUntilProgramsHaveEnded() async throws {
        let token = Token()
        try await withScratchDirectory(in: temporaryDirectory) { directory in
            let note = directory.appending("note")
            await #expect(processExitsWith: .signal(SIGKILL)) {
                [
                    name = token.description as String, directory = directory.string as String,
                    note = note.string as String
                ] in
                try await withScratchDirectory(in: FilePath(directory)) { scratch in
                    // Its last act, within the grace, is to look for the directory.
                    var command = shell(
                        "trap 'sleep 0.3; ls -a \"$1\" > \"$2\"; exit' TERM; echo up; while :; do sleep 0.1; done",
                        scratch.string, note, environment: Token(name).environment)
                    command.grace = .seconds(20)
                    command.scratch = scratch
                    command.output = .streamed
                    _ = try await withGuardedProcess(command) { process in
                        for try await line in process.output.lines where line == "up" {
                            kill(getpid(), SIGKILL)
                        }
                    }
                }
            }
            #expect(await eventually { token.processes().isEmpty })
            #expect(contents(of: note.string)?.contains(".headwind-scratch") == true)
            #expect(await eventually { names(in: directory).sorted() == [".headwind-scratch", "note"] })
        }
    }

    /// Most moments hit a running program; the others hit the making of the directory, the start, or the end.
    @Test func leavesNothingWheneverTheHarnessIsKilled() async throws {
        var random = SeededGenerator(seed: 50)
        let moments = (0..<50).map { _ in Int.random(in: 0..<170_000, using: &random) }
        let token = Token()
        try await withScratchDirectory(in: temporaryDirectory) { directory in
            for moment in moments {
                await #expect(processExitsWith: .signal(SIGKILL)) {
                    [
                        moment = moment as Int, name = token.description as String,
                        directory = directory.string as String
                    ] in
                    DispatchQueue.global().asyncAfter(deadline: .now() + .microseconds(moment)) {
                        kill(getpid(), SIGKILL)
                    }
                    try await runAgainAndAgain(in: FilePath(directory), token: Token(name))
                }
            }
            #expect(await eventually { token.processes().isEmpty })
            #expect(await eventually { names(in: directory) == [".headwind-scratch"] })
        }
    }

    /// Without a guard the same program stays: the checks of the tests above can see it.
    @Test func seesAnUnguardedProgram() async throws {
        let token = Token()
        try await withScratchDirectory(in: temporaryDirectory) { directory in
            let held = directory.appending("held")
            var process: pid_t = 0
            let words = ["sh", "-c", stubbornDaemon, "sh", held.string]
            let arguments = words.map { strdup($0) } + [nil]
            let environment = token.environment.map { strdup("\($0)=\($1)") } + [nil]
            defer { (arguments + environment).forEach { free($0) } }
            try #require(posix_spawn(&process, "/bin/sh", nil, nil, arguments, environment) == 0)
            var status: Int32 = 0
            waitpid(process, &status, 0)
            #expect(token.processes().count == 2)
            for process in token.processes() { kill(process, SIGKILL) }
            #expect(await eventually { token.processes().isEmpty })
        }
    }
}

private func runAgainAndAgain(in directory: FilePath, token: Token) async throws {
    while true {
        try await withScratchDirectory(in: directory) { scratch in
            var command = shell(
                stubbornDaemon, scratch.appending("held").string, environment: token.environment)
            command.scratch = scratch
            _ = try await runGuarded(command)
        }
    }
}
