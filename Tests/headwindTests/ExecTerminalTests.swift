import Glibc
import SystemPackage
import Testing

@testable import Execution

/// `headwind exec` at a terminal: the test types into a pseudo-terminal, and reads from it.
@Suite(.serialized, .timeLimit(.minutes(2))) struct ExecTerminalTests {
    /// A person at a terminal.
    private final class Person {
        let terminal: PseudoTerminal
        private(set) var seen = ""

        init() throws {
            terminal = try PseudoTerminal(like: .standardInput)
            resize(rows: 33, columns: 101)
        }

        func resize(rows: UInt16, columns: UInt16) {
            var size = winsize(ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
            _ = ioctl(terminal.controller.rawValue, UInt(TIOCSWINSZ), &size)
        }

        func type(_ text: String) throws { try terminal.controller.writeAll(text.utf8) }

        /// Reads until `text` has been shown.
        func see(_ text: String) async throws {
            for _ in 0..<2000 {
                var bytes = [UInt8](repeating: 0, count: 4096)
                if let count = try? bytes.withUnsafeMutableBytes({ try terminal.controller.read(into: $0) }) {
                    seen += String(decoding: bytes[..<count], as: UTF8.self)
                }
                if seen.contains(text) { return }
                try await Task.sleep(for: .milliseconds(5))
            }
            throw NotShown(text: text, seen: seen)
        }

        private struct NotShown: Error {
            let text, seen: String
        }

        var settings: [UInt32] {
            var settings = termios()
            tcgetattr(terminal.terminal.rawValue, &settings)
            return [settings.c_iflag, settings.c_oflag, settings.c_lflag, settings.c_cflag]
        }
    }

    /// Runs the line by a shell in a session of its own, with the terminal as controlling terminal.
    private func start(
        _ command: String, _ run: ExecRun, _ person: Person, options: String = ""
    ) throws -> ShellProcess {
        let name = "/proc/\(getpid())/fd/\(person.terminal.terminal.rawValue)"
        return try run.start(
            "exec setsid --ctty --wait sh -c 'trap : INT; $HW exec --profile lte \(options) -- \(command); "
                + "echo status $?; stty -a | grep -c -- -icanon' < $(readlink \(name)) > $(readlink \(name)) 2>&1")
    }

    @Test func keysSizeAndInterruptsReachTheProgram() async throws {
        let run = try ExecRun()
        defer { run.remove() }
        let person = try Person()
        let before = person.settings
        let process = try start(
            "sh -c \"trap \\\"echo got INT\\\" INT; trap \\\"stty size\\\" WINCH; stty size; tty; echo ready; read word; "
                + "echo said \\$word; while :; do sleep 0.02; done; exit 6\"", run, person)
        try await person.see("ready")
        #expect(person.seen.contains("33 101\r\n/dev/pts/"))
        try person.type("hello\r")
        try await person.see("said hello")
        #expect(person.settings != before)
        person.resize(rows: 44, columns: 55)
        try await person.see("44 55")
        try person.type("\u{3}")
        try await person.see("got INT")
        try person.type("\u{1c}")
        try await person.see("status 131")
        _ = await process.wait()
        #expect(person.settings == before)
        person.terminal.close()
    }

    @Test func aShellHasJobControl() async throws {
        let run = try ExecRun()
        defer { run.remove() }
        let person = try Person()
        let before = person.settings
        let process = try start("bash --norc -i", run, person)
        try await person.see("bash-")
        #expect(!person.seen.contains("job control"), "\(person.seen)")
        try person.type("sleep 1000\r")
        try await person.see("sleep 1000")
        // The shell hands the terminal to the job before the job runs.
        try await Task.sleep(for: .milliseconds(300))
        try person.type("\u{1a}")
        try await person.see("Stopped")
        try person.type("kill %1; fg; exit 9\r")
        try await person.see("status 9")
        _ = await process.wait()
        #expect(person.settings == before)
        person.terminal.close()
    }

    /// With the proxy backend the program belongs to the shell's job, as without Headwind.
    @Test func aJobBehindAProxyIsStoppedAndContinued() async throws {
        let run = try ExecRun()
        defer { run.remove() }
        let person = try Person()
        let name = "/proc/\(getpid())/fd/\(person.terminal.terminal.rawValue)"
        let process = try run.start(
            """
            cat > program.sh <<'END'
            trap 'echo got INT' INT; echo rea''dy; read word; echo said $word; while :; do sleep 0.02; done
            END
            exec setsid --ctty --wait bash --norc -i < $(readlink \(name)) > $(readlink \(name)) 2>&1
            """)
        try person.type("stty; $HW exec --backend proxy --profile lte -- sh ./program.sh\r")
        try await person.see("ready")
        try person.type("\u{1a}")
        try await person.see("Stopped")
        try person.type("fg\r")
        try await Task.sleep(for: .milliseconds(300))
        try person.type("hel''lo\r")
        try await person.see("said hel''lo")
        try person.type("\u{3}")
        try await person.see("got INT")
        try person.type("\u{1c}")
        try await Task.sleep(for: .milliseconds(300))
        try person.type("echo sta''tus $?\r")
        try await person.see("status 131")
        // After a program with jobs of its own ends, the shell has the terminal again.
        try person.type("$HW exec --backend proxy --profile lte -- bash --norc -i; read word; echo re''ad $word\r")
        try await Task.sleep(for: .milliseconds(500))
        try person.type("exit 3\r")
        try await Task.sleep(for: .milliseconds(500))
        try person.type("on\r")
        try await person.see("read on")
        try person.type("exit 9\r")
        #expect(await process.wait() == .exited(9))
        person.terminal.close()
    }

    private static func trapping(_ status: Int) -> String {
        "trap \\\"exit \(status)\\\" INT; \(up); while :; do sleep 0.02; done"
    }
    private static let up = "echo x >> ups; echo up\\$(wc -l < ups)"

    /// The program handles Ctrl-C and exits by itself, or reads the key.
    @Test(
        arguments: [
            ("--backend packet --until-fail --record kept", trapping(2), 1, 130),
            ("--backend proxy --until-fail --record kept", trapping(2), 1, 130),
            ("--backend proxy", trapping(130), 1, 130),
            ("--backend packet", "stty -isig -icanon; \(up); head -c 1 > /dev/null", 3, 0),
        ])
    func ctrlCEndsASeries(options: String, script: String, runs: Int, status: Int) async throws {
        let run = try ExecRun()
        defer { run.remove() }
        let person = try Person()
        let process = try start("sh -c \"\(script)\"", run, person, options: "--repeat 3 \(options)")
        for number in 1...runs {
            try await person.see("up\(number)")
            try person.type("\u{3}")
        }
        try await person.see("\nstatus \(status)\r")
        _ = await process.wait()
        #expect(run.text("ups") == String(repeating: "x\n", count: runs), "\(person.seen)")
        #expect(access(run.folder.appending("kept").string, F_OK) != 0)
        person.terminal.close()
    }

    @Test(arguments: [
        ("stty raw -echo; echo ready; kill -9 \\$\\$", 137),
        // What it leaves running opens the terminal again, and writes until it is ended.
        ("trap \\\"\\\" HUP; t=\\$(tty); while :; do yes > \\$t; done & sleep 0.1; exit 6", 6),
    ])
    func theTerminalIsRestoredAfterTheProgram(script: String, status: Int) async throws {
        let run = try ExecRun()
        defer { run.remove() }
        let person = try Person()
        let before = person.settings
        let process = try start("sh -c \"\(script)\"", run, person)
        try await person.see("status \(status)")
        _ = await process.wait()
        #expect(person.settings == before)
        person.terminal.close()
    }
}
