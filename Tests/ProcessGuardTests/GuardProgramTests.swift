import Glibc
import ProcessGuard
import SystemPackage
import Testing

/// The guard's own command line, with a shell that acts as the harness; `$1` is the guard.
///
/// The lifeline is a named pipe, `$2`: opened in both directions, it never ends.
@Suite(.timeLimit(.minutes(1))) struct GuardProgramTests {
    @Test(arguments: [
        ("true", "usage: headwind-guard --lifeline FD"),
        ("--lifeline 0", "--lifeline is '0', not a number from 3"),
        ("--lifeline x true", "--lifeline is 'x', not a number from 3"),
        ("--lifeline 77 true", "--lifeline 77: no descriptor of this number was passed on"),
        ("--lifeline 3 --grace -1 true", "--grace is '-1', not a number from 0 to 600000"),
        ("--lifeline 3 --unknown true", "unrecognized option '--unknown'"),
        ("--lifeline 3", "usage: headwind-guard"),
        ("--lifeline 3 --scratch /nowhere true", "--scratch '/nowhere' is no directory of this user"),
        ("--lifeline 3 --scratch /etc true", "with a file '.headwind-scratch' in it: Operation not permitted"),
        ("--lifeline 3 --scratch /etc/passwd true", "Not a directory"),
        ("--lifeline 3 --keep scratch true", "usage: headwind-guard"),
    ])
    func refusesAWrongCommandLine(arguments: String, message: String) async throws {
        let (status, text) = try await run("\"$1\" \(arguments) 3<>\"$2\" 2>&1")
        #expect(status == .exited(125))
        #expect(text.contains(message))
    }

    @Test(arguments: [
        ("sh -c 'exit 9'", 9, #""outcome":"exited","code":9"#),
        ("sh -c 'kill -9 $$'", 137, #""outcome":"signaled","code":9"#),
        ("no-such-program", 127, #""outcome":"not-executed","code":2"#),
        ("/etc", 126, #""outcome":"not-executed","code":13"#),
        ("--directory /nowhere true", 126, #""outcome":"no-directory","code":2"#),
    ])
    func mirrorsTheStatusAndReportsOneLine(command: String, status: Int32, part: String) async throws {
        let line = command.hasPrefix("--") ? command : "-- " + command
        let (exit, text) = try await run("\"$1\" --lifeline 3 --report 4 \(line) 3<>\"$2\" 4>&1")
        #expect(exit == .exited(status))
        #expect(text.hasPrefix(#"{"v":1,"cause":"command","#) && text.hasSuffix(#""left_named":[]}"# + "\n"))
        #expect(text.contains(part) && text.filter(\.isNewline).count == 1)
    }

    @Test func startsNothingWhenTheHarnessIsDeadAlready() async throws {
        let (status, text) = try await run("\"$1\" --lifeline 3 -- echo started 3</dev/null")
        #expect(status == .exited(125) && text.isEmpty)
    }

    /// Files behind a mount point are not the harness's, and must not be removed.
    ///
    /// The test runs in namespaces of its own, so that the mount exists nowhere else.
    @Test func removesNothingBehindAMountPoint() async throws {
        let (status, text) = try await run(
            """
            # Root needs no user namespace, which a chrooted process could not have.
            test $(id -u) = 0 || as="--user --map-root-user"
            exec unshare $as --mount sh -ec '
                mkfifo report; "$1" --lifeline 3 --report 4 --keep scratch 3<"$2" 4>report 2>&1 &
                exec 5>"$2"; read -r line <report; echo "$line"
                mkdir -p kept scratch/mount scratch/plain/deep
                echo > kept/file; echo > scratch/plain/deep/file
                mount --bind kept scratch/mount
                exec 5>&-
                wait; find kept scratch | sort' sh "$1" "$2"
            """)
        #expect(status == .exited(0))
        let lines = text.split(separator: "\n")
        #expect(lines.first == #"{"v":1,"outcome":"kept","code":0}"#)
        #expect(lines.dropFirst().first?.hasPrefix("headwind-guard: could not remove '") == true)
        #expect(
            lines.dropFirst(2) == [
                "kept", "kept/file", "scratch", "scratch/.headwind-scratch", "scratch/mount", "scratch/mount/file",
            ])
    }

    @Test(arguments: [
        ("made", "true", #"{"v":1,"outcome":"kept","code":0}"#),
        ("there/already", "mkdir -p there/already", #"{"v":1,"outcome":"failed","code":17}"#),
        ("no/where", "true", #"{"v":1,"outcome":"failed","code":2}"#),
    ])
    func reportsWhetherItCouldMakeTheDirectory(path: String, before: String, report: String) async throws {
        // The lifeline has ended from the start.
        let script = "\(before); \"$1\" --lifeline 3 --report 4 --keep \(path) 3</dev/null 4>&1; ls -R made there 2>&-"
        let (_, text) = try await run(script)
        #expect(text.split(separator: "\n").first.map(String.init) == report)
        #expect(text.contains("already") == path.hasPrefix("there") && !text.contains("made"))
    }

    private func run(_ script: String) async throws -> (GuardedExit.Status, String) {
        try await withScratchDirectory(in: temporaryDirectory) { directory in
            let lifeline = directory.appending("lifeline")
            try #require(lifeline.withPlatformString { mkfifo($0, S_IRUSR | S_IWUSR) } == 0)
            var command = shell(script, try GuardLocation.besideThisProgram().string, lifeline.string)
            command.directory = directory
            command.output = .streamed
            let (exit, text) = try await withGuardedProcess(command) { try await all($0.output) }
            return (exit.status, text)
        }
    }
}
