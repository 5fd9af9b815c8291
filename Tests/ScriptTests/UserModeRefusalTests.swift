import SystemPackage
import Testing

/// The messages of `Scripts/netem-test` if it cannot run, before anything starts.
@Suite(.timeLimit(.minutes(1))) struct UserModeRefusalTests {
    @Test(arguments: [
        ["--limit"], ["--limit", "0", "true"], ["--limit", "1m", "true"], ["--memory", "x", "true"],
        ["--results", "", "true"], ["--part", "x"],
        ["--unknown", "true"],
    ])
    func wrongUse(arguments: [String]) async throws {
        try await UserModeKernel.with { run in
            let told = try await run.run(arguments)
            #expect(told.status == 64)
            #expect(told.errors.hasPrefix("Scripts/netem-test [--limit SECONDS]"), "\(told.errors)")
        }
    }

    @Test func helpHasUsageAndExitStatus() async throws {
        try await UserModeKernel.with { run in
            let told = try await run.run(["--help"])
            #expect(told.status == 0 && told.errors.isEmpty)
            #expect(told.output.hasPrefix("Scripts/netem-test [--limit SECONDS]"), "\(told.output)")
            #expect(told.output.contains("Exit status: COMMAND's own") && !told.output.contains("set -euo"))
        }
    }

    @Test func aMachineWithoutUserModeLinux() async throws {
        try await UserModeKernel.with { run in
            let told = try await run.shell(
                """
                mkdir bin && for tool in bash readlink uname; do ln -s "$(command -v $tool)" bin/; done
                PATH=$PWD/bin exec "$NETEM" true
                """)
            #expect(told.status == 69)
            #expect(
                told.errors.contains("apt-get install user-mode-linux, or Scripts/setup")
                    || told.errors.contains("User-Mode Linux is for x86-64"), "\(told.errors)")
        }
    }

    @Test(.needsUserModeKernel) func noFolderWithRoom() async throws {
        try await UserModeKernel.with { run in
            let told = try await run.run(["--memory", "999999", "true"])
            #expect(told.status == 69)
            #expect(told.errors.contains("no folder has 999999 MiB of room"), "\(told.errors)")
            #expect(told.files.isEmpty)
        }
    }

    @Test(.needsUserModeKernel) func resultsThatAreNoFolder() async throws {
        try await UserModeKernel.with { run in
            let told = try await run.run(["--results", "/dev/null", "true"])
            #expect(told.status == 69 && told.errors.contains("results folder"), "\(told.errors)")
        }
    }
}
