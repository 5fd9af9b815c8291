import CellMessages
import Glibc
import Testbed
import Testing

extension TestbedTests {
    /// Every way out of a cell; nothing of it is left on return.
    @Suite struct ScopeTests {
        private struct Failure: Error {}

        @Test func endsWhenItsUserReturns() async throws {
            let (namespaces, up) = try await withCell { cell in
                _ = try await cell.spawn(shell(stubbornDaemon))
                let namespaces = try await Namespaces(of: cell)
                return (namespaces, namespaces.inhabitants)
            }
            // What is looked for can be seen.
            #expect(namespaces.names.count == 8)
            #expect(Set(["headwind-init", "headwind-cell", "sh"]).isSubset(of: up.values))
            #expect(namespaces.inhabitants.isEmpty)
        }

        @Test func endsWhenItsUserFails() async throws {
            var namespaces: Namespaces?
            await #expect(throws: Failure.self) {
                try await withCell { cell in
                    _ = try await cell.spawn(shell(stubbornDaemon))
                    namespaces = try await Namespaces(of: cell)
                    throw Failure()
                }
            }
            #expect(namespaces?.inhabitants.isEmpty == true)
        }

        @Test func endsWhenItsTaskIsCancelled() async throws {
            let (stream, continuation) = AsyncStream.makeStream(of: Namespaces.self)
            let task = Task {
                try await withCell { cell in
                    let process = try await cell.spawn(shell(stubbornDaemon + "exec sleep 600"))
                    continuation.yield(try await Namespaces(of: cell))
                    _ = try await process.wait()
                }
            }
            var namespaces: Namespaces?
            for await cell in stream {
                namespaces = cell
                task.cancel()
                break
            }
            await #expect(throws: CancellationError.self) { try await task.value }
            #expect(namespaces?.inhabitants.isEmpty == true)
            // One that is cancelled before it has begun.
            let early = Task { try await withCell { _ in } }
            early.cancel()
            await #expect(throws: CancellationError.self) { try await early.value }
        }

        /// A user that looks away learns it at the end at the latest, and one that waits at once.
        @Test(arguments: [
            ("headwind-init", "signal 9 ended its first process"), ("headwind-cell", "signal 9 ended its program"),
        ])
        func saysThatItHasDied(victim: String, words: String) async throws {
            for isWaiting in [false, true] {
                var namespaces: Namespaces?
                let use = {
                    try await withCell { cell in
                        let process = try await cell.spawn(shell(stubbornDaemon + "exec sleep 600"))
                        let known = try await Namespaces(of: cell)
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
                let error = await #expect(throws: CellError.self) { try await use() }
                #expect(error?.description.contains(words) == true)
                #expect(namespaces?.inhabitants.isEmpty == true)
            }
        }

        /// What is asked of one that has died is refused at once, and not waited for.
        @Test func refusesRequestsWhenItHasDied() async throws {
            let use = {
                try await withCell { cell in
                    let namespaces = try await Namespaces(of: cell)
                    let number = try #require(namespaces.inhabitants.first { $0.value == "headwind-cell" }?.key)
                    try #require(kill(number, SIGKILL) == 0)
                    await #expect(throws: CellError.self) { while true { _ = try await cell.spawn(shell("true")) } }
                    await #expect(throws: CellError.self) { try await cell.listen(on: .host) }
                }
            }
            await #expect(throws: CellError.self) { try await use() }
        }

        /// Its files are there as long as its user is.
        @Test func keepsItsFilesUntilItsUserReturns() async throws {
            let use = {
                try await withCell { cell in
                    _ = try await cell.spawn(shell("echo kept > \(cell.scratch.inside)/file")).wait()
                    let namespaces = try await Namespaces(of: cell)
                    for process in namespaces.inhabitants.keys { kill(process, SIGKILL) }
                    #expect(await eventually { namespaces.inhabitants.isEmpty })
                    #expect(contents(of: cell.scratch.outside.appending("file").string) == "kept\n")
                }
            }
            await #expect(throws: CellError.self) { try await use() }
        }

        @Test func doesNotMindOthersBesideIt() async throws {
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<12 {
                    group.addTask {
                        try await withCell { cell in
                            let listener = try await cell.listen(on: .host, port: 8080)
                            let status = try await cell.spawn(shell("exit \(number)")).wait().status
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

/// Starts a process that has forked twice, has a session of its own and minds no signal; goes on when it does.
let stubbornDaemon =
    "(setsid sh -c 'trap \"\" TERM HUP INT; echo; while :; do sleep 600; done' | read up &) ; sleep 0; "
