import Glibc
import ProcessGuard
import SystemPackage
import Testing

@Suite(.timeLimit(.minutes(1))) struct GuardedTreeTests {
    /// Processes that outlive the command, and their number.
    @Test(arguments: [
        ("a child", "sleep 600 &", 1),
        ("an orphan", "(sleep 600 &)", 1),
        ("a session of its own", "setsid -f sleep 600", 1),
        ("one that ignores SIGTERM", "(trap '' TERM; sleep 600 &)", 1),
        ("a daemon that holds a file", stubbornDaemon, 2),
        ("one that is stopped", "(sh -c 'kill -STOP $$' &)", 1),
        ("parents that ended in their turn", "(((((sleep 600 &) &) &) &) &)", 1),
        ("forty", "for i in 0 1 2 3; do for j in 0 1 2 3 4 5 6 7 8 9; do (sleep 600 &); done; done", 40),
    ])
    func endsWhatOutlivesTheCommand(name: String, script: String, survivors: Int) async throws {
        let token = Token()
        try await withScratchDirectory(in: temporaryDirectory) { directory in
            let command = shell(
                script + "\nexit 3", directory.appending("held").string, environment: token.environment)
            let exit = try await runGuarded(command)
            #expect(exit.status == .exited(3))
            #expect(exit.survivorsEnded == survivors)
            #expect(exit.leftCount == 0)
            #expect(token.processes().isEmpty)
        }
    }

    /// In a process namespace the kernel ends what is left, even if nothing else can.
    @Test(arguments: [false, true], [false, true])
    func endsAProgramThatForksForever(isAlone: Bool, isInSession: Bool) async throws {
        let token = Token()
        // Each one ignores SIGTERM, starts the next and ends at once, so it can hardly be caught.
        let script = """
            exec python3 -c '
            import os, signal, sys
            signal.signal(signal.SIGTERM, signal.SIG_IGN)
            if os.fork(): sys.exit()
            \(isInSession ? "os.setsid()" : "pass")
            for _ in range(200000):
                if os.fork(): os._exit(0)'
            """
        var command = shell(script, environment: token.environment)
        command.wantsNamespace = isAlone
        let exit = try await runGuarded(command)
        #expect(exit.status == .exited(0) && exit.leftCount == 0)
        #expect(token.processes().isEmpty)
    }

    /// Root can have a process namespace without a user namespace; a user who can have neither runs without.
    @Test func aNamespaceEndsWithItsGuards() async throws {
        let token = Token()
        var command = shell("echo $$; (trap '' TERM; sleep 600 &); exit 3", environment: token.environment)
        command.output = .streamed
        command.wantsNamespace = true
        let (exit, text) = try await withGuardedProcess(command) { try await all($0.output) }
        #expect(exit.status == .exited(3) && exit.survivorsEnded == 1)
        #expect(exit.hadNamespace == (text == "2\n"))
    }

    @Test(.enabled(if: getuid() == 0, "needs root")) func aNamespaceEndsWhenItsGuardsAreKilled() async throws {
        let token = Token()
        var command = shell("echo up; (trap '' TERM; sleep 600 &); sleep 600; true", environment: token.environment)
        command.output = .streamed
        command.wantsNamespace = true
        _ = try? await withGuardedProcess(command) { process in
            var iterator = process.output.lines.makeAsyncIterator()
            try await #require(iterator.next() == "up")
            let inner = children(of: process.guardProcessID)
            for number in inner + [process.guardProcessID] { kill(number, SIGKILL) }
        }
        #expect(await eventually { token.processes().isEmpty })
    }

    @Test func endsAProcessWhoseFirstThreadHasEnded() async throws {
        // A process whose first thread has ended looks to ps(1) as if it had ended.
        let token = Token()
        let script = """
            python3 -c '
            import ctypes, threading, time
            threading.Thread(target=lambda: time.sleep(600)).start()
            ctypes.CDLL(None).pthread_exit(None)' &
            while ! grep -q "^State:.Z" /proc/$!/status; do :; done
            """
        let exit = try await runGuarded(shell(script, environment: token.environment))
        #expect(exit.status == .exited(0) && exit.survivorsEnded == 1)
        #expect(token.processes().isEmpty)
    }

    /// A stopped process gets SIGTERM as well as a running one.
    @Test(arguments: [false, true]) func leavesTimeForAPoliteEnd(isStopped: Bool) async throws {
        try await withScratchDirectory(in: temporaryDirectory) { directory in
            let ready = directory.appending("ready")
            let done = directory.appending("done")
            var command = shell(
                """
                sh -c 'trap "echo > $2; exit" TERM; echo > $1; while :; do sleep 0.01; done' sh "$1" "$2" &
                while ! [ -s "$1" ]; do :; done
                \(isStopped ? "kill -STOP $!" : "")
                """, ready.string, done.string)
            command.grace = .seconds(600)
            let exit = try await runGuarded(command)
            #expect(exists(done) && exit.survivorsEnded >= 1)
        }
    }

    /// The rest of a pipeline ends by itself, a little after its last command: it is no survivor.
    @Test func doesNotCountProcessesThatEndByThemselves() async throws {
        try await withScratchDirectory(in: temporaryDirectory) { directory in
            // They end when the shell has ended, which closes its end of the pipe.
            let script = """
                mkfifo "$1"; exec 9<>"$1" 8<"$1" 7>"$1" 9>&-
                for i in 0 1 2 3 4 5 6 7; do cat <&8 7>&- & done
                exit 0
                """
            let exit = try await runGuarded(shell(script, directory.appending("pipe").string))
            #expect(exit.status == .exited(0) && exit.survivorsEnded == 0)
        }
    }

    @Test func reportsWhenTheProgramItselfEnded() async throws {
        var command = shell("(trap '' TERM; sleep 600 &); exit 0")
        command.grace = .milliseconds(1500)
        let before = monotonicNow
        let exit = try await runGuarded(command)
        let after = monotonicNow
        let ended = try #require(exit.endedNanoseconds)
        #expect(exit.survivorsEnded == 1)
        // The whole grace passes after it.
        #expect(ended > before && after - ended >= 1_500_000_000)
    }

    /// CLOCK_MONOTONIC nanoseconds.
    private var monotonicNow: Int64 {
        var now = timespec()
        clock_gettime(CLOCK_MONOTONIC, &now)
        return Int64(now.tv_sec) * 1_000_000_000 + Int64(now.tv_nsec)
    }

    @Test func endsNoOtherProcess() async throws {
        // A process of this user that is not a descendant of the guard, in the session and group of the tests.
        let token = Token()
        var bystander = shell("echo up; exec sleep 600", environment: token.environment)
        bystander.output = .streamed
        _ = try await withGuardedProcess(bystander) { process in
            var iterator = process.output.lines.makeAsyncIterator()
            try await #require(iterator.next() == "up")
            let exit = try await runGuarded(shell("(trap '' TERM; sleep 600 &); exit 0"))
            #expect(exit.survivorsEnded == 1)
            // Two guards, and the program.
            #expect(token.processes().count == 3)
            process.end()
        }
    }

    /// A client may join each process group of its session, which is the harness's.
    @Test func keepsAGroupThatAProcessHasJoined() async throws {
        var bystander = shell("echo $$; exec sleep 600")
        bystander.output = .streamed
        _ = try await withGuardedProcess(bystander) { process in
            var iterator = process.output.lines.makeAsyncIterator()
            let group = try #require(await iterator.next())
            let join = "import os, time; os.setpgid(0, \(group)); open(os.environ['F'], 'w').close(); time.sleep(600)"
            let exit = try await runGuarded(
                shell(
                    """
                    export F=$(mktemp -u); mkfifo $F; trap '' TERM
                    python3 -c "\(join)" & read line < $F; rm $F; exit 0
                    """))
            #expect(exit.survivorsEnded == 1)
            #expect(kill(pid_t(group) ?? -1, 0) == 0)
            process.end()
        }
    }
}
