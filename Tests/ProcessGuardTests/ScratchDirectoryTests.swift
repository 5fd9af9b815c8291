import Glibc
import ProcessGuard
import SystemPackage
import Testing

@Suite(.timeLimit(.minutes(1))) struct ScratchDirectoryTests {
    private struct Failure: Error, Equatable {}

    @Test func livesAsLongAsItsScope() async throws {
        var path = FilePath("/")
        let value = try await withScratchDirectory(in: temporaryDirectory, prefix: "hw-") { directory in
            path = directory
            var status = stat()
            #expect(directory.withPlatformString { lstat($0, &status) } == 0)
            #expect(status.st_mode == S_IFDIR | S_IRWXU)
            #expect(directory.lastComponent?.string.hasPrefix("hw-") == true)
            try write("", to: directory.appending("file"))
            return 7
        }
        #expect(value == 7 && !exists(path))
        await #expect(throws: Failure()) {
            try await withScratchDirectory(in: temporaryDirectory) { directory in
                path = directory
                throw Failure()
            }
        }
        #expect(!exists(path))
    }

    @Test func reportsWhereItCannotBeMade() async throws {
        let failure = ScratchError.notMade(parent: "/no/where", .noSuchFileOrDirectory)
        await #expect(throws: failure) { try await withScratchDirectory(in: "/no/where") { _ in } }
        #expect("\(failure)".hasPrefix("Could not make a scratch directory in '/no/where': No such file or directory."))
    }

    @Test(arguments: [
        (
            "many files",
            "for i in $(seq 500); do echo > $i; done; mkdir d; cd d; for i in $(seq 500); do mkdir $i; done"
        ),
        ("odd names", "touch -- '-rf' ' ' \"$(printf '\\n')x\" '*' .hidden; mkdir ...; touch .../x"),
        ("links", "ln -s \"$1\" out; ln -s / root; ln -s . self; mkdir d; ln -s \"$1\" d/out; ln \"$1/keep\" d/hard"),
        ("a locked directory", "mkdir -p a/b/c; echo > a/b/c/f; chmod 0 a/b/c a/b a"),
        ("a read-only directory", "mkdir -p a/b; echo > a/b/f; chmod 555 a/b a ."),
        ("a fifo and a socket", "mkfifo f; python3 -c 'import socket; socket.socket(socket.AF_UNIX).bind(\"s\")'"),
        ("hoisted names", "mkdir -p .headwind-hoisted-0/x/y .headwind-hoisted-1/x a/b/c/d; echo > a/b/c/d/e"),
    ])
    func removesWhatProgramsLeave(name: String, script: String) async throws {
        try await withScratchDirectory(in: temporaryDirectory) { outside in
            try write("kept", to: outside.appending("keep"))
            var path = FilePath("/")
            try await withScratchDirectory(in: outside) { directory in
                path = directory
                try await run(shell(script, outside.string), in: directory)
                #expect(names(in: directory).count > 1)
            }
            #expect(!exists(path))
            #expect(contents(of: "\(outside)/keep") == "kept")
        }
    }

    @Test func removesFoldersDeeperThanTheDescriptorLimit() async throws {
        var path = FilePath("/")
        try await withScratchDirectory(in: temporaryDirectory) { directory in
            path = directory
            // Names of 200 bytes, 3,000 deep: far longer than any path may be.
            let deep = """
                import os
                for _ in range(3000):
                    os.mkdir('d' * 200); os.chdir('d' * 200)
                open('f', 'w')
                """
            try await run(
                GuardedCommand("python3", arguments: ["-c", deep], environment: plainEnvironment), in: directory)
        }
        #expect(!exists(path))
    }

    @Test func sweepsFoldersOfDeadRuns() async throws {
        try await withScratchDirectory(in: temporaryDirectory) { parent in
            await #expect(processExitsWith: .signal(SIGKILL)) { [parent = parent.string as String] in
                try await withScratchDirectory(in: FilePath(parent)) { directory in
                    try write("left", to: directory.appending("file"))
                    // The guard that made the directory would remove it.
                    for guardian in children() { kill(guardian, SIGKILL) }
                    kill(getpid(), SIGKILL)
                }
            }
            let left = names(in: parent).filter { $0.hasPrefix("headwind-") }.map { parent.appending($0) }
            #expect(left.count == 1)
            try await withScratchDirectory(in: parent) { living in
                try #require(sweepScratchDirectories(in: parent, prefix: "other-").isEmpty)
                try #require(sweepScratchDirectories(in: parent) == left)
                #expect(exists(living))
            }
        }
    }

    @Test(arguments: [
        "mkdir headwind-0000000000000; echo > headwind-0000000000000/file",
        "mkdir headwind-out",
        "mkdir headwind-; mkdir other-0000000000000",
        "echo > headwind-0000000000000",
        "mkdir target; ln -s target headwind-0000000000000",
        "mkdir d; echo > d/.headwind-scratch; ln -s d headwind-0000000000000",
        "mkdir headwind-0000000000000; ln -s /etc/passwd headwind-0000000000000/.headwind-scratch",
    ])
    func sweepsNothingElse(script: String) async throws {
        try await withScratchDirectory(in: temporaryDirectory) { parent in
            try await run(shell(script), in: parent)
            let before = names(in: parent).sorted()
            #expect(try sweepScratchDirectories(in: parent).isEmpty)
            #expect(names(in: parent).sorted() == before && before.count > 1)
        }
    }

    @Test func sweepsAnUnmarkedEmptyFolder() async throws {
        try await withScratchDirectory(in: temporaryDirectory) { parent in
            let path = parent.appending("headwind-0000000000000")
            try #require(path.withPlatformString { mkdir($0, S_IRWXU) } == 0)
            #expect(try sweepScratchDirectories(in: parent) == [path])
            #expect(throws: ScratchError.notSwept(parent: path, .noSuchFileOrDirectory)) {
                try sweepScratchDirectories(in: path)
            }
        }
    }

    private func run(_ command: GuardedCommand, in directory: FilePath) async throws {
        var command = command
        command.directory = directory
        try await #require(runGuarded(command).status == .exited(0))
    }
}
