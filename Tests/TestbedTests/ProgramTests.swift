import CTestbed
import Glibc
import SandboxMessages
import SystemPackage
import Testbed
import Testing

extension TestbedTests {
    @Suite struct ProgramTests {
        @Test(arguments: User.allCases)
        func haveNoPrivileges(user: User) async throws {
            let answer = try await script(
                "grep -E '^(Cap|NoNewPrivs)' /proc/self/status; unshare -n true 2> /dev/null || echo no namespace; "
                    + "mount -t tmpfs x /mnt 2> /dev/null || echo no mount; ip link set link0 down 2> /dev/null || echo no link",
                as: user)
            for name in ["CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb"] {
                #expect(answer.lines.contains("\(name):\t0000000000000000"))
            }
            #expect(answer.lines.contains("NoNewPrivs:\t1"))
            #expect(answer.lines.suffix(3) == ["no namespace", "no mount", "no link"])
        }

        @Test(arguments: User.allCases)
        func haveTheCallersUserAndFolder(user: User) async throws {
            let answer = try await script("id -u; id -g; pwd; cat /proc/self/uid_map", as: user)
            let directory = FilePath("/proc/self/cwd").string
            let outside = target(of: directory) ?? ""
            let id = user == .root ? "0" : "65534"
            #expect(answer.lines.prefix(3) == [id, id, outside])
            try #require(answer.lines.count == 4)
            let map = answer.lines[3].split(separator: " ")
            #expect(map == (user == .root ? ["0", "0", "4294967295"] : ["65534", "65534", "1"]))
        }

        /// Ctrl-C on a terminal must reach the harness before any client.
        @Test func haveAGroupAndNoTerminal() async throws {
            try await withSandbox { sandbox in
                let text = try await output(of: "cut -d ' ' -f 1,5,6,7 /proc/$$/stat", in: sandbox)
                let fields = text.split(whereSeparator: \.isWhitespace)
                // Process, group, session, terminal. The session is the harness's, and so has no number in the sandbox.
                #expect(fields.count == 4 && fields[0] == fields[1] && fields[2] == "0" && fields[3] == "0")
            }
        }

        @Test func getExactlyTheGivenDescriptors() async throws {
            try await withSandbox { sandbox in
                let pipe = try FileDescriptor.pipe()
                defer { try? pipe.readEnd.close() }
                let given = try FileDescriptor.open("/etc/hostname", .readOnly)
                defer { try? given.close() }
                var command = shell("env; pwd; echo \"$0-$1\"; ls -l /proc/self/fd; cat <&7")
                command.arguments += ["zero", "o n e"]
                command.environment["A"] = "b=c"
                command.directory = "/usr"
                // Numbers that collide with the sandbox's own descriptors.
                command.descriptors = [(pipe.writeEnd, 1), (given, 3), (given, 7)]
                let process = try await sandbox.spawn(command)
                try pipe.writeEnd.close()
                let lines = try all(pipe.readEnd).split(separator: "\n").map(String.init)
                #expect(try await process.wait().status == .exited(0))
                #expect(lines.contains("A=b=c") && lines.contains("/usr") && lines.contains("zero-o n e"))
                #expect(!lines.contains { $0.hasPrefix("HOME=") || $0.hasPrefix("HEADWIND") })
                let descriptors = lines.filter { $0.contains(" -> ") }.compactMap {
                    $0.split(separator: " ").dropLast(2).last
                }
                // The last one is the directory that ls reads.
                #expect(descriptors == ["0", "1", "2", "3", "4", "7"])
                #expect(lines.last.map { $0 + "\n" } == contents(of: "/etc/hostname"))
            }
        }

        @Test(arguments: [
            (["no-such-program"], "", SandboxStage.execute, Errno.noSuchFileOrDirectory),
            (["/etc/passwd"], "", .execute, .permissionDenied),
            (["/usr"], "", .execute, .permissionDenied),
            (["true"], "/no/such/directory", .directory, .noSuchFileOrDirectory),
            (["true"], "/etc/hostname", .directory, .notDirectory),
        ])
        func sayWhyTheyCannotBeStarted(
            arguments: [String], directory: String, stage: SandboxStage, error: Errno
        ) async throws {
            try await withSandbox { sandbox in
                var command = shell("")
                command.arguments = arguments
                command.directory = directory.isEmpty ? nil : FilePath(directory)
                await #expect(throws: SandboxError.notStarted(command: arguments[0], stage, error)) {
                    try await sandbox.spawn(command)
                }
                // The sandbox works as before.
                let status = try await sandbox.spawn(shell("exit 3")).wait().status
                #expect(status == .exited(3))
            }
        }

        @Test func refusesTextsThatTheKernelWouldTruncate() async throws {
            try await withSandbox { sandbox in
                let commands = [
                    SandboxCommand([], environment: [:]), SandboxCommand(["a\0b"], environment: [:]),
                    SandboxCommand(["true"], environment: ["A=B": "c"]),
                    SandboxCommand(["true"], environment: ["": "c"]),
                    SandboxCommand(["true"], environment: ["A": "b\0c"]),
                ]
                for command in commands {
                    await #expect(throws: SandboxError.self) { try await sandbox.spawn(command) }
                }
            }
        }

        @Test func reportTheirExit() async throws {
            try await withSandbox { sandbox in
                #expect(try await sandbox.spawn(shell("exit 42")).wait().status == .exited(42))
                #expect(try await sandbox.spawn(shell("kill -SEGV $$")).wait().status == .signaled(SIGSEGV))
                let sleeper = try await sandbox.spawn(shell("exec sleep 600"))
                let number = try #require(sleeper.processID)
                #expect(["sh\n", "sleep\n"].contains(contents(of: "/proc/\(number)/comm")))
                sleeper.signal(SIGTERM)
                let exit = try await sleeper.wait()
                #expect(exit.status == .signaled(SIGTERM))
                #expect(try await sleeper.wait() == exit)
                #expect(sleeper.processID == nil)
                sleeper.signal(SIGKILL)
                var now = timespec()
                clock_gettime(CLOCK_MONOTONIC, &now)
                let nanoseconds = Int64(now.tv_sec) * 1_000_000_000 + Int64(now.tv_nsec)
                #expect((nanoseconds - 5_000_000_000...nanoseconds).contains(exit.endedNanoseconds))
            }
        }

        @Test func mayBeManyAtOnce() async throws {
            try await withSandbox { sandbox in
                let statuses = try await withThrowingTaskGroup(of: SandboxExit.Status.self) { group in
                    for number in 0..<40 {
                        group.addTask { try await sandbox.spawn(shell("exit \(number)")).wait().status }
                    }
                    return try await group.reduce(into: []) { $0.append($1) }
                }
                #expect(
                    Set(statuses.map { "\($0)" }) == Set((0..<Int32(40)).map { "\(SandboxExit.Status.exited($0))" }))
            }
        }

        /// The process guard works inside a sandbox as outside: its lifeline and its report pass.
        @Test func mayHaveAGuard() async throws {
            try await withSandbox { sandbox in
                let lifeline = try FileDescriptor.pipe(), report = try FileDescriptor.pipe()
                defer { for end in [lifeline.writeEnd, report.readEnd] { try? end.close() } }
                var command = shell("")
                command.arguments = [
                    program("headwind-guard").string, "--lifeline", "3", "--report", "4", "--grace", "50", "--", "sh",
                    "-c",
                    "trap '' TERM; sleep 600 & wait; wait",
                ]
                command.descriptors = [
                    (lifeline.readEnd, 3), (report.writeEnd, 4), (.standardError, 2),
                ]
                command.blocksSignals = true
                let process = try await sandbox.spawn(command)
                for end in [lifeline.readEnd, report.writeEnd] { try end.close() }
                process.signal(SIGTERM)
                let line = try all(report.readEnd)
                #expect(line.contains(#""cause":"signal""#) && line.contains(#""left":0"#))
                let status = try await process.wait().status
                #expect([.exited(128 + SIGTERM), .exited(128 + SIGKILL)].contains(status))
            }
        }

        /// A cancelled wait does not end the program.
        @Test func areNotEndedByAWaitThatIsCancelled() async throws {
            try await withSandbox { sandbox in
                let process = try await sandbox.spawn(shell("exec sleep 600"))
                let wait = Task { try await process.wait() }
                wait.cancel()
                await #expect(throws: CancellationError.self) { try await wait.value }
                process.signal(SIGKILL)
                #expect(try await process.wait().status == .signaled(SIGKILL))
            }
        }

        @Test func haveATerminalIfTheyAreGivenOne() async throws {
            try await withSandbox { sandbox in
                var ends: [CInt] = [-1, -1]
                try #require(testbed_open_terminal(&ends) == 0)
                defer { close(ends[0]) }
                var command = shell(
                    "read line < /dev/tty; trap 'echo interrupted $line; exit 5' INT; echo ready; read never")
                command.descriptors = (0..<3).map { (FileDescriptor(rawValue: ends[1]), $0) }
                command.terminal = 0
                let process = try await sandbox.spawn(command)
                close(ends[1])
                let file = FileDescriptor(rawValue: ends[0])
                try file.writeAll("words\n".utf8)
                try read(file, until: "ready")
                // Ctrl-C.
                try file.writeAll([3])
                try read(file, until: "interrupted words")
                #expect(try await process.wait().status == .exited(5))
            }
        }
    }
}

/// Reads until a terminal shows a text, or until the test's time limit.
private func read(_ terminal: FileDescriptor, until text: String) throws {
    var seen = ""
    var byte: [UInt8] = [0]
    while !seen.contains(text) {
        _ = try byte.withUnsafeMutableBytes { try terminal.read(into: $0) }
        seen.unicodeScalars.append(Unicode.Scalar(byte[0]))
    }
}
