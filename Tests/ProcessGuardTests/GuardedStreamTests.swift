import Glibc
import ProcessGuard
import SystemPackage
import Testing

@Suite(.timeLimit(.minutes(1))) struct GuardedStreamTests {
    @Test(arguments: [
        ("", []),
        ("a", ["a"]),
        ("a\\n", ["a"]),
        ("a\\nb", ["a", "b"]),
        ("\\n\\n", ["", ""]),
        ("a\\r\\n\\303\\244\\377", ["a\r", "ä\u{FFFD}"]),
    ])
    func splitsLines(text: String, lines: [String]) async throws {
        var command = shell("printf \"$1\"", text)
        command.output = .streamed
        let read = try await withGuardedProcess(command) { process in
            var read: [String] = []
            for try await line in process.output.lines { read.append(line) }
            return read
        }.value
        #expect(read == lines)
    }

    @Test(arguments: [(GuardedLines.limit, true), (GuardedLines.limit + 1, false), (3 << 20, false)])
    func boundsALine(length: Int, isRead: Bool) async throws {
        var command = shell("head -c \"$1\" /dev/zero | tr '\\0' x; echo; echo end", "\(length)")
        command.output = .streamed
        func lengths() async throws -> [Int] {
            try await withGuardedProcess(command) { process in
                var lengths: [Int] = []
                for try await line in process.output.lines { lengths.append(line.utf8.count) }
                return lengths
            }.value
        }
        if isRead {
            #expect(try await lengths() == [length, 3])
        } else {
            await #expect(throws: GuardError.lineTooLong(limit: GuardedLines.limit)) { try await lengths() }
        }
    }

    @Test func keepsTheStreamsApartAndReadsThemTogether() async throws {
        // More on each stream than a pipe holds, so that reading one after the other would block.
        var command = shell("head -c 300000 /dev/zero >&2; head -c 400000 /dev/zero; head -c 300000 /dev/zero >&2")
        command.output = .streamed
        command.errors = .streamed
        let counts = try await withGuardedProcess(command) { process in
            async let output = count(process.output)
            async let errors = count(process.errors)
            return try await [output, errors]
        }.value
        #expect(counts == [400_000, 600_000])
    }

    @Test func letsAProgramEndIfItsOutputIsNotRead() async throws {
        var command = shell("head -c 1000000 /dev/zero; exit 5")
        command.output = .streamed
        command.errors = .streamed
        #expect(try await runGuarded(command).status == .exited(5))
    }

    @Test func endsTheStreamWithTheProgramEvenIfADaemonHoldsIt() async throws {
        // A daemon that holds the pipe is ended by the guard; until then the stream is open.
        try await withScratchDirectory(in: temporaryDirectory) { directory in
            var command = shell(stubbornDaemon + "echo done", directory.appending("held").string)
            command.output = .streamed
            let (exit, text) = try await withGuardedProcess(command) { try await all($0.output) }
            #expect(text == "done\n")
            #expect(exit.survivorsEnded == 2)
        }
    }

    @Test func endsTheStreamThatTheProgramClosesWhileItRuns() async throws {
        var command = shell("echo done; exec >&-; exec sleep 600")
        command.grace = .seconds(600)
        command.output = .streamed
        let (exit, text) = try await withGuardedProcess(command) { process in
            let text = try await all(process.output)
            process.end()
            return text
        }
        #expect(text == "done\n" && exit.status == .signaled(SIGTERM))
    }

    @Test func stopsReadingWhenTheTaskIsCancelled() async throws {
        var command = shell("echo first; sleep 600")
        command.output = .streamed
        _ = try await withGuardedProcess(command) { process in
            var iterator = process.output.lines.makeAsyncIterator()
            try await #require(iterator.next() == "first")
            let reading = Task { [output = process.output] in try await all(output) }
            reading.cancel()
            await #expect(throws: CancellationError.self) { try await reading.value }
            process.end()
        }
    }

    private func count(_ output: GuardedOutput) async throws -> Int {
        var count = 0
        for try await piece in output { count += piece.count }
        return count
    }
}
