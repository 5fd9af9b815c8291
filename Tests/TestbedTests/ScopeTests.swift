import Glibc
import SandboxMessages
import Testbed
import Testing

extension TestbedTests {
    /// A sandbox leaves nothing, whichever way its scope ends.
    @Suite struct ScopeTests {
        private struct Failure: Error {}

        @Test func endsWhenItsUserReturns() async throws {
            let (namespaces, up) = try await withSandbox { sandbox in
                _ = try await sandbox.spawn(shell(stubbornDaemon))
                let namespaces = try await Namespaces(of: sandbox)
                return (namespaces, namespaces.inhabitants)
            }
            // While it is up, the sandbox's namespaces and processes can be seen.
            #expect(namespaces.names.count == 8)
            #expect(Set(["headwind-init", "headwind-sandbo", "sh"]).isSubset(of: up.values))
            #expect(namespaces.inhabitants.isEmpty)
        }

        @Test func endsWhenItsUserFails() async throws {
            var namespaces: Namespaces?
            await #expect(throws: Failure.self) {
                try await withSandbox { sandbox in
                    _ = try await sandbox.spawn(shell(stubbornDaemon))
                    namespaces = try await Namespaces(of: sandbox)
                    throw Failure()
                }
            }
            #expect(namespaces?.inhabitants.isEmpty == true)
        }

        @Test func endsWhenItsTaskIsCancelled() async throws {
            let (stream, continuation) = AsyncStream.makeStream(of: Namespaces.self)
            let task = Task {
                try await withSandbox { sandbox in
                    let process = try await sandbox.spawn(shell(stubbornDaemon + "exec sleep 600"))
                    continuation.yield(try await Namespaces(of: sandbox))
                    _ = try await process.wait()
                }
            }
            var namespaces: Namespaces?
            for await sandbox in stream {
                namespaces = sandbox
                task.cancel()
                break
            }
            await #expect(throws: CancellationError.self) { try await task.value }
            #expect(namespaces?.inhabitants.isEmpty == true)
            // A task that is cancelled before it has begun.
            let early = Task { try await withSandbox { _ in } }
            early.cancel()
            await #expect(throws: CancellationError.self) { try await early.value }
        }

        /// A user that does not wait learns of the death at the end at the latest; a user that waits, at once.
        @Test(arguments: [
            ("headwind-init", "signal 9 ended its first process"), ("headwind-sandbo", "signal 9 ended its program"),
        ])
        func reportsItsDeath(victim: String, words: String) async throws {
            for isWaiting in [false, true] {
                var namespaces: Namespaces?
                let use = {
                    try await withSandbox { sandbox in
                        let process = try await sandbox.spawn(shell(stubbornDaemon + "exec sleep 600"))
                        let known = try await Namespaces(of: sandbox)
                        namespaces = known
                        let number = try #require(known.inhabitants.first { $0.value == victim }?.key)
                        try #require(kill(number, SIGKILL) == 0)
                        if isWaiting {
                            _ = try await process.wait()
                            Issue.record("the wait has ended well")
                        }
                        #expect(await eventually { known.inhabitants.isEmpty })
                    }
                }
                let error = await #expect(throws: SandboxError.self) { try await use() }
                #expect(error?.description.contains(words) == true)
                #expect(namespaces?.inhabitants.isEmpty == true)
            }
        }

        /// Requests to a dead sandbox are refused at once.
        @Test func refusesRequestsWhenItHasDied() async throws {
            let use = {
                try await withSandbox { sandbox in
                    let namespaces = try await Namespaces(of: sandbox)
                    let number = try #require(namespaces.inhabitants.first { $0.value == "headwind-sandbo" }?.key)
                    try #require(kill(number, SIGKILL) == 0)
                    await #expect(throws: SandboxError.self) {
                        while true { _ = try await sandbox.spawn(shell("true")) }
                    }
                    await #expect(throws: SandboxError.self) { try await sandbox.listen(on: .host) }
                }
            }
            await #expect(throws: SandboxError.self) { try await use() }
        }

        /// The sandbox's files exist as long as its user runs, even after its death.
        @Test func keepsItsFilesUntilItsUserReturns() async throws {
            let use = {
                try await withSandbox { sandbox in
                    _ = try await sandbox.spawn(shell("echo kept > \(sandbox.scratch.inside)/file")).wait()
                    let namespaces = try await Namespaces(of: sandbox)
                    for process in namespaces.inhabitants.keys { kill(process, SIGKILL) }
                    #expect(await eventually { namespaces.inhabitants.isEmpty })
                    #expect(contents(of: sandbox.scratch.outside.appending("file").string) == "kept\n")
                }
            }
            await #expect(throws: SandboxError.self) { try await use() }
        }

        @Test func worksBesideOtherSandboxes() async throws {
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<12 {
                    group.addTask {
                        try await withSandbox { sandbox in
                            let listener = try await sandbox.listen(on: .host, port: 8080)
                            let status = try await sandbox.spawn(shell("exit \(number)")).wait().status
                            #expect(status == .exited(Int32(number)))
                            close(listener.descriptor.rawValue)
                        }
                    }
                }
                try await group.waitForAll()
            }
        }
    }
}

/// Starts a daemon: forked twice, with its own session, ignoring signals.
///
/// Continues once it runs.
let stubbornDaemon =
    "(setsid sh -c 'trap \"\" TERM HUP INT; echo; while :; do sleep 600; done' | read up &) ; sleep 0; "
