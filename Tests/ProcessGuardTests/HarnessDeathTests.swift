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
            #expect(names(in: directory) == [".headwind-scratch"])
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
            // A harness that is killed before its guard knows of the directory, or after, leaves it to the next run.
            _ = try sweepScratchDirectories(in: directory)
            #expect(names(in: directory) == [".headwind-scratch"])
        }
    }

    /// Without a guard the same program does stay: what the tests above look for can be seen.
    @Test func seesWhatNobodyGuards() async throws {
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
