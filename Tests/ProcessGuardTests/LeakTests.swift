import Glibc
import ProcessGuard
import SystemPackage
import Testing

@Suite(.timeLimit(.minutes(1))) struct LeakTests {
    /// Runs in a process of its own, because other tests open descriptors and start processes too.
    @Test func leavesNeitherDescriptorsNorProcesses() async throws {
        await #expect(processExitsWith: .success) {
            // Descriptors that stay open for the whole process are opened before anything is counted.
            try await useEverything()
            let descriptors = openDescriptors()
            let processes = children()

            // Checks the counters, because one that sees nothing would pass as well.
            let pipe = try FileDescriptor.pipe()
            #expect(openDescriptors().count == descriptors.count + 2)
            try pipe.readEnd.close()
            try pipe.writeEnd.close()
            _ = try await withGuardedProcess(shell("sleep 600")) { process in
                #expect(children() == processes + [process.guardProcessID])
                #expect(openDescriptors().count > descriptors.count)
                process.end()
            }

            for _ in 0..<16 { try await useEverything() }
            #expect(await eventually { openDescriptors() == descriptors })
            #expect(children() == processes)
        }
    }
}

/// Uses every way in and out that has descriptors of its own.
private func useEverything() async throws {
    struct Failure: Error {}
    try await withScratchDirectory(in: temporaryDirectory) { directory in
        var command = shell("echo a; echo b >&2; (sleep 600 &)", directory.string)
        command.scratch = directory
        command.output = .streamed
        command.errors = .streamed
        _ = try await withGuardedProcess(command) { try await all($0.output) }
        command.output = .file(directory.appending("output"))
        command.input = .file("/dev/null")
        try await #require(runGuarded(command).status == .exited(0))
        command.executable = "no-such-program"
        _ = try await runGuarded(command)
        _ = try? await withGuardedProcess(command) { _ in throw Failure() }
        _ = try? await runGuarded(command, guardProgram: "/no/guard")
        command.input = .file("/no/input")
        _ = try? await runGuarded(command)
    }
    _ = try? await withScratchDirectory(in: temporaryDirectory) { _ in throw Failure() }
    let cancelled = Task { try await runGuarded(shell("sleep 600")) }
    cancelled.cancel()
    _ = await cancelled.result
}
