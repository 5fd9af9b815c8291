import FoundationEssentials
import Glibc
import PackFormat
import Synchronization
import SystemPackage
import Wording

/// Where a command writes: results on stdout, everything else on stderr.
enum Console {
    private static let outputFailure = Mutex<Errno?>(nil)
    private static let isProgressShown = Mutex(false)

    /// Whether a person watches stderr: it is a terminal that can redraw a line, and no CI runs this.
    static let isInteractive = isatty(STDERR_FILENO) == 1 && environment("TERM") != "dumb" && environment("CI") == nil

    /// Whether a stream may be coloured: it is a terminal, no CI runs this, and NO_COLOR (no-color.org) is not set.
    static func isColoured(_ descriptor: Int32) -> Bool {
        isatty(descriptor) == 1 && (environment("NO_COLOR") ?? "").isEmpty && environment("TERM") != "dumb"
            && environment("CI") == nil
    }

    /// Prints a part of the result, and ends its last line.
    static func out(_ text: TerminalText) {
        guard let failure = write("\(text)\n", to: STDOUT_FILENO) else { return }
        outputFailure.withLock { $0 = $0 ?? failure }
    }

    /// Prints lines of the result, in one piece: a thousand lines would be a thousand writes.
    static func out(lines: [String]) {
        if !lines.isEmpty { out(TerminalText(lines: lines)) }
    }

    /// Whether all of the result could be written so far.
    static var hasReader: Bool { outputFailure.withLock { $0 == nil } }

    /// Whether nothing keeps the result from its reader; that one went away is no hindrance.
    static var isWritable: Bool { outputFailure.withLock { $0 == nil || $0 == .brokenPipe } }

    /// Throws where a part of the result could not be written; that a reader went away (EPIPE) is no failure, as in `| head`.
    static func checkOutput() throws {
        guard let failure = outputFailure.withLock({ $0 }), failure != .brokenPipe else { return }
        throw CommandFailure(
            status: failure.isNoRoom ? .infrastructure : .failed,
            description: "Could not write the result to standard output: \(failure.systemReason). "
                + (failure.isNoRoom
                    ? "Make room, and run again." : "Redirect it to a writable file, and run again."))
    }

    /// Has each standard stream be there: else what is opened next would be one, and be written to as if it were.
    ///
    /// One that was closed cannot be used, as before.
    static func openStandardStreams() {
        for stream in STDIN_FILENO...STDERR_FILENO where fcntl(stream, F_GETFD) < 0 {
            // The lowest number that is free is the one.
            _ = open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY)
        }
    }

    /// Prints a value as JSON, with sorted keys.
    static func json(_ value: some Encodable) throws {
        out(TerminalText(json: String(try value.jsonText().dropLast())))
    }

    /// Prints a line for people; a progress line is taken off first.
    static func note(_ text: TerminalText) {
        let prefix = isProgressShown.withLock { shown in
            defer { shown = false }
            return shown ? "\r\u{1B}[K" : ""
        }
        write("\(prefix)\(text)\n", to: STDERR_FILENO)
    }

    /// Shows a line that the next one replaces, cut to the terminal's width; nothing where stderr is no terminal.
    static func progress(_ text: TerminalText) {
        guard isInteractive else { return }
        let line = text.description
        isProgressShown.withLock { $0 = !line.isEmpty }
        write("\r\u{1B}[K" + TerminalLine.cut(line, columns: columns), to: STDERR_FILENO)
    }

    /// The width of the terminal at stderr as it is now, see ioctl_tty(2); 80 where it does not tell.
    private static var columns: Int {
        var size = winsize()
        guard ioctl(STDERR_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
        return Int(size.ws_col)
    }

    /// The value of an environment variable; nil where it is not set.
    static func environment(_ name: String) -> String? {
        getenv(name).map { String(cString: $0) }
    }

    /// Writes all of a text; answers why it could not be written, and drops the rest.
    @discardableResult
    private static func write(_ text: String, to descriptor: Int32) -> Errno? {
        var bytes = Array(text.utf8)[...]
        while !bytes.isEmpty {
            let count = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0 {
                let failure = Errno(rawValue: errno)
                guard failure == .interrupted || failure == .wouldBlock else { return failure }
                continue
            }
            bytes = bytes.dropFirst(count)
        }
        return nil
    }
}
