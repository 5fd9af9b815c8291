import Glibc
import ProcessGuard
import Synchronization
import SystemPackage
import Testing

@Suite(.timeLimit(.minutes(1))) struct GuardedProcessTests {
    @Test(arguments: [
        ("exit 0", GuardedExit.Status.exited(0)),
        ("exit 7", .exited(7)),
        ("exit 127", .exited(127)),
        ("exit 255", .exited(255)),
        ("kill -KILL $$", .signaled(SIGKILL)),
        ("kill -TERM $$", .signaled(SIGTERM)),
        ("kill -SEGV $$", .signaled(SIGSEGV)),
    ])
    func reportsHowItEnded(script: String, status: GuardedExit.Status) async throws {
        let exit = try await runGuarded(shell(script))
        #expect(exit.status == status)
        #expect(!exit.timedOut && exit.survivorsEnded == 0 && exit.leftCount == 0 && exit.left.isEmpty)
    }

    @Test(arguments: [
        ("no-such-program", Errno.noSuchFileOrDirectory),
        ("/no/such/program", .noSuchFileOrDirectory),
        ("", .noSuchFileOrDirectory),
        ("/etc/passwd", .permissionDenied),
        ("/etc", .permissionDenied),
    ])
    func distinguishesAMissingProgramFromItsStatus(name: String, error: Errno) async throws {
        let exit = try await runGuarded(GuardedCommand(name, environment: plainEnvironment))
        #expect(exit.status == .notExecuted(error))
    }

    /// If this process has raised its limit of descriptors, guards may still have the lower one.
    @Test func itsDescriptorsHaveSmallNumbers() async throws {
        let others = try (0..<100).map { _ in try FileDescriptor.open("/dev/null", .readOnly, options: .closeOnExec) }
        defer { for other in others { try? other.close() } }
        let numbers = Mutex<[Int32]>([])
        let starter = GuardStarter { request in
            numbers.withLock { $0 = request.descriptors.map(\.number) }
            return try await GuardStarter.here.start(request)
        }
        var command = shell("cat; echo error >&2")
        (command.input, command.output, command.errors) = (.null, .streamed, .streamed)
        let (exit, text) = try await withGuardedProcess(command, by: starter) { guarded in
            let output = try await all(guarded.output)
            return output + (try await all(guarded.errors))
        }
        #expect(exit.status == .exited(0) && text == "error\n")
        #expect(numbers.withLock { $0.count == 5 && $0.allSatisfy { $0 < 10 } && Set($0).count == 5 })
    }

    /// A kill ends the program and all that it started, without a chance to react.
    @Test func aKillGivesNoChanceToReact() async throws {
        var command = shell("trap 'echo asked' TERM; sleep 60 & echo started; wait")
        command.output = .streamed
        let (exit, text) = try await withGuardedProcess(command) { guarded in
            var text = ""
            for try await bytes in guarded.output {
                text += String(decoding: bytes, as: UTF8.self)
                if text == "started\n" { guarded.kill() }
            }
            return text
        }
        #expect(exit.status == .signaled(SIGKILL) && text == "started\n")
        #expect(exit.leftCount == 0 && !exit.timedOut && exit.survivorsEnded == 0)
    }

    @Test func reportsAMissingDirectory() async throws {
        var command = shell("exit 0")
        command.directory = "/no/such/directory"
        #expect(try await runGuarded(command).status == .noDirectory(.noSuchFileOrDirectory))
    }

    @Test func looksForTheProgramInItsOwnPath() async throws {
        try await withScratchDirectory(in: temporaryDirectory) { directory in
            try write("#!/bin/sh\nexit 42\n", to: directory.appending("answer"))
            var command = GuardedCommand("answer", environment: ["PATH": "/nowhere::\(directory)"])
            #expect(try await runGuarded(command).status == .exited(42))
            // An entry that may not be run does not hide a later one.
            command.environment["PATH"] = "/etc:\(directory)"
            command.executable = "passwd"
            #expect(try await runGuarded(command).status == .notExecuted(.permissionDenied))
            try write("#!/bin/sh\nexit 43\n", to: directory.appending("passwd"))
            #expect(try await runGuarded(command).status == .exited(43))
        }
    }

    @Test func hasOnlyWhatItWasGiven() async throws {
        var command = GuardedCommand(
            "/usr/bin/env", environment: ["B": "2=3", "A": "ä\n", "LD_PRELOAD": "", "+PATH": "kept"])
        command.output = .streamed
        let (_, variables) = try await withGuardedProcess(command) { try await all($0.output) }
        #expect(variables == "+PATH=kept\nA=ä\n\nB=2=3\nLD_PRELOAD=\n")

        // Only 0, 1, 2, and the directory that is being listed are open.
        command = GuardedCommand("/bin/ls", arguments: ["/proc/self/fd"], environment: [:])
        command.output = .streamed
        #expect(try await withGuardedProcess(command) { try await all($0.output) }.value == "0\n1\n2\n3\n")

        command = shell("pwd; trap; ps -o pid=,pgid= -p $$ | tr -s ' '; echo \"$@\"", "a b", "*")
        command.directory = "/usr/share"
        command.output = .streamed
        let lines = try await withGuardedProcess(command) { try await all($0.output) }.value.split(separator: "\n")
        #expect(lines.first == "/usr/share" && lines.last == "a b *")
    }

    @Test func startsWithNoSignalBlockedOrIgnored() async throws {
        signal(SIGPIPE, SIG_IGN)
        var command = GuardedCommand("/bin/cat", arguments: ["/proc/self/status"], environment: [:])
        command.output = .streamed
        let text = try await withGuardedProcess(command) { try await all($0.output) }.value
        let masks = text.split(separator: "\n").filter { $0.hasPrefix("SigBlk:") || $0.hasPrefix("SigIgn:") }
        // 32 and 33 are glibc's own: its posix_spawn(3) ignores them, which cannot be changed.
        let own = UInt64(3) << 31
        #expect(masks.count == 2)
        for mask in masks {
            #expect(UInt64(mask.dropFirst(8), radix: 16).map { $0 & ~own } == 0)
        }
    }

    @Test func readsAndWritesFiles() async throws {
        try await withScratchDirectory(in: temporaryDirectory) { directory in
            try write("in\n", to: directory.appending("input"))
            try write("something longer that was there before\n", to: directory.appending("errors"))
            var command = shell("cat; echo bad >&2")
            command.input = .file(directory.appending("input"))
            command.output = .file(directory.appending("output"))
            command.errors = .file(directory.appending("errors"))
            #expect(try await runGuarded(command).status == .exited(0))
            #expect(contents(of: "\(directory)/output") == "in\n")
            #expect(contents(of: "\(directory)/errors") == "bad\n")

            command.input = .file(directory.appending("missing"))
            let missing = GuardError.noFile(path: directory.appending("missing"), .noSuchFileOrDirectory)
            await #expect(throws: missing) { try await runGuarded(command) }
        }
    }

    /// A thread of the lowest policy shares a processor with a usual one.
    ///
    /// It can run all the time, and waits for hundreds of milliseconds at a time.
    @Test func measuresHowLongAThreadWaitedForAProcessor() async throws {
        let waiting = try await runGuarded(
            shell(
                """
                set -e
                first=$(taskset -cp $$); first=${first##* }; first=${first%%[,-]*}
                taskset -cp $first $$ >/dev/null
                timeout 2 sh -c 'while :; do :; done' &
                chrt --idle 0 sh -c 'i=0; while [ $i -lt 100000 ]; do i=$((i + 1)); done' &
                wait
                """))
        #expect(waiting.status == .exited(0))
        #expect(try #require(waiting.longestWait) > .milliseconds(200))

        let sleeping = try await runGuarded(shell("sleep 0.3"))
        #expect(sleeping.longestWait != nil)
    }

    @Test func notesWhenAProcessorIsWanted() async throws {
        let spinning = try await runGuarded(
            shell("sleep 0.5; timeout 1.5 sh -c 'while :; do :; done'; sleep 1; exit 0"))
        let stretches = try #require(spinning.stretches)
        let end = try #require(spinning.endedNanoseconds)
        func wanted(_ from: Double, _ until: Double) -> Double {
            let span = (end + Int64(from * 1e9))...(end + Int64(until * 1e9))
            return stretches.filter { span.overlaps($0.from...$0.until) }
                .map { ($0.ran + $0.waited) / .seconds(1) }.reduce(0, +)
        }
        // It spins from 2.5 s to 1 s before its end, on a busy machine for less, and sleeps after that.
        #expect(wanted(-2.5, -1) > 0.3 && wanted(-0.7, -0.3) == 0, "\(stretches)")
        #expect(stretches.allSatisfy { $0.from < $0.until && $0.until <= end + 1_000_000_000 }, "\(stretches)")

        let sleeping = try await runGuarded(shell("sleep 0.6"))
        #expect(sleeping.stretches != nil)
    }

    @Test func measuresTheCommandAndNotTheHarness() async throws {
        // The harness has 64 MiB that the command has not: they must not be counted.
        let ballast = [UInt8](repeating: 1, count: 64 << 20)
        let small = try await runGuarded(GuardedCommand("true", environment: plainEnvironment))
        #expect(small.maxResidentBytes > 100_000 && small.maxResidentBytes < 16 << 20)
        #expect(small.cpuTime < .seconds(1))

        // dd holds one block of 32 MiB and copies it many times; the shell waits for it.
        let large = try await runGuarded(shell("dd if=/dev/zero of=/dev/null bs=32M count=40 2>/dev/null; exit 0"))
        #expect(large.maxResidentBytes > 32 << 20 && large.maxResidentBytes < 64 << 20)
        #expect(large.cpuTime > small.cpuTime && large.cpuTime == large.userTime + large.systemTime)
        #expect(ballast.count == 64 << 20)
    }

    @Test(arguments: [
        (GuardedCommand("true", arguments: ["a\0b"], environment: [:]), "a\0b"),
        (GuardedCommand("true", environment: ["A": "\0"]), "\0"),
        (GuardedCommand("true", environment: ["A=B": "c"]), "A=B"),
        (GuardedCommand("true", environment: ["": "c"]), ""),
    ])
    func refusesWhatTheKernelWouldCut(command: GuardedCommand, text: String) async throws {
        await #expect(throws: GuardError.notRepresentable(text)) { try await runGuarded(command) }
    }

    @Test func saysWhichGuardIsMissing() async throws {
        let missing = GuardError.noGuard(path: "/no/guard", .noSuchFileOrDirectory)
        await #expect(throws: missing) {
            try await runGuarded(GuardedCommand("true", environment: [:]), guardProgram: "/no/guard")
        }
        #expect("\(missing)".contains("'/no/guard': No such file or directory. It belongs beside the headwind program"))
    }
}

/// The whole content of a stream, as text.
func all(_ output: GuardedOutput) async throws -> String {
    var bytes: [UInt8] = []
    for try await piece in output {
        bytes += piece
    }
    return String(decoding: bytes, as: UTF8.self)
}
